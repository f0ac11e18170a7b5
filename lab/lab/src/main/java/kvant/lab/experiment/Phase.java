package kvant.lab.experiment;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import kvant.lab.experiment.Variant.Server;
import kvant.load.dialect.Dialect;
import kvant.load.http.Target;
import kvant.load.keys.KeyPlan;
import kvant.load.keys.ValueSizes;
import kvant.load.plan.Arrivals;
import kvant.load.plan.Clients;
import kvant.load.plan.LoadPlan;
import kvant.load.plan.Pace;
import kvant.load.plan.Warmup;
import kvant.load.workload.Mix;
import kvant.load.workload.Workload;
import kvant.load.workload.WorkloadFile;
import kvant.text.Units;
import org.jspecify.annotations.Nullable;

/// A load for every variant: fill, warm up, measure.
///
/// @param settings as written, by the names of docs/experiments.md
/// @param prefill number of keys that are put before, each until it is acknowledged
public record Phase(
        String name,
        Map<String, String> settings,
        Workload workload,
        Clients clients,
        Pace pace,
        long prefill,
        long seed) {

    static final List<String> KEYS = ExperimentReader.words("""
            workload rate arrivals duration warmup warmup-limit window drain timeout connections threads depth spin
            prefill keys key-distribution value-size hits read-share scan-length seed
            """);

    /// A value of `rate` that cancels the rate of an earlier block.
    private static final String CLOSED = "closed";

    private static final String AUTO = "auto";
    private static final long MOST_PREFILL = 1_000_000_000;

    /// Minimum fill rate of a store, keys per second; for estimates only.
    private static final double FILLED_PER_SECOND = 25_000;

    private static final Duration USUAL_WARMUP = Duration.ofSeconds(10);

    public Phase {
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
    }

    /// True if a workload is defined in a file, as in `kvant load --workload FILE`.
    static boolean isFile(String workload) {
        return workload.endsWith(".yaml") || workload.endsWith(".yml");
    }

    /// @throws SettingException naming the invalid setting
    static Phase of(String name, Map<String, String> settings) {
        return new Settings(settings).phase(name);
    }

    /// Everything else is derived from these.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Phase phase && phase.name.equals(name) && phase.settings.equals(settings);
    }

    @Override
    public int hashCode() {
        return 31 * name.hashCode() + settings.hashCode();
    }

    /// The same with one setting changed.
    public Phase with(String key, String value) {
        Map<String, String> changed = new LinkedHashMap<>(settings);
        changed.put(key, value);
        try {
            return of(name, changed);
        } catch (SettingException e) {
            throw new IllegalArgumentException(e.explanation(), e);
        }
    }

    /// The load of one step. Keys differ between repeats, and are the same for all variants of a repeat.
    public LoadPlan plan(Target target, Variant variant, int repeat) {
        Workload asked = variant.server().dialect() == Dialect.KVANT
                ? workload
                : workload.with(w -> w.speak(variant.server().dialect()));
        if (variant.server() instanceof Server.External external) {
            asked = asked.with(w -> {
                w.entityPath = external.entityPath().isEmpty() ? w.entityPath : external.entityPath();
                w.scanPath = external.scanPath().isEmpty() ? w.scanPath : external.scanPath();
            });
        }
        int connections = variant.connections(this);
        Clients those = clients.withConnections(connections);
        return LoadPlan.of(target, asked, those, pace).with(p -> {
            p.firstInsert = prefill;
            p.seed = seed + repeat - 1;
        });
    }

    /// Estimated duration of one run.
    public Duration estimate() {
        Warmup warmup = pace.warmup();
        Duration warming = warmup.auto() && warmup.limit().compareTo(USUAL_WARMUP) > 0 ? USUAL_WARMUP : warmup.limit();
        return Duration.ofMillis((long) (prefill / FILLED_PER_SECOND * 1000))
                .plus(warming)
                .plus(pace.duration());
    }

    /// Reads settings, and knows which one was invalid.
    private record Settings(Map<String, String> texts) {

        Phase phase(String name) {
            Duration duration = time("duration", "30s");
            Workload workload = workload();
            long prefill = count("prefill", "0", MOST_PREFILL);
            check(prefill <= workload.keys(), "prefill", "more than the keys, " + workload.keys());
            boolean finds = workload.mix().needsKeys() && workload.hits() > 0;
            check(prefill > 0 || !finds, "workload", "it asks for keys that were never put: give 'prefill'");
            return new Phase(name, texts, workload, clients(), pace(duration), prefill, count("seed", "1", 1L << 62));
        }

        private Workload workload() {
            String name = texts.getOrDefault("workload", "");
            check(!name.isEmpty(), "workload", "missing: one of " + String.join(", ", Workload.NAMES));
            boolean file = isFile(name);
            Workload named =
                    value("workload", "", text -> file ? WorkloadFile.read(Path.of(text)) : Workload.named(text));
            String filled = texts.getOrDefault("prefill", "0");
            String keys = file ? Long.toString(named.keys()) : filled.equals("0") ? "1M" : filled;
            long count = count("keys", keys, MOST_PREFILL);
            Workload counted = value("keys", keys, _ -> named.with(w -> w.keys = count));
            return counted.with(w -> {
                if (texts.containsKey("key-distribution")) {
                    w.keyPlan = value("key-distribution", "", KeyPlan::parse);
                    w.mix = name.equals("put") ? Mix.of(mix -> mix.update = 1) : w.mix;
                }
                w.values = isOpen(file, "value-size") ? value("value-size", "100", ValueSizes::parse) : w.values;
                w.hits = isOpen(file, "hits") ? share("hits", "1") : w.hits;
                w.mostScanned = isOpen(file, "scan-length") ? whole("scan-length", "100", 1_000_000) : w.mostScanned;
                if (texts.containsKey("read-share")) {
                    check(name.equals("mixed"), "read-share", "it needs the workload 'mixed'");
                    double share = share("read-share", "0.5");
                    w.mix = Mix.gets(share, mix -> mix.update = 1 - share);
                }
            });
        }

        /// True if the setting is not fixed by a workload file, or the phase sets it.
        private boolean isOpen(boolean file, String key) {
            return !file || texts.containsKey(key);
        }

        private Clients clients() {
            int connections = whole("connections", "64", Clients.MOST_CONNECTIONS);
            int threads = whole("threads", "1", Clients.MOST_THREADS);
            check(threads <= connections, "threads", "more than connections, " + connections);
            Clients clients = Clients.defaults().withConnections(connections).with(c -> {
                c.threads = threads;
                c.depth = whole("depth", "1", Clients.MOST_DEPTH);
            });
            Clients bounded = value("timeout", "10s", text -> clients.with(c -> c.timeout = Units.duration(text)));
            return value("spin", "0s", text -> bounded.with(c -> c.spin = Units.duration(text)));
        }

        private Pace pace(Duration duration) {
            String rate = texts.getOrDefault("rate", CLOSED);
            boolean closed = rate.equals(CLOSED);
            check(!closed || !texts.containsKey("arrivals"), "arrivals", "it needs a 'rate'");
            Pace pace = value(
                    "rate",
                    CLOSED,
                    text -> closed
                            ? Pace.closed(Duration.ofSeconds(1))
                            : Pace.open(Units.rate(text), Duration.ofSeconds(1)));
            Arrivals.Law law = value("arrivals", "uniform", text -> switch (text) {
                case "uniform" -> Arrivals.Law.UNIFORM;
                case "poisson" -> Arrivals.Law.POISSON;
                default -> throw new IllegalArgumentException("'" + text + "' is not uniform or poisson");
            });
            return value(
                    "window",
                    "1s",
                    text -> checked(
                            "duration",
                            () -> pace.with(p -> {
                                p.law = closed ? p.law : law;
                                p.warmup = warmup();
                                p.duration = duration;
                                p.drain = time("drain", "1s");
                                p.window = Units.duration(text);
                            })));
        }

        private Warmup warmup() {
            String text = texts.getOrDefault("warmup", AUTO);
            boolean auto = text.equals(AUTO);
            check(auto || !texts.containsKey("warmup-limit"), "warmup-limit", "it needs 'warmup: auto'");
            return auto
                    ? new Warmup(true, time("warmup-limit", "60s"))
                    : value("warmup", AUTO, given -> Warmup.fixed(Units.duration(given)));
        }

        private Duration time(String key, String fallback) {
            return value(key, fallback, Units::duration);
        }

        private long count(String key, String fallback, long most) {
            return value(key, fallback, text -> {
                long count = Units.count(text);
                if (count < 0 || count > most) {
                    throw new IllegalArgumentException("'" + text + "' is not a number from 0 to " + most);
                }
                return count;
            });
        }

        private int whole(String key, String fallback, int most) {
            long count = count(key, fallback, most);
            check(count >= 1, key, "at least 1");
            return (int) count;
        }

        private double share(String key, String fallback) {
            return value(key, fallback, text -> {
                double share = Double.parseDouble(text);
                if (!(share >= 0 && share <= 1)) {
                    throw new IllegalArgumentException("'" + text + "' is not a share from 0 to 1");
                }
                return share;
            });
        }

        private <T> T value(String key, String fallback, Function<String, T> parser) {
            String text = texts.getOrDefault(key, fallback);
            return checked(key, () -> parser.apply(text));
        }

        private static <T> T checked(String key, Supplier<T> supplier) {
            try {
                return supplier.get();
            } catch (NumberFormatException _) {
                throw new SettingException(key, "it must be a number");
            } catch (IllegalArgumentException e) {
                @Nullable String why = e.getMessage();
                throw new SettingException(key, Objects.requireNonNullElse(why, "it makes no sense"));
            }
        }

        private static void check(boolean right, String key, String what) {
            if (!right) {
                throw new SettingException(key, what);
            }
        }
    }

    /// An invalid setting of a phase; the message does not repeat its name.
    static final class SettingException extends RuntimeException {

        private static final long serialVersionUID = 1;

        private final String key;

        SettingException(String key, String message) {
            super(message);
            this.key = key;
        }

        String key() {
            return key;
        }

        String explanation() {
            return "'" + key + "': " + getMessage();
        }
    }
}
