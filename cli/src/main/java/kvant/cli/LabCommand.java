package kvant.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `kvant lab`: experiments and their reports.
@Command(
        name = "lab",
        description = "Experiments: measure, profile, compare, explain.",
        subcommands = {LabReportCommand.class})
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
        throw new ParameterException(spec.commandLine(), "'lab' needs to know what: report");
    }
}
