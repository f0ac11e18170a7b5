package kvant.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import kvant.lab.keys.KeyPlan;
import kvant.lab.keys.ValueSizes;
import kvant.lab.load.LoadPlan;
import kvant.lab.workload.Mix;
import kvant.lab.workload.Workload;
import kvant.lab.workload.WorkloadFile;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Options of `kvant load` about what is asked of the server.
final class WorkloadOptions {

    @Option(
            names = "--workload",
            paramLabel = "W",
            description = {
                "put (new keys), get, delete, mixed (half gets, half updates), scan, a to f (YCSB), or a file."
            })
    private @Nullable String name;

    @Option(names = "--method", paramLabel = "M", description = "Method of the plain request (default: GET).")
    private @Nullable String method;

    @Option(names = "--keys", paramLabel = "N", description = "How many keys exist (default: 1M).")
    private @Nullable String keys;

    @Option(
            names = "--key-dist",
            paramLabel = "D",
            description = "Which of them: sequential, uniform, zipfian[=THETA], latest, hot=SHARE:PROBABILITY.")
    private @Nullable String keyPlan;

    @Option(
            names = "--value-size",
            paramLabel = "S",
            description = "Bytes of a value: 100, 10-1k (uniform), or 64:0.9,4k:0.1 (default: 100).")
    private @Nullable String values;

    @Option(names = "--hits", paramLabel = "SHARE", description = "Share of gets whose key exists (default: 1).")
    private @Nullable String hits;

    @Option(names = "--read-share", paramLabel = "SHARE", description = "Share of gets in 'mixed' (default: 0.5).")
    private @Nullable String readShare;

    @Option(names = "--scan-length", paramLabel = "N", description = "A scan asks for 1 to N records (default: 100).")
    private @Nullable String scanLength;

    @Option(names = "--path", paramLabel = "P", description = "Path of a key (default: /v0/entity?id={key}).")
    private @Nullable String path;

    @Option(
            names = "--prefill",
            arity = "0..1",
            paramLabel = "N",
            fallbackValue = "",
            description = "First put N keys (default: all of --keys), each until it is acknowledged.")
    private @Nullable String prefill;

    /// `--prefill URL`: the number was left out, and the word after the option is the URL.
    @Nullable
    String urlAfterPrefill() {
        if (prefill == null || !prefill.contains("://")) {
            return null;
        }
        String url = prefill;
        prefill = "";
        return url;
    }

    boolean prefills() {
        return prefill != null;
    }

    long prefillKeys(LoadPlan plan) {
        return prefill == null || prefill.isEmpty() ? plan.workload().keys() : Long.parseLong(prefill);
    }

    /// @throws IllegalArgumentException with a line for a person
    Workload workload(boolean urlHasPath) {
        if (name == null) {
            return plain(urlHasPath);
        }
        Workload workload = base();
        if (method != null) {
            throw new IllegalArgumentException("'--method' is for a URL without '--workload'");
        }
        if (prefill != null && !prefill.isEmpty()) {
            prefill = Long.toString(TrafficOptions.number("--prefill", prefill));
            workload = keys == null ? workload.withKeys(Long.parseLong(prefill)) : workload;
        }
        workload = keys == null ? workload : workload.withKeys(TrafficOptions.number("--keys", keys));
        workload = keyPlan == null ? workload : withPlan(workload, KeyPlan.parse(keyPlan));
        workload = values == null ? workload : workload.withValues(ValueSizes.parse(values));
        workload = hits == null ? workload : workload.withHits(share("--hits", hits));
        workload = readShare == null ? workload : withReadShare(workload, share("--read-share", readShare));
        workload = scanLength == null
                ? workload
                : workload.withMostScanned(
                        (int) Math.min(Integer.MAX_VALUE, TrafficOptions.number("--scan-length", scanLength)));
        return path == null ? workload : workload.withPaths(path, workload.scanPath());
    }

    private Workload plain(boolean urlHasPath) {
        if (keys != null || keyPlan != null || values != null || hits != null || prefill != null || path != null) {
            throw new IllegalArgumentException("options about keys and values need '--workload'");
        }
        if (method != null && !method.matches("[A-Z]{1,20}")) {
            throw new IllegalArgumentException("'--method " + method + "' is not a method such as GET or POST");
        }
        return Workload.plain(method == null ? "GET" : method).withName(urlHasPath ? "URL" : "URL /");
    }

    private Workload base() {
        String given = String.valueOf(name);
        Path file = Path.of(given);
        boolean known = Workload.NAMES.contains(given.toLowerCase(java.util.Locale.ROOT));
        return !known && Files.isRegularFile(file) ? WorkloadFile.read(file) : Workload.named(given);
    }

    /// A put of new keys becomes a put of existing ones when somebody says which.
    private static Workload withPlan(Workload workload, KeyPlan plan) {
        Workload planned = workload.withKeyPlan(plan);
        return workload.name().equals("put") ? planned.withMix(new Mix(0, 1, 0, 0, 0, 0)) : planned;
    }

    private static Workload withReadShare(Workload workload, double share) {
        if (!workload.name().equals("mixed")) {
            throw new IllegalArgumentException("'--read-share' needs '--workload mixed'");
        }
        return workload.withMix(new Mix(share, 1 - share, 0, 0, 0, 0));
    }

    private static double share(String option, String text) {
        try {
            double share = Double.parseDouble(text);
            if (share >= 0 && share <= 1) {
                return share;
            }
        } catch (NumberFormatException _) {
            // said below
        }
        throw new IllegalArgumentException(option + ": '" + text + "' is not a share from 0 to 1");
    }
}
