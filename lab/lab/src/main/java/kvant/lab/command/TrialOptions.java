package kvant.lab.command;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import kvant.lab.experiment.Experiment;
import kvant.lab.experiment.Trial;
import kvant.lab.experiment.Variant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Loads and questions of an experiment without a file.
final class TrialOptions {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--workload",
            paramLabel = "W,...",
            split = ",",
            description = "Loads: put, get, delete, mixed, scan, a to f (default: put,get).")
    private List<String> workloads = List.of("put", "get");

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Requests per second, or 'closed' for a closed loop (default: 2k).")
    private String rate = "2k";

    @Option(names = "--connections", paramLabel = "N", description = "Connections (default: 64).")
    private @Nullable String connections;

    @Option(names = "--duration", paramLabel = "T", description = "Measured time of each load (default: 10s).")
    private String duration = "10s";

    @Option(
            names = "--warmup",
            paramLabel = "T",
            description = "Warm-up, not measured (default: until stable, at most 60s).")
    private @Nullable String warmup;

    @Option(names = "--prefill", paramLabel = "N", description = "Keys put before loads that read (default: 100k).")
    private @Nullable String prefill;

    @Option(names = "--value-size", paramLabel = "SPEC", description = "Bytes of a value (default: 100).")
    private @Nullable String valueSize;

    @Option(
            names = "--metric",
            paramLabel = "M,...",
            split = ",",
            description = "Metrics: p50 to p99.99, mean, max, rate, cpu, memory, errors, stage.queue and more"
                    + " (default: p99,cpu).")
    private List<String> metrics = List.of("p99", "cpu");

    /// @param title of the experiment
    /// @param titleRu title in Russian
    Experiment experiment(String name, String title, String titleRu, List<Variant> variants, RoundOptions rounds) {
        try {
            Trial trial = new Trial(name, title, titleRu, variants, workloads, settings(), metrics);
            return rounds.applied(trial.experiment());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("rate", rate);
        settings.put("duration", duration);
        optional(settings, "connections", connections);
        optional(settings, "warmup", warmup);
        optional(settings, "prefill", prefill);
        optional(settings, "value-size", valueSize);
        return settings;
    }

    private static void optional(Map<String, String> settings, String key, @Nullable String value) {
        if (value != null) {
            settings.put(key, value);
        }
    }
}
