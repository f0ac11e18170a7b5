package kvant.lab.command;

import kvant.text.command.CommandGroup;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// `kvant lab`: experiments.
@Command(
        name = "lab",
        description = "Run experiments: variants of a node under the same loads, in turn, with a report.",
        footer = {
            "",
            "docs/experiments.md describes the files, docs/report.md the report.",
            "",
            "  kvant lab list",
            "  kvant lab run pool-and-queue --quick"
        })
public final class LabCommand extends CommandGroup {

    private LabCommand() {}

    /// With its subcommands.
    ///
    /// @param kvant what nodes under test are started from
    public static CommandLine commandLine(ThisKvant kvant) {
        return new CommandLine(new LabCommand())
                .addSubcommand(new LabRunCommand(kvant))
                .addSubcommand(new LabListCommand())
                .addSubcommand(new LabShowCommand())
                .addSubcommand(new LabCheckCommand(kvant))
                .addSubcommand(new LabTryCommand(kvant))
                .addSubcommand(new LabCompareCommitsCommand(kvant))
                .addSubcommand(new LabPlanCommand())
                .addSubcommand(new LabReportCommand());
    }
}
