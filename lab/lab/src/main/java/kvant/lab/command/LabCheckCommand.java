package kvant.lab.command;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import kvant.lab.experiment.Doubts;
import kvant.lab.experiment.Experiment;
import kvant.lab.experiment.Scale;
import kvant.lab.experiment.Shipped;
import kvant.lab.result.Remark;
import kvant.lab.run.Preflight;
import kvant.report.sentence.Remarks;
import kvant.text.ExitCode;
import kvant.text.UserException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `kvant lab check`: whether an experiment can be run here, and what it would not mean.
@Command(
        name = "check",
        description = "Check an experiment without running it: its file, and whether its servers can start here.",
        footer = {"", "Exit codes: 0 it can be run, with or without warnings; 1 it cannot; 2 wrong command line."})
final class LabCheckCommand extends LabAction {

    @Parameters(paramLabel = "FILE", description = "A file, or a letter or name of 'kvant lab list'.")
    private String file = "";

    private final ThisKvant kvant;

    LabCheckCommand(ThisKvant kvant) {
        this.kvant = kvant;
    }

    @Override
    public Integer call() {
        Shipped source = Shipped.find(file);
        Experiment experiment = source.read(Scale.FULL);
        PrintWriter out = out();
        List<Remark> doubts = Doubts.of(experiment, Runtime.getRuntime().availableProcessors());
        doubts.forEach(doubt -> out.println(source.label() + ": warning: " + Remarks.english(doubt)));
        out.flush();
        Map<String, Remark> obstacles =
                new LinkedHashMap<>(Preflight.obstacles(experiment, kvant.command(), kvant.obstacle()));
        PrintWriter err = err();
        obstacles.forEach((variant, why) ->
                err.println("kvant: " + source.label() + ": variant " + variant + ": " + Remarks.english(why)));
        if (!obstacles.isEmpty()) {
            throw new UserException(source.label() + ": " + obstacles.size() + " of "
                    + experiment.variants().size() + " variants cannot be started");
        }
        out.println(source.label() + ": " + LabText.summary(experiment));
        out.flush();
        return ExitCode.DONE;
    }
}
