package kvant.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `kvant lab`: experiments.
@Command(
        name = "lab",
        description = "Run experiments: variants of a node under the same loads, in turn, with a report.",
        subcommands = {
            LabRunCommand.class,
            LabListCommand.class,
            LabShowCommand.class,
            LabCheckCommand.class,
            LabReportCommand.class
        },
        footer = {
            "",
            "docs/experiments.md describes the files, docs/report.md the report.",
            "",
            "  kvant lab list",
            "  kvant lab run pool-and-queue --quick"
        })
final class LabCommand implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean helpRequested;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is needed: run, list, show, check or report");
    }
}
