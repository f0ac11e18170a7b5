package kvant.load.workload;

import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import kvant.load.dialect.Dialect;
import kvant.load.keys.KeyPlan;
import kvant.load.keys.KeyText;
import kvant.load.keys.ValueSizes;
import kvant.load.keys.Zipfian;

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

    private static final long DEFAULT_KEYS = 1_000_000;
    private static final int DEFAULT_VALUE_BYTES = 100;
    private static final int YCSB_SCAN = 100;
    private static final int MOST_SCAN = 1_000_000;

    public Workload {
        if (!plain) {
            checkPath("entity", entityPath, dialect.entityPath());
            checkPath("scan", scanPath, dialect.scanPath());
            if (mix.scan() > 0 && !dialect.hasRanges()) {
                throw new IllegalArgumentException("the dialect '" + dialect.key() + "' has no ranges of keys");
            }
        } else if (dialect != Dialect.KVANT) {
            throw new IllegalArgumentException("the dialect '" + dialect.key() + "' needs a workload with keys");
        }
        if (keys < 1 || keys > keyText.capacity()) {
            throw new IllegalArgumentException(
                    "keys must be from 1 to " + keyText.capacity() + ", what " + keyText.digits() + " digits can tell");
        }
        if (!(hits >= 0 && hits <= 1)) {
            throw new IllegalArgumentException("the hit share must be from 0 to 1, not " + hits);
        }
        if (mostScanned < 1 || mostScanned > MOST_SCAN) {
            throw new IllegalArgumentException("a scan asks for 1 to " + MOST_SCAN + " records");
        }
    }

    /// @param usual empty if the path cannot be configured
    private static void checkPath(String what, String path, String usual) {
        if (path.isEmpty() && usual.isEmpty()) {
            return;
        }
        if (usual.isEmpty()) {
            throw new IllegalArgumentException("the " + what + " path '" + path + "': this dialect has its own");
        }
        boolean bare = path.startsWith("/") && path.chars().allMatch(c -> c > ' ' && c < 127);
        if (!bare || !path.contains("{key}")) {
            throw new IllegalArgumentException("the " + what + " path '" + path + "' must begin with / and have {key}");
        }
        if (what.equals("scan") && path.indexOf("{limit}") < path.indexOf("{key}")) {
            throw new IllegalArgumentException("the scan path '" + path + "' must have {key} and then {limit}");
        }
    }

    /// A GET of the unmodified URL, as in wrk.
    public static Workload plain(String method) {
        return of("plain", true, Mix.of(mix -> mix.get = 1), new KeyPlan.Uniform())
                .with(w -> w.method = method);
    }

    private static Workload of(String name, boolean plain, Mix mix, KeyPlan plan) {
        return new Workload(
                name,
                plain,
                "GET",
                Dialect.KVANT,
                Dialect.KVANT.entityPath(),
                Dialect.KVANT.scanPath(),
                mix,
                plan,
                KeyText.DEFAULT,
                DEFAULT_KEYS,
                1,
                ValueSizes.fixed(DEFAULT_VALUE_BYTES),
                YCSB_SCAN);
    }

    /// A workload by name; `a` to `f`, also `ycsb-a`, are the core workloads of YCSB.
    ///
    /// @throws IllegalArgumentException with a readable one-line reason
    public static Workload named(String name) {
        KeyPlan uniform = new KeyPlan.Uniform();
        KeyPlan zipfian = new KeyPlan.Scrambled(Zipfian.YCSB_THETA);
        String lower = name.toLowerCase(Locale.ROOT);
        String key = lower.startsWith("ycsb-") ? lower.substring("ycsb-".length()) : lower;
        return switch (key) {
            case "put" -> of(key, false, Mix.of(mix -> mix.insert = 1), uniform);
            case "get" -> of(key, false, Mix.of(mix -> mix.get = 1), uniform);
            case "delete" -> of(key, false, Mix.of(mix -> mix.delete = 1), new KeyPlan.Sequential());
            case "mixed" -> of(key, false, Mix.gets(0.5, mix -> mix.update = 0.5), uniform);
            case "scan" -> of(key, false, Mix.of(mix -> mix.scan = 1), uniform);
            case "a" -> of("ycsb-a", false, Mix.gets(0.5, mix -> mix.update = 0.5), zipfian);
            case "b" -> of("ycsb-b", false, Mix.gets(0.95, mix -> mix.update = 0.05), zipfian);
            case "c" -> of("ycsb-c", false, Mix.of(mix -> mix.get = 1), zipfian);
            case "d" -> of("ycsb-d", false, Mix.gets(0.95, mix -> mix.insert = 0.05), new KeyPlan.Latest());
            case "e" ->
                of(
                        "ycsb-e",
                        false,
                        Mix.of(mix -> {
                            mix.insert = 0.05;
                            mix.scan = 0.95;
                        }),
                        zipfian);
            case "f" -> of("ycsb-f", false, Mix.gets(0.5, mix -> mix.rmw = 0.5), zipfian);
            default ->
                throw new IllegalArgumentException(
                        "'" + name + "' is not a workload: " + String.join(", ", NAMES) + ", or a file that exists");
        };
    }

    /// This workload with some of it changed: `workload.with(w -> w.keys = 1000)`.
    public Workload with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.made();
    }

    /// A builder for workloads.
    public static final class Draft {

        public String name;
        public boolean plain;
        public String method;
        private Dialect dialect;
        public String entityPath;
        public String scanPath;
        public Mix mix;
        public KeyPlan keyPlan;
        public KeyText keyText;
        public long keys;
        public double hits;
        public ValueSizes values;
        public int mostScanned;

        private Draft(Workload workload) {
            name = workload.name;
            plain = workload.plain;
            method = workload.method;
            dialect = workload.dialect;
            entityPath = workload.entityPath;
            scanPath = workload.scanPath;
            mix = workload.mix;
            keyPlan = workload.keyPlan;
            keyText = workload.keyText;
            keys = workload.keys;
            hits = workload.hits;
            values = workload.values;
            mostScanned = workload.mostScanned;
        }

        /// Sets the dialect, with its paths.
        public void speak(Dialect other) {
            dialect = other;
            entityPath = other.entityPath();
            scanPath = other.scanPath();
        }

        private Workload made() {
            return new Workload(
                    name,
                    plain,
                    method,
                    dialect,
                    entityPath,
                    scanPath,
                    mix,
                    keyPlan,
                    keyText,
                    keys,
                    hits,
                    values,
                    mostScanned);
        }
    }
}
