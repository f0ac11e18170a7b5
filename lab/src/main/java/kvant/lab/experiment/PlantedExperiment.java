package kvant.lab.experiment;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Two real nodes between which a difference is planted: B takes longer for a look-up than A, by a share of
/// a time that both take. That time is large beside what a node takes by itself, so that the ratio of the
/// two is known.
///
/// @param planted by how much, as a share
/// @param rounds of the run
/// @param duration of each load
/// @param seed of the keys
public record PlantedExperiment(Law law, double planted, int rounds, Duration duration, long seed) {

    /// In which way B is slower.
    public enum Law {
        /// Each look-up waits.
        DELAY("delay=", Duration.ofMillis(10), "p50"),
        /// One look-up of twenty waits.
        SLOW("slow=5%:", Duration.ofMillis(10), "p99"),
        /// Each look-up computes.
        BURN("burn=", Duration.ofMillis(2), "cpu");

        private final String form;
        private final Duration time;
        private final String metric;

        Law(String form, Duration time, String metric) {
            this.form = form;
            this.time = time;
            this.metric = metric;
        }

        public String key() {
            return name().toLowerCase(Locale.ROOT);
        }

        /// The figure that shows it.
        public String metric() {
            return metric;
        }

        /// Of A.
        public Duration time() {
            return time;
        }
    }

    /// Look-ups that wait side by side; more than come while one waits.
    private static final String WORKERS = "8";

    private static final String RATE = "100";
    private static final String PREFILL = "1k";

    public static final String A = "a";
    public static final String B = "b";

    public Experiment experiment() {
        List<Variant> variants = List.of(variant(A, 0), variant(B, planted));
        Trial trial = new Trial(
                "planted",
                "A planted difference",
                "Подложенная разница",
                variants,
                List.of("get"),
                settings(),
                List.of(law.metric));
        return trial.experiment().withoutProfiles().withRepeats(rounds);
    }

    private Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("rate", RATE);
        settings.put("connections", "16");
        settings.put("duration", duration.toMillis() + "ms");
        settings.put("warmup", "500ms");
        settings.put("window", "100ms");
        settings.put("prefill", PREFILL);
        settings.put("seed", Long.toString(seed));
        return settings;
    }

    private Variant variant(String name, double share) {
        long micros = Math.round(law.time.toNanos() * (1 + share) / 1000);
        Map<String, String> flags = new LinkedHashMap<>();
        flags.put("executor", "async");
        flags.put("workers", WORKERS);
        flags.put("durability", "none");
        flags.put("planted", law.form + micros + "us");
        return new Variant(name, name, "", 0, new Server.Kvant(Server.Program.BENCH, flags, List.of()));
    }
}
