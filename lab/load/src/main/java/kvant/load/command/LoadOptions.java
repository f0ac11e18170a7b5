package kvant.load.command;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import kvant.load.dialect.Dialect;
import kvant.load.http.Target;
import kvant.load.keys.KeyPlan;
import kvant.load.keys.ValueSizes;
import kvant.load.net.Sockets;
import kvant.load.net.Trust;
import kvant.load.plan.Arrivals;
import kvant.load.plan.Clients;
import kvant.load.plan.LoadPlan;
import kvant.load.plan.Pace;
import kvant.load.plan.Warmup;
import kvant.load.workload.Mix;
import kvant.load.workload.Workload;
import kvant.load.workload.WorkloadFile;
import kvant.text.Check;
import kvant.text.Units;
import kvant.text.command.Authorities;
import kvant.text.command.PresentedToken;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Options of `kvant load` for the requests, the connections and the time; short names as in wrk2.
final class LoadOptions {

    /// Options that change one part of a plan: names, parameter, description.
    private static final String TABLE = """
            --url | URL | The server, as an option.
            -c,--connections | N | Connections, over all threads (default: 64).
            -t,--threads | N | Event loops of the generator (default: 1).
            -d,--duration | T | Measured time, such as 30s, 2m, 1h (default: 10s).
            -R,--rate | N | Requests per second over all connections, such as 20k (default: closed loop).
            --arrivals | LAW | Gaps between requests: uniform (the default) or poisson.
            --depth | N | Requests in flight on a connection (default: 1).
            --warmup | auto|T | Warm-up, not measured: auto (until stable; the default), or a time, 0s for none.
            --timeout | T | Time limit of a request (default: 10s).
            --drain | T | Extra time at the end for requests that were due in time (default: 1s).
            --window | T | Length of a window (default: 1s).
            --body | TEXT | Body of the plain request, see --method.
            --seed | N | Seed of keys, values and gaps (default: 1).
            --spin | T | Busy-wait if the next request is due sooner than this (default: 0s).
            --key-start | N | Number of the first new key (default: after --keys).
            --workload | W | put (new keys), get, delete, mixed (half gets, half updates), scan, a to f (YCSB), or a \
            file.
            --method | M | Method of the plain request (default: GET).
            --keys | N | Number of keys (default: 1M).
            --key-dist | D | Distribution of keys: sequential, uniform, zipfian[=THETA], latest, \
            hot=SHARE:PROBABILITY.
            --value-size | S | Bytes of a value: 100, 10-1KiB (uniform), or 64:0.9,4KiB:0.1 (default: 100).
            --hits | SHARE | Share of gets whose key exists (default: 1).
            --read-share | SHARE | Share of gets in 'mixed' (default: 0.5).
            --scan-length | N | A scan asks for 1 to N records (default: 100).
            --path | P | Path of a key (default: /v0/entity?id={key}).
            --dialect | D | Protocol of the server: kvant, static (a path for each key), webdis, etcd (its JSON \
            gateway), or resp (Redis; the default for redis://HOST:PORT).
            """;

    @Parameters(arity = "0..1", paramLabel = "URL", description = "The server, such as http://127.0.0.1:8080.")
    private @Nullable String positionalUrl;

    @Option(
            names = {"-H", "--header"},
            paramLabel = "'N: V'",
            description = "A header for every request; repeatable.")
    private List<String> headers = new ArrayList<>();

    @Option(
            names = "--token-file",
            converter = PresentedToken.Converter.class,
            paramLabel = "FILE",
            description = "Present the token in this file with every request.")
    private @Nullable PresentedToken token;

    @Option(
            names = "--cacert",
            converter = Authorities.class,
            paramLabel = "FILE",
            description = "Trust only certificates signed by these (PEM), for https://.")
    private @Nullable SSLContext authorities;

    @Option(names = "--insecure", description = "Accept any certificate, for https://.")
    private boolean insecure;

    @Option(names = "--verify", description = "Verify the bodies of gets against the bodies put.")
    private boolean verify;

    @Option(
            names = "--realtime",
            description = "Run the senders at real-time priority (SCHED_FIFO; Linux, CAP_SYS_NICE).")
    private boolean realtime;

    @Option(names = "--transport", paramLabel = "T", description = "Sockets: auto, epoll or nio (default: auto).")
    private Sockets.Kind transport = Sockets.Kind.AUTO;

    @Option(
            names = "--prefill",
            arity = "0..1",
            paramLabel = "N",
            fallbackValue = "",
            description = "First put N keys (default: all of --keys), with retries until acknowledged.")
    private @Nullable String prefill;

    @Option(
            names = {"-s", "--script"},
            paramLabel = "FILE",
            hidden = true)
    private @Nullable String script;

    /// Given options of the table by their first name.
    private final Map<String, String> given = new LinkedHashMap<>();

    private static Stream<String[]> rows() {
        return TABLE.lines().map(line -> line.split(" \\| "));
    }

    private static String[] names(String[] row) {
        return row[0].split(",");
    }

    /// Adds the options of the table to a command, before its other options.
    static final class Table implements IModelTransformer {

        @Override
        public CommandSpec transform(CommandSpec command) {
            List<OptionSpec> others = List.copyOf(command.options());
            others.forEach(command::remove);
            rows().forEach(row -> command.addOption(OptionSpec.builder(names(row))
                    .type(String.class)
                    .arity("1")
                    .paramLabel(row[1])
                    .description(row[2])
                    .build()));
            others.forEach(command::addOption);
            return command;
        }
    }

    /// Takes the values from a parsed command line.
    void take(CommandSpec command) {
        rows().map(row -> names(row)[0]).forEach(name -> {
            @Nullable String text = command.findOption(name).getValue();
            if (text != null) {
                given.put(name, text);
            }
        });
        if (prefill != null && prefill.contains("://")) { // `--prefill URL`, without a number
            positionalUrl = prefill;
            prefill = "";
        }
    }

    /// Applies each given option of the table. A wrong value is reported with the name of its option.
    private void each(BiConsumer<String, String> change) {
        given.forEach((option, text) -> {
            try {
                change.accept(option, text);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(option + ": " + e.getMessage(), e);
            }
        });
    }

    private Target target() {
        String named = given.get("--url");
        Check.that((named == null) != (positionalUrl == null), "one URL is needed, such as http://127.0.0.1:8080");
        return Target.parse(named == null ? String.valueOf(positionalUrl) : named);
    }

    // --- the prefill -----------------------------------------------------------------------------------------------

    boolean prefills() {
        return prefill != null;
    }

    long prefillKeys(LoadPlan plan) {
        return prefill == null || prefill.isEmpty() ? plan.workload().keys() : prefillNumber(prefill);
    }

    private static long prefillNumber(String text) {
        try {
            return Units.count(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'--prefill': " + e.getMessage(), e);
        }
    }

    // --- the workload ----------------------------------------------------------------------------------------------

    private Workload workload(Target target) {
        String name = given.get("--workload");
        if (name == null) {
            return plain(target);
        }
        if (given.containsKey("--method")) {
            throw new IllegalArgumentException("'--method' is for a URL without '--workload'");
        }
        Path file = Path.of(name);
        boolean known = Workload.NAMES.contains(name.toLowerCase(Locale.ROOT));
        Workload base = !known && Files.isRegularFile(file) ? WorkloadFile.read(file) : Workload.named(name);
        Dialect spoken = Dialect.of(given.get("--dialect"), target.url());
        return base.with(w -> {
            if (given.containsKey("--dialect") || spoken != Dialect.KVANT) {
                w.speak(spoken); // otherwise a workload file decides
            }
            if (prefill != null && !prefill.isEmpty()) {
                w.keys = prefillNumber(prefill);
            }
            each((option, text) -> change(w, option, text));
        });
    }

    private static void change(Workload.Draft workload, String option, String text) {
        switch (option) {
            case "--keys" -> workload.keys = Units.count(text);
            case "--key-dist" -> {
                workload.keyPlan = KeyPlan.parse(text);
                // A put of new keys becomes an update of existing ones if a key distribution is given.
                workload.mix = workload.name.equals("put") ? Mix.of(mix -> mix.update = 1) : workload.mix;
            }
            case "--value-size" -> workload.values = ValueSizes.parse(text);
            case "--hits" -> workload.hits = share(text);
            case "--read-share" -> {
                if (!workload.name.equals("mixed")) {
                    throw new IllegalArgumentException("a share of gets needs '--workload mixed'");
                }
                workload.mix = Mix.gets(share(text), mix -> mix.update = 1 - mix.get);
            }
            case "--scan-length" -> workload.mostScanned = whole(text);
            case "--path" -> workload.entityPath = text;
            default -> {}
        }
    }

    private Workload plain(Target target) {
        Check.that(!target.isRedis(), "'" + target.url() + "' needs '--workload'");
        boolean hasKeys = Stream.of("--keys", "--key-dist", "--value-size", "--hits", "--path", "--dialect")
                .anyMatch(given::containsKey);
        Check.that(!hasKeys && !prefills(), "options about keys, values and dialects need '--workload'");
        String method = given.getOrDefault("--method", "GET");
        Check.that(method.matches("[A-Z]{1,20}"), "'--method " + method + "' is not a method such as GET or POST");
        return Workload.plain(method).with(plain -> plain.name = target.hasPath() ? "URL" : "URL /");
    }

    private static double share(String text) {
        try {
            double share = Double.parseDouble(text);
            if (share >= 0 && share <= 1) {
                return share;
            }
        } catch (NumberFormatException _) {
            // Reported below.
        }
        throw new IllegalArgumentException("'" + text + "' is not a share from 0 to 1");
    }

    private static int whole(String text) {
        return Math.clamp(Units.count(text), Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    // --- the plan --------------------------------------------------------------------------------------------------

    /// @param rateIsOptional whether the rate will be searched for
    /// @throws IllegalArgumentException with a readable one-line reason
    LoadPlan plan(boolean rateIsOptional) {
        Target target = target();
        Workload workload = workload(target);
        if (script != null) {
            throw new IllegalArgumentException(
                    "there are no scripts here: -s of wrk becomes --workload NAME or FILE, see docs/load.md");
        }
        boolean hasRate = given.containsKey("-R");
        Check.that(
                hasRate || rateIsOptional || !(realtime || given.containsKey("--arrivals")),
                (realtime ? "'--realtime'" : "'--arrivals'") + " needs a rate, -R");
        Check.that(
                !verify || !workload.plain(), "'--verify' needs '--workload': it compares values that this tool put");
        Clients clients = Clients.defaults().with(c -> {
            c.realtime = realtime;
            c.transport = transport;
            each((option, text) -> change(c, option, text));
        });
        Pace pace = Pace.closed(Units.duration("10s")).with(p -> {
            p.warmup = Warmup.untilStable();
            each((option, text) -> change(p, option, text));
            p.law = hasRate ? p.law : Arrivals.Law.CLOSED;
        });
        LoadPlan plan = LoadPlan.of(target, workload, clients, pace).with(p -> {
            p.trust = trust(target);
            p.headers = headers();
            p.verify = verify;
            each((option, text) -> change(p, option, text));
        });
        if (prefills() && !given.containsKey("--key-start")) { // new keys follow the prefilled ones
            return plan.with(p -> p.firstInsert = Math.max(p.workload.keys(), prefillKeys(plan)));
        }
        return plan;
    }

    private static void change(Clients.Draft clients, String option, String text) {
        switch (option) {
            case "-c" -> clients.connections = whole(text);
            case "-t" -> clients.threads = whole(text);
            case "--depth" -> clients.depth = whole(text);
            case "--timeout" -> clients.timeout = Units.duration(text);
            case "--spin" -> clients.spin = Units.duration(text);
            default -> {}
        }
    }

    private static void change(Pace.Draft pace, String option, String text) {
        switch (option) {
            case "-d" -> pace.duration = Units.duration(text);
            case "-R" -> {
                pace.rate = Units.rate(text);
                pace.law = Arrivals.Law.UNIFORM;
            }
            case "--arrivals" ->
                pace.law = switch (text) {
                    case "uniform" -> Arrivals.Law.UNIFORM;
                    case "poisson" -> Arrivals.Law.POISSON;
                    default -> throw new IllegalArgumentException("'" + text + "' is not uniform or poisson");
                };
            case "--warmup" ->
                pace.warmup = text.equals("auto") ? Warmup.untilStable() : Warmup.fixed(Units.duration(text));
            case "--drain" -> pace.drain = Units.duration(text);
            case "--window" -> pace.window = Units.duration(text);
            default -> {}
        }
    }

    private static void change(LoadPlan.Draft plan, String option, String text) {
        switch (option) {
            case "--body" -> plan.body = text.getBytes(StandardCharsets.UTF_8);
            case "--seed" -> plan.seed = Units.count(text);
            case "--key-start" -> plan.firstInsert = Units.count(text);
            default -> {}
        }
    }

    private Trust trust(Target target) {
        if (!target.isSecure() && (insecure || authorities != null)) {
            throw new IllegalArgumentException("'--cacert' and '--insecure' are for https://, not for " + target.url());
        }
        if (insecure && authorities != null) {
            throw new IllegalArgumentException("'--insecure' accepts any certificate: leave '--cacert' out");
        }
        return insecure ? Trust.blind() : authorities == null ? Trust.usual() : Trust.in(authorities);
    }

    private List<String> headers() {
        List<String> all = new ArrayList<>(headers);
        if (token != null) {
            all.add("Authorization: " + token.authorization());
        }
        return all;
    }
}
