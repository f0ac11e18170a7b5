package kvant.load.command;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import kvant.load.http.Target;
import kvant.load.net.Sockets;
import kvant.load.net.Trust;
import kvant.load.plan.Clients;
import kvant.load.plan.LoadPlan;
import kvant.load.plan.Pace;
import kvant.load.plan.Warmup;
import kvant.load.schedule.Arrivals;
import kvant.load.workload.Workload;
import kvant.text.Units;
import kvant.text.command.Authorities;
import kvant.text.command.PresentedToken;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Options of `kvant load` for connections and time; short names as in wrk2.
final class TrafficOptions {

    @Parameters(arity = "0..1", paramLabel = "URL", description = "The server, such as http://127.0.0.1:8080.")
    private @Nullable String positionalUrl;

    @Option(names = "--url", paramLabel = "URL", description = "The server, as an option.")
    private @Nullable String url;

    @Option(
            names = {"-c", "--connections"},
            paramLabel = "N",
            description = "Connections, over all threads (default: 64).")
    private String connections = "64";

    @Option(
            names = {"-t", "--threads"},
            paramLabel = "N",
            description = "Event loops of the generator (default: 1).")
    private String threads = "1";

    @Option(
            names = {"-d", "--duration"},
            paramLabel = "T",
            description = "Measured time, such as 30s, 2m, 1h (default: 10s).")
    private String duration = "10s";

    @Option(
            names = {"-R", "--rate"},
            paramLabel = "N",
            description = "Requests per second over all connections, such as 20k (default: closed loop).")
    private @Nullable String rate;

    @Option(
            names = "--arrivals",
            paramLabel = "LAW",
            description = "Gaps between requests: uniform (the default) or poisson.")
    private @Nullable String arrivals;

    @Option(names = "--depth", paramLabel = "N", description = "Requests in flight on a connection (default: 1).")
    private String depth = "1";

    @Option(
            names = "--warmup",
            paramLabel = "auto|T",
            description = "Warm-up, not measured: auto (until stable; the default), or a time, 0s for none.")
    private String warmup = "auto";

    @Option(names = "--timeout", paramLabel = "T", description = "Time limit of a request (default: 10s).")
    private String timeout = "10s";

    @Option(
            names = "--drain",
            paramLabel = "T",
            description = "Extra time at the end for requests that were due in time (default: 1s).")
    private String drain = "1s";

    @Option(names = "--window", paramLabel = "T", description = "Length of a window (default: 1s).")
    private String window = "1s";

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

    @Option(names = "--body", paramLabel = "TEXT", description = "Body of the plain request, see --method.")
    private String body = "";

    @Option(names = "--seed", paramLabel = "N", description = "Seed of keys, values and gaps (default: 1).")
    private String seed = "1";

    @Option(names = "--verify", description = "Verify the bodies of gets against the bodies put.")
    private boolean verify;

    @Option(
            names = "--spin",
            paramLabel = "T",
            description = "Busy-wait if the next request is due sooner than this (default: 0s).")
    private String spin = "0us";

    @Option(
            names = "--realtime",
            description = "Run the senders at real-time priority (SCHED_FIFO; Linux, CAP_SYS_NICE).")
    private boolean realtime;

    @Option(names = "--transport", paramLabel = "T", description = "Sockets: auto, epoll or nio (default: auto).")
    private Sockets.Kind transport = Sockets.Kind.AUTO;

    @Option(
            names = "--key-start",
            paramLabel = "N",
            description = "Number of the first new key (default: after --keys).")
    private @Nullable String keyStart;

    @Option(
            names = {"-s", "--script"},
            paramLabel = "FILE",
            hidden = true)
    private @Nullable String script;

    /// Takes a URL that was parsed as the optional value of an option.
    void positional(@Nullable String found) {
        positionalUrl = found == null ? positionalUrl : found;
    }

    Target target() {
        if ((url == null) == (positionalUrl == null)) {
            throw new IllegalArgumentException("one URL is needed, such as http://127.0.0.1:8080");
        }
        return Target.parse(url == null ? String.valueOf(positionalUrl) : url);
    }

    boolean hasKeyStart() {
        return keyStart != null;
    }

    /// @param rateIsOptional whether the rate will be searched for
    LoadPlan plan(Workload workload, boolean rateIsOptional) {
        if (script != null) {
            throw new IllegalArgumentException(
                    "there are no scripts here: -s of wrk becomes --workload NAME or FILE, see docs/load.md");
        }
        if (realtime && rate == null && !rateIsOptional) {
            throw new IllegalArgumentException("'--realtime' needs a rate, -R");
        }
        Clients clients = Clients.defaults()
                .withConnections(whole("-c", connections))
                .with(c -> {
                    c.threads = whole("-t", threads);
                    c.depth = whole("--depth", depth);
                    c.timeout = time("--timeout", timeout);
                    c.spin = time("--spin", spin);
                    c.realtime = realtime;
                    c.transport = transport;
                });
        if (verify && workload.plain()) {
            throw new IllegalArgumentException("'--verify' needs '--workload': it compares values that this tool put");
        }
        Target target = target();
        LoadPlan plan = LoadPlan.of(target, workload, clients, pace(rateIsOptional))
                .with(p -> {
                    p.trust = trust(target);
                    p.headers = headers();
                    p.body = body.getBytes(StandardCharsets.UTF_8);
                    p.seed = number("--seed", seed);
                    p.verify = verify;
                });
        String first = keyStart;
        return first == null ? plan : plan.with(p -> p.firstInsert = number("--key-start", first));
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

    private Pace pace(boolean rateIsOptional) {
        Duration length = time("-d", duration);
        Pace pace = rate == null ? Pace.closed(length) : Pace.open(read("-R", rate, Units::rate), length);
        String wanted = arrivals;
        if (wanted != null) {
            if (rate == null && !rateIsOptional) {
                throw new IllegalArgumentException("'--arrivals' needs a rate, -R");
            }
            pace = rate == null ? pace : pace.with(p -> p.law = law(wanted));
        }
        return pace.with(p -> {
            p.warmup = warmup();
            p.drain = time("--drain", drain);
            p.window = time("--window", window);
        });
    }

    static Arrivals.Law law(String name) {
        return switch (name) {
            case "uniform" -> Arrivals.Law.UNIFORM;
            case "poisson" -> Arrivals.Law.POISSON;
            default -> throw new IllegalArgumentException("'--arrivals " + name + "' is not uniform or poisson");
        };
    }

    private Warmup warmup() {
        return warmup.equals("auto") ? Warmup.untilStable() : Warmup.fixed(time("--warmup", warmup));
    }

    static Duration time(String option, String text) {
        return read(option, text, Units::duration);
    }

    static long number(String option, String text) {
        return read(option, text, Units::count);
    }

    private static <T> T read(String option, String text, Function<String, T> reader) {
        try {
            return reader.apply(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(option + ": " + e.getMessage(), e);
        }
    }

    private static int whole(String option, String text) {
        return Math.clamp(number(option, text), Integer.MIN_VALUE, Integer.MAX_VALUE);
    }
}
