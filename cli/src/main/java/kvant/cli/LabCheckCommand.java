package kvant.cli;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import kvant.lab.LabException;
import kvant.lab.experiment.Doubts;
import kvant.lab.experiment.Experiment;
import kvant.lab.experiment.Scale;
import kvant.lab.experiment.Shipped;
import kvant.lab.run.Preflight;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `kvant lab check`: whether an experiment can be run here, and what it would not mean.
@Command(
        name = "check",
        description = "Check an experiment without running it: its file, and whether its servers can start here.",
        footer = {"", "Exit codes: 0 it can be run, with or without warnings; 1 it cannot; 2 wrong command line."})
final class LabCheckCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "FILE", description = "A file, or a letter or name of 'kvant lab list'.")
    private String file = "";

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean helpRequested;

    @Override
    public Integer call() {
        Shipped source = Shipped.find(file);
        Experiment experiment = source.read(Scale.FULL);
        PrintWriter out = spec.commandLine().getOut();
        List<String> doubts = Doubts.of(experiment, Runtime.getRuntime().availableProcessors());
        doubts.forEach(doubt -> out.println(source.label() + ": warning: " + doubt));
        out.flush();
        Map<String, String> obstacles =
                new LinkedHashMap<>(Preflight.obstacles(experiment, ThisKvant.command(), ServeCommand::obstacle));
        PrintWriter err = spec.commandLine().getErr();
        obstacles.forEach(
                (variant, why) -> err.println("kvant: " + source.label() + ": variant " + variant + ": " + why));
        if (!obstacles.isEmpty()) {
            throw new LabException(source.label() + ": " + obstacles.size() + " of "
                    + experiment.variants().size() + " variants cannot be started");
        }
        out.println(source.label() + ": " + LabText.summary(experiment));
        out.flush();
        return ExitCode.DONE;
    }
}
