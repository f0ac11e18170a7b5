package kvant.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `kvant simulate`: what a choice of options would do, without data.
@Command(
        name = "simulate",
        description = "Show what options would do to a workload, without a disk.",
        subcommands = SimulateCompactionCommand.class)
final class SimulateCommand implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean helpRequested;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "say what to simulate: 'compaction'");
    }
}
