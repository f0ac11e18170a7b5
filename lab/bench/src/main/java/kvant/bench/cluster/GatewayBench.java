package kvant.bench.cluster;

import com.datastax.oss.driver.api.core.CqlSession;
import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import kvant.bench.figures.MarkdownTable;
import kvant.bench.figures.Origin;
import kvant.bench.figures.Rounds;
import kvant.bench.process.Generator;
import kvant.bench.process.KvantProgram;
import kvant.bench.process.LoadMeasurement;
import kvant.bench.process.Node;
import kvant.bench.process.Workbench;
import kvant.cluster.Cluster;
import kvant.cluster.ClusterException;
import kvant.lab.process.ProcessSampler;
import kvant.load.plan.LoadPlan;
import kvant.text.UserException;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `kvant bench gateway`: a node before a Cassandra cluster beside a bare driver client that does the same work: the
/// same statements, keys, value lengths, consistency (quorum) and requests in flight, in turn (A B A B).
///
/// No experiment, because the client speaks to the cluster and not HTTP. The client runs in this process, which does
/// nothing else meanwhile: its CPU time is that of the process.
@Command(
        name = "gateway",
        mixinStandardHelpOptions = true,
        description = "What a node before a Cassandra cluster costs, beside a bare driver. About five minutes.")
public final class GatewayBench implements Callable<Integer> {

    private static final int SERVERS = 3;
    private static final Duration UP = Duration.ofMinutes(4);
    private static final Duration DRAIN = Duration.ofSeconds(10);
    private static final long NEW_KEYS_OF_CLIENT = 50_000_000;
    private static final long NEW_KEYS = 1_000_000_000;
    private static final long NEW_KEYS_OF_RUN = 10_000_000;
    private static final String GATEWAY = "gateway";
    private static final String DRIVER = "bare driver";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--quick", description = "One short round: shows that it works.")
    private boolean quick;

    @Option(names = "--rounds", description = "Counted rounds (default: ${DEFAULT-VALUE}).")
    private int rounds = 5;

    @Option(names = "--seconds", description = "Of each run (default: ${DEFAULT-VALUE}).")
    private double seconds = 4;

    @Option(names = "--warmup", description = "Seconds before them (default: ${DEFAULT-VALUE}).")
    private double warmUp = 1;

    @Option(names = "--first-warmup", description = "Seconds of each kind before all (default: ${DEFAULT-VALUE}).")
    private double firstWarmUp = 8;

    @Option(names = "--slots", description = "Requests in flight (default: ${DEFAULT-VALUE}).")
    private int slots = 64;

    @Option(names = "--rate", description = "Requests a second in the open loop (default: ${DEFAULT-VALUE}).")
    private int rate = 500;

    @Option(names = "--keys", description = "In the store (default: ${DEFAULT-VALUE}).")
    private long keys = 30_000;

    @Option(names = "--value-bytes", description = "Of a value (default: ${DEFAULT-VALUE}).")
    private int valueBytes = 100;

    @Option(
            names = "--jvm",
            description = "Options of the gateway's JVM, as one word, such as those of the driver:"
                    + " -Ddatastax-java-driver.advanced.coalescer.reschedule-interval=100us.")
    private String jvm = "";

    private final Rounds<Run> runs = new Rounds<>();
    private List<ProcessHandle> servers = List.of();
    private long nextKey = NEW_KEYS;

    /// @param rate requests a second, 0 for a closed loop
    private record Kind(String operation, int rate) {

        String through(String way) {
            return operation + ", " + (rate > 0 ? rate + "/s" : "closed loop") + ", " + way;
        }
    }

    /// One run through the gateway or the bare driver. Times from when a request was due; CPU times in microseconds for
    /// each request.
    ///
    /// @param ownCpu of the gateway, or of the client
    /// @param cassandraCpu of all servers
    /// @param generatorCpu 0 for the client, which generates its load itself
    private record Run(
            double rate, Histogram response, double ownCpu, double cassandraCpu, double generatorCpu, long failures) {

        double p50Millis() {
            return LoadMeasurement.millis(response, 50);
        }

        double p99Millis() {
            return LoadMeasurement.millis(response, 99);
        }
    }

    @Override
    public Integer call() throws IOException {
        if (quick) {
            rounds = 1;
            seconds = 2;
            firstWarmUp = 2;
            keys = 3_000;
            rate = 300;
        }
        Origin origin = Origin.of(spec, "Cassandra 5.0, three nodes of 512 MiB heap, replication 3");
        try (Workbench bench = Workbench.open()) {
            String contactPoints = startServers(bench);
            List<String> options = List.of("--engine", "cassandra", "--cassandra.contact-points", contactPoints);
            Node gateway = Node.start(bench, GATEWAY, new Node.Start(List.of(), KvantProgram.split(jvm), options));
            System.err.println("writing " + keys + " keys");
            Generator.fill(plan(gateway, "get"));
            try (CqlSession session = BareClient.connect(contactPoints)) {
                measure(gateway, new BareClient(session, keys, NEW_KEYS_OF_CLIENT, valueBytes));
            }
            print(origin);
        } catch (ClusterException e) {
            throw new UserException(String.valueOf(e.getMessage()), e);
        }
        return 0;
    }

    /// They end with the workbench.
    private String startServers(Workbench bench) {
        Cluster cluster = new Cluster(bench.folder().resolve("cluster"));
        AutoCloseable _ = bench.keep(() -> cluster.down(true));
        @Nullable String tree = System.getProperty("kvant.root");
        cluster.up(SERVERS, tree == null ? null : Path.of(tree), UP, System.err::println);
        servers = cluster.status().stream()
                .map(server -> ProcessHandle.of(Objects.requireNonNull(server.pid())))
                .map(server -> server.orElseThrow(() -> new ClusterException("a server of the cluster has ended")))
                .toList();
        return cluster.contactPoints();
    }

    private LoadPlan plan(Node gateway, String operation) {
        return Generator.plan(gateway.target(), operation, keys, valueBytes, slots);
    }

    private List<Kind> kinds() {
        return List.of(new Kind("get", 0), new Kind("get", rate), new Kind("put", 0), new Kind("put", rate));
    }

    private void measure(Node gateway, BareClient client) {
        System.err.println("warming up");
        for (int i = 0; i < 2; i++) { // servers and clients are JVMs
            for (Kind kind : kinds()) {
                Run _ = throughGateway(gateway, kind, 0, firstWarmUp / 2);
                Run _ = throughClient(client, kind, 0, firstWarmUp / 2);
            }
        }
        for (int round = 0; round < rounds; round++) {
            System.err.printf("round %d of %d%n", round + 1, rounds);
            for (Kind kind : kinds()) {
                boolean gatewayFirst = round % 2 == 0;
                if (gatewayFirst) {
                    runs.add(kind.through(GATEWAY), throughGateway(gateway, kind, warmUp, seconds));
                }
                runs.add(kind.through(DRIVER), throughClient(client, kind, warmUp, seconds));
                if (!gatewayFirst) {
                    runs.add(kind.through(GATEWAY), throughGateway(gateway, kind, warmUp, seconds));
                }
            }
        }
    }

    private Run throughGateway(Node gateway, Kind kind, double warmUpTime, double time) {
        LoadPlan plan = plan(gateway, kind.operation()).with(p -> {
            p.pace = Generator.pace(kind.rate(), warmUpTime, time).with(t -> t.drain = DRAIN);
            if (kind.operation().equals("put")) {
                p.firstInsert = nextKey;
                nextKey += NEW_KEYS_OF_RUN;
            }
        });
        long before = serverNanos();
        LoadMeasurement run = Generator.run(gateway, plan);
        double asked = Math.max(1, run.result().sentWithWarmup()) * 1e3;
        return new Run(
                run.result().achievedRate(),
                run.result().totals().response(),
                run.cpuMicros(),
                (serverNanos() - before) / asked,
                run.result().cpuNanos() / asked,
                run.counts().errors() + run.late());
    }

    private Run throughClient(BareClient client, Kind kind, double warmUpTime, double time) {
        long before = serverNanos();
        long own = processNanos();
        DriverLoad run = new DriverLoad(
                        kind.operation().equals("put") ? client::put : client::get,
                        slots,
                        kind.rate(),
                        warmUpTime,
                        time)
                .run();
        double asked = Math.max(1, run.sent()) * 1e3;
        return new Run(
                run.answersPerSecond(),
                run.response(),
                (processNanos() - own) / asked,
                (serverNanos() - before) / asked,
                0,
                run.failures());
    }

    private long serverNanos() {
        return servers.stream()
                .mapToLong(server -> ProcessSampler.look(server).cpuNanos())
                .sum();
    }

    private static long processNanos() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    private void print(Origin origin) {
        System.out.println("# The gateway beside a bare driver\n");
        origin.print(System.out);
        System.out.printf(
                "Generator, gateway or client, and all three Cassandra nodes share %d cores, so that a closed loop"
                        + " measures the sum of their CPU times: what the gateway adds to that of Cassandra. Keys of %d"
                        + " bytes, values of %d; puts are of new keys; quorum of three replicas; %d rounds of %s s"
                        + " after %s s, in turn. Response time counts from when a request was due. The bare client"
                        + " generates its load itself.%n%n",
                Runtime.getRuntime().availableProcessors(), BareClient.KEY_BYTES, valueBytes, rounds, seconds, warmUp);
        MarkdownTable table = new MarkdownTable(
                System.out,
                ("load and way,answers/s,p50 ms,p99 ms,CPU us/request: Kvant or client,Cassandra all three,generator,"
                                + "errors")
                        .split(","));
        for (String name : runs.names()) {
            table.row(
                    name,
                    runs.cell("%.0f", name, Run::rate),
                    runs.cell("%.2f", name, Run::p50Millis),
                    runs.cell("%.2f", name, Run::p99Millis),
                    runs.cell("%.0f", name, Run::ownCpu),
                    runs.cell("%.0f", name, Run::cassandraCpu),
                    runs.cell("%.0f", name, Run::generatorCpu),
                    runs.of(name).stream().mapToLong(Run::failures).sum());
        }
        printRatios();
    }

    private void printRatios() {
        System.out.printf(
                Locale.ROOT,
                "%nGateway against bare driver, by rounds: the median, and in brackets the least and the most."
                        + " Throughput is that of the closed loop with %d requests in flight, latency that at"
                        + " %d/s.%n%n",
                slots,
                rate);
        MarkdownTable table = new MarkdownTable(
                System.out,
                "operation",
                "throughput, ratio (goal: at least 0.8)",
                "p50, ms more",
                "p99, ms more (goal: at most 1)",
                "CPU us/request, more (generator left out)",
                "Cassandra's CPU, ratio");
        for (String operation : List.of("get", "put")) {
            Kind closed = new Kind(operation, 0);
            Kind paced = new Kind(operation, rate);
            String gateway = closed.through(GATEWAY);
            String driver = closed.through(DRIVER);
            String pacedGateway = paced.through(GATEWAY);
            String pacedDriver = paced.through(DRIVER);
            table.row(
                    operation,
                    runs.ratio(gateway, driver, Run::rate).text(),
                    runs.difference(pacedGateway, pacedDriver, Run::p50Millis).text(),
                    runs.difference(pacedGateway, pacedDriver, Run::p99Millis).text(),
                    runs.difference(gateway, driver, Run::ownCpu).text(0),
                    runs.ratio(gateway, driver, Run::cassandraCpu).text());
        }
    }
}
