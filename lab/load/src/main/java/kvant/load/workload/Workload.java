package kvant.load.workload;

import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import kvant.load.dialect.Dialect;
import kvant.load.dialect.RequestEncoder;
import kvant.load.http.Target;
import kvant.load.keys.KeyPlan;
import kvant.load.keys.KeyText;
import kvant.load.keys.ValueSizes;
import kvant.text.Check;
import kvant.text.Drafts;

/// The specification of a workload.
///
/// @param plain whether the same request is repeated, without keys and values
/// @param method of the plain request
/// @param dialect protocol of the requests
/// @param entityPath path of one key, with `{key}`; empty if the dialect's paths are fixed
/// @param scanPath path of a range, with `{key}` and then `{limit}`; likewise
/// @param keys number of existing keys, numbered from 0
/// @param hits share of the gets for an existing key
/// @param mostScanned a scan requests between 1 and this number of records, uniformly
public record Workload(
        String name,
        boolean plain,
        String method,
        Dialect dialect,
        String entityPath,
        String scanPath,
        Mix mix,
        KeyPlan keyPlan,
        KeyText keyText,
        long keys,
        double hits,
        ValueSizes values,
        int mostScanned) {

    /// The names known to [#named].
    public static final List<String> NAMES =
            List.of("put", "get", "delete", "mixed", "scan", "a", "b", "c", "d", "e", "f");

    private static final int MOST_SCAN = 1_000_000;

    public Workload {
        if (!plain) {
            checkPath("entity", entityPath, dialect.entityPath());
            checkPath("scan", scanPath, dialect.scanPath());
            Check.that(
                    mix.scan() == 0 || dialect.hasRanges(),
                    "the dialect '" + dialect.key() + "' has no ranges of keys");
        }
        Check.that(
                !plain || dialect == Dialect.KVANT, "the dialect '" + dialect.key() + "' needs a workload with keys");
        Check.that(
                keys >= 1 && keys <= keyText.capacity(),
                "keys must be from 1 to " + keyText.capacity() + ", what " + keyText.digits() + " digits can tell");
        Check.that(hits >= 0 && hits <= 1, "the hit share must be from 0 to 1, not " + hits);
        Check.that(mostScanned >= 1 && mostScanned <= MOST_SCAN, "a scan asks for 1 to " + MOST_SCAN + " records");
    }

    /// @param usual empty if the path cannot be configured
    private static void checkPath(String what, String path, String usual) {
        if (path.isEmpty() && usual.isEmpty()) {
            return;
        }
        Check.that(!usual.isEmpty(), "the " + what + " path '" + path + "': this dialect has its own");
        boolean bare = path.startsWith("/") && path.chars().allMatch(c -> c > ' ' && c < 127);
        Check.that(
                bare && path.contains("{key}"),
                "the " + what + " path '" + path + "' must begin with / and have {key}");
        Check.that(
                !what.equals("scan") || path.indexOf("{limit}") > path.indexOf("{key}"),
                "the scan path '" + path + "' must have {key} and then {limit}");
    }

    /// A GET of the unmodified URL, as in wrk.
    public static Workload plain(String method) {
        return of("plain", Mix.of(mix -> mix.get = 1), KeyPlan.UNIFORM).with(w -> {
            w.plain = true;
            w.method = method;
        });
    }

    private static Workload of(String name, Mix mix, KeyPlan plan) {
        return Drafts.made(Workload.class, new Draft(name, mix, plan));
    }

    /// An encoder of its requests, for one loop.
    ///
    /// @param headers lines of the form `Name: value`, for every request
    /// @param body of the plain request
    public RequestEncoder encoder(Target target, List<String> headers, byte[] body) {
        return plain
                ? Dialect.plain(method, target, headers, body)
                : dialect.encoder(target, entityPath, scanPath, headers, keyText);
    }

    /// A workload by name; `a` to `f`, also `ycsb-a`, are the core workloads of YCSB.
    ///
    /// @throws IllegalArgumentException with a readable one-line reason
    public static Workload named(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        String key = lower.startsWith("ycsb-") ? lower.substring("ycsb-".length()) : lower;
        return switch (key) {
            case "put" -> of(key, Mix.of(mix -> mix.insert = 1), KeyPlan.UNIFORM);
            case "get" -> of(key, Mix.of(mix -> mix.get = 1), KeyPlan.UNIFORM);
            case "delete" -> of(key, Mix.of(mix -> mix.delete = 1), KeyPlan.SEQUENTIAL);
            case "mixed" -> of(key, Mix.gets(0.5, mix -> mix.update = 0.5), KeyPlan.UNIFORM);
            case "scan" -> of(key, Mix.of(mix -> mix.scan = 1), KeyPlan.UNIFORM);
            case "a" -> of("ycsb-a", Mix.gets(0.5, mix -> mix.update = 0.5), KeyPlan.ZIPFIAN);
            case "b" -> of("ycsb-b", Mix.gets(0.95, mix -> mix.update = 0.05), KeyPlan.ZIPFIAN);
            case "c" -> of("ycsb-c", Mix.of(mix -> mix.get = 1), KeyPlan.ZIPFIAN);
            case "d" -> of("ycsb-d", Mix.gets(0.95, mix -> mix.insert = 0.05), KeyPlan.LATEST);
            case "e" ->
                of(
                        "ycsb-e",
                        Mix.of(mix -> {
                            mix.insert = 0.05;
                            mix.scan = 0.95;
                        }),
                        KeyPlan.ZIPFIAN);
            case "f" -> of("ycsb-f", Mix.gets(0.5, mix -> mix.rmw = 0.5), KeyPlan.ZIPFIAN);
            default ->
                throw new IllegalArgumentException(
                        "'" + name + "' is not a workload: " + String.join(", ", NAMES) + ", or a file that exists");
        };
    }

    /// This workload with some of it changed: `workload.with(w -> w.keys = 1000)`.
    public Workload with(Consumer<Draft> change) {
        return Drafts.changed(Workload.class, this, new Draft(name, mix, keyPlan), change);
    }

    /// A builder for workloads.
    public static final class Draft {

        public String name;
        public boolean plain;
        public String method = "GET";
        public Dialect dialect = Dialect.KVANT;
        public String entityPath = dialect.entityPath();
        public String scanPath = dialect.scanPath();
        public Mix mix;
        public KeyPlan keyPlan;
        public KeyText keyText = KeyText.DEFAULT;
        public long keys = 1_000_000;
        public double hits = 1;
        public ValueSizes values = ValueSizes.fixed(100);
        public int mostScanned = 100;

        private Draft(String name, Mix mix, KeyPlan keyPlan) {
            this.name = name;
            this.mix = mix;
            this.keyPlan = keyPlan;
        }

        /// Sets the dialect, with its paths.
        public void speak(Dialect other) {
            dialect = other;
            entityPath = other.entityPath();
            scanPath = other.scanPath();
        }
    }
}
