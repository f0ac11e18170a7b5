package kvant.cli.manual;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import kvant.text.ExitCode;
import kvant.text.FileTrouble;
import kvant.text.UserException;
import kvant.text.command.CliCommand;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Option;

/// `kvant man`: writes a man page for each command.
@Command(
        name = "man",
        description = "Write a man page for each command.",
        sortOptions = false,
        footer = {
            "",
            "To read them: man -l DIR/kvant-serve.1, or DIR below a folder of MANPATH as man1.",
            "Exit codes: 0 written, 1 not written (the reason is on stderr), 2 wrong command",
            "line."
        })
public final class ManCommand extends CliCommand {

    @Option(names = "--to", paramLabel = "DIR", required = true, description = "Folder, created if missing.")
    private @Nullable Path folder;

    @Override
    public Integer call() {
        if (folder == null) {
            throw wrong("'--to' is needed");
        }
        CommandLine root = spec().root().commandLine();
        List<CommandLine> commands = ManPage.all(root).stream()
                .filter(command -> !(command.getCommand() instanceof HelpCommand))
                .toList();
        String version = root.getCommandSpec().version()[0].replaceFirst("[ ,]*[(,].*", ""); // of Kvant alone
        try {
            Files.createDirectories(folder);
            for (CommandLine command : commands) {
                Files.writeString(folder.resolve(ManPage.fileName(command)), ManPage.of(command, version));
            }
        } catch (IOException e) {
            throw new UserException("cannot write to " + folder + ": " + FileTrouble.writing(e), e);
        }
        out().println(commands.size() + " pages in " + folder);
        return ExitCode.DONE;
    }
}
