package kvant.bench.http;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import kvant.bench.figures.MarkdownTable;
import kvant.bench.figures.Rounds;
import kvant.bench.process.Generator;
import kvant.bench.process.LoadMeasurement;
import kvant.lab.process.ProgramPath;
import kvant.lab.process.Programs;
import kvant.lab.process.Workbench;
import kvant.lab.run.ServedNode;
import kvant.load.dialect.Dialect;
import kvant.load.http.Target;
import kvant.load.keys.ValueSizes;
import kvant.load.plan.Clients;
import kvant.load.plan.LoadPlan;
import kvant.load.run.RunResult;
import kvant.load.workload.Workload;
import kvant.text.UserException;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `kvant bench beside`: a node, by HTTP and by RESP, versus Redis, nginx and etcd on this machine. Every put is synced
/// before it is acknowledged.
///
/// All servers run for the whole benchmark with one event loop each, and Kvant's generator loads them all. A round
/// applies each load to each server, beginning with another one. Figures are ratios within a round, as median, minimum
/// and maximum. The first round is a warm-up and not counted.
@Command(
        name = "beside",
        mixinStandardHelpOptions = true,
        description = "Compare a node with Redis, nginx and etcd by gets and durable puts, interleaved, as ratios.")
public final class BesideBench implements Callable<Integer> {

    private static final String NODE = "kvant";
    private static final String NODE_RESP = "kvant-resp";
    private static final String NGINX = "nginx";

    @Option(names = "--quick", description = "Two minutes: fewer and shorter rounds.")
    private boolean quick;

    @Option(
            names = "--servers",
            split = ",",
            description = "Which of kvant, kvant-resp, redis, nginx, etcd (default: all that are installed).")
    private List<String> servers = List.of(NODE, NODE_RESP, "redis", NGINX, "etcd");

    @Option(
            names = "--variant",
            paramLabel = "NAME=OPTIONS",
            description = "One more node, with these options of 'kvant serve', or of its JVM (-D, -X); by RESP too as"
                    + " NAME-resp.")
    private Map<String, String> variants = new LinkedHashMap<>();

    @Option(
            names = "--loads",
            split = ",",
            description = "get or put, at a rate as put@20000, with as many in flight on a connection as get*16"
                    + " (default: ${DEFAULT-VALUE}).")
    private List<String> loads = List.of("get", "put", "get*16", "put*16", "put@10000", "put@20000");

    @Option(names = "--to", description = "The server that ratios are to (default: redis, or the first one).")
    private String base = "redis";

    @Option(names = "--rounds", description = "Counted rounds (default: 7; 3 with --quick).")
    private int rounds;

    @Option(names = "--seconds", description = "Of each load on each server in a round (default: 4; 1 with --quick).")
    private double seconds;

    @Option(names = "--connections", description = "Connections (default: ${DEFAULT-VALUE}).")
    private int connections = 64;

    @Option(names = "--value-bytes", description = "Bytes of a value (default: ${DEFAULT-VALUE}).")
    private int valueBytes = 100;

    @Option(names = "--keys", description = "Keys, chosen at random (default: ${DEFAULT-VALUE}).")
    private long keys = 100_000;

    /// A kind of load: a closed loop if the rate is 0.
    private record Load(String name, boolean puts, int depth, double rate) {

        static Load parse(String text) {
            String[] parts = text.split("(?=[@*])");
            double rate = 0;
            int depth = 1;
            try {
                for (String part : List.of(parts).subList(1, parts.length)) {
                    if (part.charAt(0) == '@') {
                        rate = Double.parseDouble(part.substring(1));
                    } else {
                        depth = Integer.parseInt(part.substring(1));
                    }
                }
            } catch (NumberFormatException _) {
                depth = 0;
            }
            if (!parts[0].equals("get") && !parts[0].equals("put") || depth < 1 || rate < 0) {
                throw new UserException("'--loads': '" + text + "' is not get or put, with @RATE or *DEPTH");
            }
            return new Load(text, parts[0].equals("put"), depth, rate);
        }
    }

    /// A server with one of its protocols.
    private record Server(String name, ServedNode node, Target target, Dialect dialect, String path) {

        boolean takes(Load load) {
            return switch (dialect) {
                case STATIC -> !load.puts();
                case ETCD -> load.depth() == 1 && load.rate() == 0;
                default -> true;
            };
        }
    }

    /// One load on one server in one round. Times are milliseconds from the due time.
    private record Turn(
            double perSecond, double cpuMicros, double p50, double p99, double p999, double failed, double stolen) {}

    @Override
    public Integer call() throws IOException {
        rounds = rounds > 0 ? rounds : quick ? 3 : 7;
        seconds = seconds > 0 ? seconds : quick ? 1 : 4;
        List<Load> works = loads.stream().map(Load::parse).toList();
        try (Workbench bench = Workbench.open()) {
            List<Server> started = start(bench);
            boolean hasBase = started.stream().anyMatch(s -> s.name().equals(base));
            print(measure(started, works), hasBase ? base : started.getFirst().name());
        }
        return 0;
    }

    // --- Servers ---

    private List<Server> start(Workbench bench) throws IOException {
        List<Server> started = new ArrayList<>();
        if (servers.contains(NODE) || servers.contains(NODE_RESP)) {
            started.addAll(node(bench, NODE, "").stream()
                    .filter(s -> servers.contains(s.name()))
                    .toList());
        }
        for (Map.Entry<String, String> each : variants.entrySet()) {
            started.addAll(node(bench, each.getKey(), each.getValue()));
        }
        Subjects others = new Subjects(bench, valueBytes);
        for (String name : servers) {
            if (name.startsWith(NODE)) {
                continue;
            }
            @Nullable Path program = ProgramPath.find(name.equals("redis") ? "redis-server" : name);
            if (program == null) {
                System.err.println(name + ": not run, it is not installed");
                continue;
            }
            started.add(
                    switch (name) {
                        case "redis" -> server(others.redis(program, true), Dialect.RESP, "");
                        case NGINX -> server(others.fixedAnswer(), Dialect.STATIC, Dialect.STATIC.entityPath());
                        case "etcd" -> server(others.etcd(program), Dialect.ETCD, "");
                        default -> throw new UserException("'--servers': '" + name + "' is not one of them");
                    });
        }
        if (started.isEmpty()) {
            throw new UserException("'--servers': none of them is installed");
        }
        return started;
    }

    private static Server server(Subject subject, Dialect dialect, String path) {
        ServedNode node = subject.server();
        return new Server(subject.name(), node, Target.parse(node.url()), dialect, path);
    }

    private static List<Server> node(Workbench bench, String name, String options) throws IOException {
        int port = Programs.freePort();
        String words = "--durability always --event-loops 1 --resp-port " + port + " " + options;
        List<String> all = List.of(words.strip().split("\\s+"));
        List<String> jvm = all.stream().filter(BesideBench::isOfJvm).toList();
        List<String> ofServe = all.stream().filter(word -> !isOfJvm(word)).toList();
        ServedNode.Start how = ServedNode.Start.of().with(ofServe).withJvm(jvm);
        ServedNode node = ServedNode.start(bench, name, how);
        Target resp = Target.parse(Target.REDIS + "://127.0.0.1:" + port);
        return List.of(
                new Server(name, node, node.target(), Dialect.KVANT, Dialect.KVANT.entityPath()),
                new Server(name + "-resp", node, resp, Dialect.RESP, ""));
    }

    private static boolean isOfJvm(String word) {
        return word.startsWith("-D") || word.startsWith("-X");
    }

    // --- Rounds ---

    private Map<String, Rounds<Turn>> measure(List<Server> started, List<Load> works) throws IOException {
        for (Server server : started) {
            if (server.dialect() != Dialect.STATIC) {
                Generator.fill(plan(server, new Load("fill", true, 1, 0)));
            }
        }
        Map<String, Rounds<Turn>> runs = new LinkedHashMap<>();
        List<Server> order = new ArrayList<>(started);
        for (int round = 0; round <= rounds; round++) {
            System.err.printf("round %d of %d%n", round, rounds);
            for (Load load : works) {
                for (Server server : order) {
                    if (server.takes(load)) {
                        Turn turn = turn(server, load);
                        if (round > 0) {
                            runs.computeIfAbsent(load.name(), _ -> new Rounds<>())
                                    .add(server.name(), turn);
                        }
                    }
                }
            }
            Collections.rotate(order, Math.min(round, 1)); // so that none is always first after another load
        }
        return runs;
    }

    private LoadPlan plan(Server server, Load load) {
        Workload workload = Workload.named(load.puts() ? "put" : "get").with(w -> {
            w.keys = keys;
            w.values = ValueSizes.fixed(valueBytes);
            w.speak(server.dialect());
            w.entityPath = server.path();
        });
        Clients clients = Clients.defaults().withConnections(connections).with(c -> c.depth = load.depth());
        return LoadPlan.of(server.target(), workload, clients, Generator.pace(load.rate(), 0, seconds));
    }

    private Turn turn(Server server, Load load) throws IOException {
        long before = server.node().cpuNanos();
        RunResult result = Generator.run(plan(server, load));
        double cpuMicros = (server.node().cpuNanos() - before) / 1e3 / Math.max(1, result.sentWithWarmup());
        Histogram response = result.totals().response();
        return new Turn(
                result.achievedRate(),
                cpuMicros,
                LoadMeasurement.millis(response, 50),
                LoadMeasurement.millis(response, 99),
                LoadMeasurement.millis(response, 99.9),
                100.0 * result.counts().errors() / Math.max(1, result.counts().due()),
                100 * result.host().stolenShare());
    }

    // --- Tables ---

    private void print(Map<String, Rounds<Turn>> runs, String to) {
        System.out.println(connections + " connections, values of " + valueBytes + " bytes, " + keys + " keys, one"
                + " event loop each, every put synced before it is acknowledged; " + rounds + " rounds of " + seconds
                + " s; ratios to " + to + " of the same round: median (least to most)");
        runs.forEach((load, turns) -> {
            System.out.printf("%n**%s**%n%n", load);
            table(turns, turns.has(to) ? to : turns.names().iterator().next());
        });
    }

    private static void table(Rounds<Turn> turns, String base) {
        MarkdownTable table = new MarkdownTable(
                System.out,
                "server",
                "requests/s",
                "CPU us/request",
                "p50 ms",
                "p99 ms",
                "p99.9 ms",
                "failed, %",
                "stolen, %",
                "throughput, ratio",
                "CPU, ratio",
                "p99, ratio",
                "p99.9, ratio");
        for (String name : turns.names()) {
            table.row(
                    name,
                    turns.cell("%,.0f", name, Turn::perSecond),
                    turns.cell("%.1f", name, Turn::cpuMicros),
                    turns.cell("%.2f", name, Turn::p50),
                    turns.cell("%.2f", name, Turn::p99),
                    turns.cell("%.2f", name, Turn::p999),
                    turns.cell("%.2f", name, Turn::failed),
                    turns.cell("%.1f", name, Turn::stolen),
                    turns.ratio(name, base, Turn::perSecond).text(),
                    turns.ratio(name, base, Turn::cpuMicros).text(),
                    turns.ratio(name, base, Turn::p99).text(),
                    turns.ratio(name, base, Turn::p999).text());
        }
    }
}
