package kvant.bench.planted;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import kvant.lab.experiment.Experiment;
import kvant.lab.experiment.Trial;
import kvant.lab.experiment.Variant;
import kvant.lab.experiment.Variant.Server;
import kvant.load.record.Percentiles;

/// Two real nodes between which a difference is planted: B takes longer for a look-up than A, by a share of a time that
/// both take. That time is large compared with the node's own, so that the ratio of the two is known.
///
/// @param planted by how much, as a share
/// @param rounds of the run
/// @param duration of each load
/// @param seed of the keys
public record PlantedExperiment(Law law, double planted, int rounds, Duration duration, long seed) {

    /// In which way B is slower.
    ///
    /// Look-ups come at random (Poisson), so that what a wait finds at its end is the same, on average, for a
    /// wait of any length (Wolff, Poisson arrivals see time averages, 1982). Where they came each 10 ms it ended
    /// always at the same time after the look-up before, and the longer waits of B at another time than those
    /// of A: while the next one came, or when threads and caches had been idle for longer. Either cost 0.2 ms.
    public enum Law {
        /// Each look-up waits.
        DELAY("delay=", Duration.ofMillis(12), "p50"),
        /// One look-up of four waits. Of a hundred that is 25, and p80 is the time of the fifth of them: that
        /// of a slow look-up in any round, with twice the requests beyond it that a percentile takes.
        SLOW("slow=25%:", Duration.ofMillis(12), "p80"),
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

        private boolean isTold(long requests) {
            return !metric.startsWith("p") || Percentiles.isTold(Double.parseDouble(metric.substring(1)), requests);
        }
    }

    /// By how much B is slower in the runs of a table.
    public static final List<Double> PLANTED = List.of(0.0, 0.05, 0.1, 0.2, 0.5);

    /// Rounds of a run by default: three blocks.
    public static final int USUAL_ROUNDS = 6;

    /// Of each load, by default.
    public static final Duration USUAL_DURATION = Duration.ofSeconds(1);

    /// Look-ups that wait side by side; more than come while one waits.
    private static final String WORKERS = "8";

    /// Requests a second: so few that even the longest of them leave most workers free. More would wait for each other,
    /// and add to both variants a time that was not planted.
    private static final int RATE = 100;

    private static final String PREFILL = "1k";

    public static final String A = "a";
    public static final String B = "b";

    /// @throws IllegalArgumentException where a round has, on average, too few requests for the figure of its law
    public PlantedExperiment {
        long requests = RATE * duration.toMillis() / 1000;
        if (!law.isTold(requests)) {
            throw new IllegalArgumentException(
                    "the " + requests + " requests of a round are too few for the " + law.metric + " of " + law.key());
        }
    }

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
        settings.put("rate", Integer.toString(RATE));
        settings.put("arrivals", "poisson");
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
        flags.put("warm-up", "0"); // what is compiled meanwhile is the node's own time, in both
        flags.put("planted", law.form + micros + "us");
        return new Variant(name, name, "", 0, new Server.Kvant(Server.Program.BENCH, flags, List.of()));
    }
}
