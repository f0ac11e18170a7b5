package kvant.lab.command;

import kvant.lab.experiment.Shipped;
import kvant.text.ExitCode;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `kvant lab show`: an experiment with everything that its file varies and leaves out.
@Command(name = "show", description = "Show an experiment: variants, phases, questions, and how long it takes.")
final class LabShowCommand extends LabAction {

    @Parameters(paramLabel = "NAME", description = "A letter or name of 'kvant lab list', or a file.")
    private String name = "";

    @ArgGroup
    private ScaleOptions scale = new ScaleOptions();

    @Override
    public Integer call() {
        LabText.print(out(), Shipped.find(name).read(scale.scale()));
        return ExitCode.DONE;
    }
}
