package kvant.cli.store;

import kvant.engine.directory.ExaminedDirectory;
import kvant.text.ExitCode;
import kvant.text.command.Output;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `kvant check`: whether every byte of a store is what was written.
@Command(
        name = "check",
        description = "Verify every checksum and reference of a store that no node serves.",
        sortOptions = false,
        footer = {
            "",
            "Reads everything and changes nothing. One line for each problem: the file, the",
            "offset, what is wrong there, what that means, and what to do. Of the engine",
            "rocksdb only the first problem is told.",
            "Exit codes: 0 sound, 1 damaged or not looked at (the reason is on stderr), 2",
            "wrong command line."
        })
public final class CheckCommand extends StoreCommand {

    @Option(names = "--format", paramLabel = "F", description = "text (the default) or json.")
    private Output format = Output.TEXT;

    @Override
    public Integer call() {
        try (ExaminedDirectory directory = ExaminedDirectory.open(data())) {
            CheckReport report = format == Output.JSON ? new CheckReport.AsJson(out()) : new CheckReport.AsText(out());
            report.check(directory);
            return report.problems() == 0 ? ExitCode.DONE : ExitCode.FAILED;
        }
    }
}
