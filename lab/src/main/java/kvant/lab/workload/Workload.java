package kvant.lab.workload;

import java.util.List;
import java.util.Locale;
import kvant.lab.keys.KeyPlan;
import kvant.lab.keys.KeyText;
import kvant.lab.keys.ValueSizes;
import kvant.lab.keys.Zipfian;

/// What is asked of a server.
///
/// @param plain the same request every time, and nothing of keys and values
/// @param method of the plain request
/// @param entityPath path of one key, with `{key}`
/// @param scanPath path of a range, with `{key}` and then `{limit}`
/// @param keys how many keys exist, numbered from 0
/// @param hits share of the gets that ask for an existing key
/// @param mostScanned a scan asks for 1 to so many records, uniformly
public record Workload(
        String name,
        boolean plain,
        String method,
        String entityPath,
        String scanPath,
        Mix mix,
        KeyPlan keyPlan,
        KeyText keyText,
        long keys,
        double hits,
        ValueSizes values,
        int mostScanned) {

    public static final String ENTITY_PATH = "/v0/entity?id={key}";
    public static final String SCAN_PATH = "/v0/entities?start={key}&limit={limit}";

    /// The names that [#named] knows.
    public static final List<String> NAMES =
            List.of("put", "get", "delete", "mixed", "scan", "a", "b", "c", "d", "e", "f");

    private static final long DEFAULT_KEYS = 1_000_000;
    private static final int DEFAULT_VALUE_BYTES = 100;
    private static final int YCSB_SCAN = 100;
    private static final int MOST_SCAN = 1_000_000;

    public Workload {
        if (!plain) {
            checkPath("entity", entityPath);
            checkPath("scan", scanPath);
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

    private static void checkPath(String what, String path) {
        boolean bare = path.startsWith("/") && path.chars().allMatch(c -> c > ' ' && c < 127);
        if (!bare || !path.contains("{key}")) {
            throw new IllegalArgumentException("the " + what + " path '" + path + "' must begin with / and have {key}");
        }
        if (what.equals("scan") && path.indexOf("{limit}") < path.indexOf("{key}")) {
            throw new IllegalArgumentException("the scan path '" + path + "' must have {key} and then {limit}");
        }
    }

    /// GET of the URL as it is, as wrk does.
    public static Workload plain(String method) {
        return of("plain", true, Mix.ofGets(), new KeyPlan.Uniform()).withMethod(method);
    }

    private static Workload of(String name, boolean plain, Mix mix, KeyPlan plan) {
        return new Workload(
                name,
                plain,
                "GET",
                ENTITY_PATH,
                SCAN_PATH,
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
    /// @throws IllegalArgumentException with a line for a person
    public static Workload named(String name) {
        KeyPlan uniform = new KeyPlan.Uniform();
        KeyPlan zipfian = new KeyPlan.Scrambled(Zipfian.YCSB_THETA);
        String lower = name.toLowerCase(Locale.ROOT);
        String key = lower.startsWith("ycsb-") ? lower.substring("ycsb-".length()) : lower;
        return switch (key) {
            case "put" -> of(key, false, new Mix(0, 0, 1, 0, 0, 0), uniform);
            case "get" -> of(key, false, Mix.ofGets(), uniform);
            case "delete" -> of(key, false, new Mix(0, 0, 0, 1, 0, 0), new KeyPlan.Sequential());
            case "mixed" -> of(key, false, new Mix(0.5, 0.5, 0, 0, 0, 0), uniform);
            case "scan" -> of(key, false, new Mix(0, 0, 0, 0, 1, 0), uniform);
            case "a" -> of("ycsb-a", false, new Mix(0.5, 0.5, 0, 0, 0, 0), zipfian);
            case "b" -> of("ycsb-b", false, new Mix(0.95, 0.05, 0, 0, 0, 0), zipfian);
            case "c" -> of("ycsb-c", false, Mix.ofGets(), zipfian);
            case "d" -> of("ycsb-d", false, new Mix(0.95, 0, 0.05, 0, 0, 0), new KeyPlan.Latest());
            case "e" -> of("ycsb-e", false, new Mix(0, 0, 0.05, 0, 0.95, 0), zipfian);
            case "f" -> of("ycsb-f", false, new Mix(0.5, 0, 0, 0, 0, 0.5), zipfian);
            default ->
                throw new IllegalArgumentException(
                        "'" + name + "' is not a workload: " + String.join(", ", NAMES) + ", or a file that exists");
        };
    }

    /// The longest body of a request.
    public int mostBodyBytes() {
        return mix.writes() ? values.most() : 0;
    }

    public Workload withName(String other) {
        return new Workload(
                other, plain, method, entityPath, scanPath, mix, keyPlan, keyText, keys, hits, values, mostScanned);
    }

    public Workload withMethod(String other) {
        return new Workload(
                name, plain, other, entityPath, scanPath, mix, keyPlan, keyText, keys, hits, values, mostScanned);
    }

    public Workload withPaths(String entity, String scan) {
        return new Workload(name, plain, method, entity, scan, mix, keyPlan, keyText, keys, hits, values, mostScanned);
    }

    public Workload withMix(Mix other) {
        return new Workload(
                name, plain, method, entityPath, scanPath, other, keyPlan, keyText, keys, hits, values, mostScanned);
    }

    public Workload withKeyPlan(KeyPlan other) {
        return new Workload(
                name, plain, method, entityPath, scanPath, mix, other, keyText, keys, hits, values, mostScanned);
    }

    public Workload withKeyText(KeyText other) {
        return new Workload(
                name, plain, method, entityPath, scanPath, mix, keyPlan, other, keys, hits, values, mostScanned);
    }

    public Workload withKeys(long other) {
        return new Workload(
                name, plain, method, entityPath, scanPath, mix, keyPlan, keyText, other, hits, values, mostScanned);
    }

    public Workload withHits(double other) {
        return new Workload(
                name, plain, method, entityPath, scanPath, mix, keyPlan, keyText, keys, other, values, mostScanned);
    }

    public Workload withValues(ValueSizes other) {
        return new Workload(
                name, plain, method, entityPath, scanPath, mix, keyPlan, keyText, keys, hits, other, mostScanned);
    }

    public Workload withMostScanned(int other) {
        return new Workload(
                name, plain, method, entityPath, scanPath, mix, keyPlan, keyText, keys, hits, values, other);
    }
}
