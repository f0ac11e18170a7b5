package kvant.lab.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import kvant.lab.command.LabCommand.ThisKvant;
import kvant.lab.command.RoundOptions.ScaleOptions;
import kvant.lab.experiment.Experiment;
import kvant.lab.experiment.Experiment.Scale;
import kvant.lab.experiment.Shipped;
import kvant.lab.result.RunRecord.VariantRecord;
import kvant.text.Units;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `kvant lab run`: runs an experiment, or resumes one.
@Command(
        name = "run",
        description = "Run an experiment: each variant under each load, in turn, and write a folder of results.",
        sortOptions = false,
        footer = {
            "",
            "Ctrl-C stops the step in progress and keeps all before it; 'kvant lab run",
            "--resume DIR' continues. Exit codes: 0 all measured; 1 not all measured, the",
            "reason is printed and in run.json; 2 wrong command line."
        })
final class LabRunCommand extends LabAction {

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "A letter or name of 'kvant lab list', or a file.")
    private @Nullable String name;

    @ArgGroup
    private ScaleOptions scale = new ScaleOptions();

    @Option(names = "--resume", paramLabel = "DIR", description = "Continue the run in this folder.")
    private @Nullable Path resumed;

    @Option(names = "--duration", paramLabel = "T", description = "Measured time of each load, such as 30s.")
    private @Nullable String duration;

    @Option(names = "--variants", paramLabel = "V,...", split = ",", description = "Only these variants.")
    private List<String> variants = new ArrayList<>();

    @Option(names = "--phases", paramLabel = "P,...", split = ",", description = "Only these phases.")
    private List<String> phases = new ArrayList<>();

    @Mixin
    private RoundOptions rounds = new RoundOptions();

    private final ThisKvant kvant;

    LabRunCommand(ThisKvant kvant) {
        this.kvant = kvant;
    }

    @Override
    public Integer call() {
        if ((name == null) == (resumed == null)) {
            throw wrong("either an experiment or '--resume DIR' is needed; 'kvant lab list' has the experiments");
        }
        if (resumed != null && changesTheExperiment()) {
            throw wrong(
                    "'--resume' continues the experiment with its options: only '--work' and '--lang' go with" + " it");
        }
        if (scale.scale() == Scale.DECIDE) {
            rounds.decide();
        }
        rounds.check();
        if (resumed != null) {
            return LabSession.begin(out(), err(), kvant, rounds).resume(resumed);
        }
        Experiment experiment = experiment(String.valueOf(name));
        List<String> command = toRepeat();
        Path file = Path.of(String.valueOf(name));
        command.add(3, file.isAbsolute() ? String.valueOf(file.getFileName()) : file.toString());
        return LabSession.begin(out(), err(), kvant, rounds).run(experiment, VariantRecord.typed(command));
    }

    private boolean changesTheExperiment() {
        return scale.scale() != Scale.FULL
                || duration != null
                || rounds.changeTheExperiment()
                || !variants.isEmpty()
                || !phases.isEmpty();
    }

    private Experiment experiment(String wanted) {
        Experiment shipped = Shipped.find(wanted).read(scale.scale());
        try {
            Experiment experiment = rounds.applied(shipped.only(variants, phases));
            if (duration == null) {
                return experiment;
            }
            String length = Units.duration(duration).toMillis() + "ms";
            return experiment.withPhases(phase -> phase.with("duration", length));
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }
}
