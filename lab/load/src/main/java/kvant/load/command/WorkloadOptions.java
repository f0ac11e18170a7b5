package kvant.load.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import kvant.load.dialect.Dialect;
import kvant.load.http.Target;
import kvant.load.keys.KeyPlan;
import kvant.load.keys.ValueSizes;
import kvant.load.plan.LoadPlan;
import kvant.load.workload.Mix;
import kvant.load.workload.Workload;
import kvant.load.workload.WorkloadFile;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Options of `kvant load` for the workload.
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

    @Option(names = "--keys", paramLabel = "N", description = "Number of keys (default: 1M).")
    private @Nullable String keys;

    @Option(
            names = "--key-dist",
            paramLabel = "D",
            description = "Distribution of keys: sequential, uniform, zipfian[=THETA], latest, hot=SHARE:PROBABILITY.")
    private @Nullable String keyPlan;

    @Option(
            names = "--value-size",
            paramLabel = "S",
            description = "Bytes of a value: 100, 10-1KiB (uniform), or 64:0.9,4KiB:0.1 (default: 100).")
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
            names = "--dialect",
            paramLabel = "D",
            description = "Protocol of the server: kvant, static (a path for each key), webdis, etcd (its"
                    + " JSON gateway), or resp (Redis; the default for redis://HOST:PORT).")
    private @Nullable String dialect;

    @Option(
            names = "--prefill",
            arity = "0..1",
            paramLabel = "N",
            fallbackValue = "",
            description = "First put N keys (default: all of --keys), with retries until acknowledged.")
    private @Nullable String prefill;

    /// The URL of `--prefill URL`, where the number was omitted and the URL was taken for the option's value.
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

    /// The number of keys once they are filled; new keys are numbered from here.
    long lastKey(LoadPlan plan) {
        return Math.max(plan.workload().keys(), prefills() ? prefillKeys(plan) : 0);
    }

    long prefillKeys(LoadPlan plan) {
        return prefill == null || prefill.isEmpty() ? plan.workload().keys() : Long.parseLong(prefill);
    }

    /// @throws IllegalArgumentException with a readable one-line reason
    Workload workload(Target target) {
        if (name == null) {
            return plain(target);
        }
        Workload workload = base();
        if (method != null) {
            throw new IllegalArgumentException("'--method' is for a URL without '--workload'");
        }
        if (prefill != null && !prefill.isEmpty()) {
            prefill = Long.toString(TrafficOptions.number("--prefill", prefill));
        }
        Dialect spoken = Dialect.of(dialect, target.url());
        return workload.with(w -> {
            if (dialect != null || spoken != Dialect.KVANT) {
                w.speak(spoken); // otherwise a workload file decides
            }
            change(w);
        });
    }

    private void change(Workload.Draft workload) {
        if (keys != null) {
            workload.keys = TrafficOptions.number("--keys", keys);
        } else if (prefill != null && !prefill.isEmpty()) {
            workload.keys = Long.parseLong(prefill);
        }
        if (keyPlan != null) {
            workload.keyPlan = KeyPlan.parse(keyPlan);
            // A put of new keys becomes an update of existing ones if a key distribution is given.
            workload.mix = workload.name.equals("put") ? Mix.of(mix -> mix.update = 1) : workload.mix;
        }
        if (values != null) {
            workload.values = ValueSizes.parse(values);
        }
        if (hits != null) {
            workload.hits = share("--hits", hits);
        }
        if (readShare != null) {
            workload.mix = readsAndUpdates(workload, share("--read-share", readShare));
        }
        if (scanLength != null) {
            workload.mostScanned =
                    (int) Math.min(Integer.MAX_VALUE, TrafficOptions.number("--scan-length", scanLength));
        }
        if (path != null) {
            workload.entityPath = path;
        }
    }

    private Workload plain(Target target) {
        if (target.isRedis()) {
            throw new IllegalArgumentException("'" + target.url() + "' needs '--workload'");
        }
        if (keys != null
                || keyPlan != null
                || values != null
                || hits != null
                || prefill != null
                || path != null
                || dialect != null) {
            throw new IllegalArgumentException("options about keys, values and dialects need '--workload'");
        }
        if (method != null && !method.matches("[A-Z]{1,20}")) {
            throw new IllegalArgumentException("'--method " + method + "' is not a method such as GET or POST");
        }
        return Workload.plain(method == null ? "GET" : method)
                .with(plain -> plain.name = target.hasPath() ? "URL" : "URL /");
    }

    private Workload base() {
        String given = String.valueOf(name);
        Path file = Path.of(given);
        boolean known = Workload.NAMES.contains(given.toLowerCase(Locale.ROOT));
        return !known && Files.isRegularFile(file) ? WorkloadFile.read(file) : Workload.named(given);
    }

    private static Mix readsAndUpdates(Workload.Draft workload, double reads) {
        if (!workload.name.equals("mixed")) {
            throw new IllegalArgumentException("'--read-share' needs '--workload mixed'");
        }
        return Mix.gets(reads, mix -> mix.update = 1 - reads);
    }

    private static double share(String option, String text) {
        try {
            double share = Double.parseDouble(text);
            if (share >= 0 && share <= 1) {
                return share;
            }
        } catch (NumberFormatException _) {
            // Reported below.
        }
        throw new IllegalArgumentException(option + ": '" + text + "' is not a share from 0 to 1");
    }
}
