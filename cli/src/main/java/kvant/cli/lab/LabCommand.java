package kvant.cli.lab;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

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
public final class LabCommand implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean helpRequested;

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
                .addSubcommand(new LabReportCommand())
                .addSubcommand(new LabTruthCommand());
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "a command is needed: run, list, show, check, try, compare-commits, plan, report or truth");
    }
}
