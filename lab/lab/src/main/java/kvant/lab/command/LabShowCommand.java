package kvant.lab.command;

import java.util.concurrent.Callable;
import kvant.lab.experiment.Shipped;
import kvant.text.ExitCode;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `kvant lab show`: an experiment with everything that its file varies and leaves out.
@Command(name = "show", description = "Show an experiment: variants, phases, questions, and how long it takes.")
final class LabShowCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "NAME", description = "A letter or name of 'kvant lab list', or a file.")
    private String name = "";

    @ArgGroup
    private ScaleOptions scale = new ScaleOptions();

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean helpRequested;

    @Override
    public Integer call() {
        LabText.print(spec.commandLine().getOut(), Shipped.find(name).read(scale.scale()));
        return ExitCode.DONE;
    }
}
