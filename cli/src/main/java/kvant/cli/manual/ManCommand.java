package kvant.cli.manual;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import kvant.text.ExitCode;
import kvant.text.FileTrouble;
import kvant.text.UserException;
import kvant.text.command.CliCommand;
import kvant.text.command.OptionGroups;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Option;

/// `kvant man`: writes a man page for each command.
@Command(
        name = "man",
        description = "Write a man page for each command.",
        sortOptions = false,
        footer = {
            "",
            "To read them: man -l DIR/kvant-serve.1, or link DIR as man1 in a MANPATH.",
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
        String version = root.getCommandSpec().version()[0].replaceFirst("[ ,]*[(,].*", ""); // of Kvant only
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

    /// Generates a man page in the macros of man(7) from the model of a command. (picocli's generator produces
    /// AsciiDoc, which requires another program to become a page.)
    static final class ManPage {

        private final CommandSpec command;
        private final String version;
        private final StringBuilder page = new StringBuilder();

        private ManPage(CommandSpec command, String version) {
            this.command = command;
            this.version = version;
        }

        /// A command and all its subcommands, at any depth.
        static List<CommandLine> all(CommandLine root) {
            List<CommandLine> all = new ArrayList<>(List.of(root));
            root.getSubcommands().values().forEach(below -> all.addAll(all(below)));
            return all;
        }

        /// The file name, such as `kvant-mirror-status.1`.
        static String fileName(CommandLine command) {
            return command.getCommandSpec().qualifiedName("-") + ".1";
        }

        static String of(CommandLine command, String version) {
            return new ManPage(command.getCommandSpec(), version).write();
        }

        private String write() {
            String name = command.qualifiedName("-");
            line(".TH " + quoted(name.toUpperCase(Locale.ROOT)) + " 1 \"\" " + quoted(version) + " " + quoted("Kvant"));
            section("NAME");
            line(text(name) + " \\- " + text(description().replaceFirst("\\.$", "")));
            section("SYNOPSIS");
            synopsis();
            section("DESCRIPTION");
            line(text(description()));
            positionals();
            options();
            commands();
            footer();
            seeAlso();
            return page.toString();
        }

        private void synopsis() {
            StringBuilder synopsis = new StringBuilder("\\fB" + text(command.qualifiedName()) + "\\fR");
            synopsis.append(command.options().isEmpty() ? "" : " [\\fIOPTION\\fR]...");
            synopsis.append(command.subcommands().isEmpty() ? "" : " \\fICOMMAND\\fR");
            for (PositionalParamSpec positional : command.positionalParameters()) {
                String label = "\\fI" + text(positional.paramLabel()) + "\\fR";
                synopsis.append(positional.arity().min() == 0 ? " [" + label + "]" : " " + label);
            }
            line(synopsis.toString());
        }

        private void positionals() {
            for (PositionalParamSpec positional : command.positionalParameters()) {
                item("\\fI" + text(positional.paramLabel()) + "\\fR", positional.description());
            }
        }

        private void options() {
            OptionGroups.of(command).forEach((heading, options) -> {
                section(heading.isEmpty() ? "OPTIONS" : heading.toUpperCase(Locale.ROOT) + " OPTIONS");
                options.forEach(option -> item(label(option), option.description()));
            });
        }

        private static String label(OptionSpec option) {
            List<String> names = Arrays.stream(option.names())
                    .map(name -> "\\fB" + text(name) + "\\fR")
                    .toList();
            String value = option.arity().max() == 0 ? "" : "=\\fI" + text(option.paramLabel()) + "\\fR";
            return String.join(", ", names) + value;
        }

        private void commands() {
            if (!command.subcommands().isEmpty()) {
                section("COMMANDS");
                command.subcommands()
                        .forEach((name, below) -> item(
                                "\\fB" + text(name) + "\\fR",
                                below.getCommandSpec().usageMessage().description()));
            }
        }

        private void footer() {
            String[] footer = command.usageMessage().footer();
            if (footer.length > 0) {
                section("NOTES");
                line(".nf"); // keeps the line breaks of the help: some of it is a table
                Arrays.stream(footer).forEach(one -> line(text(one)));
                line(".fi");
            }
        }

        private void seeAlso() {
            CommandSpec parent = command.parent();
            if (parent != null) {
                section("SEE ALSO");
                line("\\fB" + text(parent.qualifiedName("-")) + "\\fR(1)");
            }
        }

        private String description() {
            return words(command.usageMessage().description());
        }

        private void item(String label, String... description) {
            line(".TP");
            line(label);
            line(text(words(description)));
        }

        private void section(String name) {
            line(".SH " + quoted(name));
        }

        private void line(String line) {
            page.append(line).append('\n');
        }

        /// Text with the formatting of picocli.
        private static String words(String... lines) {
            return Help.Ansi.OFF.string(String.join(" ", lines).replace("%%", "%"));
        }

        private static String quoted(String text) {
            return '"' + text(text).replace("\"", "\\(dq") + '"';
        }

        /// Escapes text that the formatter would interpret.
        private static String text(String text) {
            String escaped = text.replace("\\", "\\e").replace("-", "\\-");
            return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
        }
    }
}
