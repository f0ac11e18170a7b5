package kvant.bench.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import kvant.bench.figures.Origin;
import kvant.bench.process.Generator;
import kvant.bench.process.KvantProgram;
import kvant.bench.process.Node;
import kvant.bench.process.Workbench;
import kvant.load.plan.LoadPlan;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `kvant bench gateway`: a node before a Cassandra cluster beside a bare driver client that does the same work: the
/// same statements, keys, value lengths, consistency (quorum) and requests in flight, in turn (A B A B).
///
/// No experiment, because the client speaks to the cluster and not HTTP.
@Command(
        name = "gateway",
        mixinStandardHelpOptions = true,
        description = "What a node before a Cassandra cluster costs, beside a bare driver. About five minutes.")
public final class GatewayBench implements Callable<Integer> {

    private static final String KEYSPACE = "kvant";
    private static final String TABLE = "records";
    private static final int KEY_BYTES = 12;
    private static final long NEW_KEYS_OF_CLIENT = 50_000_000;
    private static final long NEW_KEYS = 1_000_000_000;
    private static final long NEW_KEYS_OF_RUN = 10_000_000;
    private static final long SETTLED_NANOS = TimeUnit.SECONDS.toNanos(8);
    private static final long MOST_SETTLING_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long LOOK_MILLIS = 500;
    private static final Duration DRAIN = Duration.ofSeconds(10);

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--quick", description = "One short round: shows that it works.")
    private boolean quick;

    @Option(names = "--json", description = "All figures; 'kvant bench scaling' reads them.")
    private @Nullable Path json;

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

    private final Map<GatewayReport.Kind, GatewayReport.Pair> pairs = new LinkedHashMap<>();
    private long nextKey = NEW_KEYS;
    private long written;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (quick) {
            rounds = 1;
            seconds = 2;
            firstWarmUp = 2;
            keys = 3_000;
            rate = 300;
        }
        Origin origin = Origin.of(spec, LocalCluster.VERSIONS);
        try (Workbench bench = Workbench.open()) {
            LocalCluster cluster = LocalCluster.start(bench);
            Node gateway = cluster.gateway(bench, "gateway", KvantProgram.split(jvm));
            System.err.println("writing " + keys + " keys");
            Generator.fill(plan(gateway, "get"));
            written = keys;
            DriverClient client = DriverClient.start(
                    bench,
                    "--keys",
                    Long.toString(keys),
                    "--key-start",
                    Long.toString(NEW_KEYS_OF_CLIENT),
                    "--value-bytes",
                    Integer.toString(valueBytes));
            measure(cluster, gateway, client);
            explain(origin);
            GatewayReport report = new GatewayReport(pairs);
            report.print(System.out, slots, rate);
            GatewayReport.Disk disk = settledDisk(cluster, client);
            GatewayReport.print(System.out, disk);
            if (json != null) {
                Files.writeString(json, report.json(origin, rate, disk));
            }
        }
        return 0;
    }

    private LoadPlan plan(Node gateway, String operation) {
        return Generator.plan(gateway.target(), operation, keys, valueBytes, slots);
    }

    private void measure(LocalCluster cluster, Node gateway, DriverClient client) throws IOException {
        List<GatewayReport.Kind> kinds = List.of(
                new GatewayReport.Kind("get", 0),
                new GatewayReport.Kind("get", rate),
                new GatewayReport.Kind("put", 0),
                new GatewayReport.Kind("put", rate));
        System.err.println("warming up");
        for (int i = 0; i < 2; i++) { // servers and clients are JVMs
            for (GatewayReport.Kind kind : kinds) {
                GatewayRun _ = throughGateway(cluster, gateway, kind, 0, firstWarmUp / 2);
                GatewayRun _ = throughClient(cluster, client, kind, 0, firstWarmUp / 2);
            }
        }
        for (int round = 0; round < rounds; round++) {
            System.err.printf("round %d of %d%n", round + 1, rounds);
            for (GatewayReport.Kind kind : kinds) {
                GatewayReport.Pair pair = pairs.computeIfAbsent(kind, _ -> GatewayReport.Pair.empty());
                boolean gatewayFirst = round % 2 == 0;
                if (gatewayFirst) {
                    pair.gateway().add(throughGateway(cluster, gateway, kind, warmUp, seconds));
                }
                pair.client().add(throughClient(cluster, client, kind, warmUp, seconds));
                if (!gatewayFirst) {
                    pair.gateway().add(throughGateway(cluster, gateway, kind, warmUp, seconds));
                }
            }
        }
    }

    private GatewayRun throughGateway(
            LocalCluster cluster, Node gateway, GatewayReport.Kind kind, double warmUpTime, double time) {
        LoadPlan plan = plan(gateway, kind.operation()).with(p -> {
            p.pace = Generator.pace(kind.rate(), warmUpTime, time).with(t -> t.drain = DRAIN);
            if (kind.operation().equals("put")) {
                p.firstInsert = nextKey;
                nextKey += NEW_KEYS_OF_RUN;
            }
        });
        long servers = cluster.cpuNanos();
        long own = gateway.usage().cpuNanos();
        GatewayRun run = GatewayRun.of(Generator.run(gateway, plan))
                .withCpuNanos(cluster.cpuNanos() - servers, gateway.usage().cpuNanos() - own);
        return counted("gateway", kind, run);
    }

    private GatewayRun throughClient(
            LocalCluster cluster, DriverClient client, GatewayReport.Kind kind, double warmUpTime, double time)
            throws IOException {
        String line =
                String.format(Locale.ROOT, "%s %d %d %s %s", kind.operation(), slots, kind.rate(), warmUpTime, time);
        long servers = cluster.cpuNanos();
        long own = client.cpuNanos();
        GatewayRun run =
                GatewayRun.of(client.ask(line)).withCpuNanos(cluster.cpuNanos() - servers, client.cpuNanos() - own);
        return counted("client", kind, run);
    }

    private GatewayRun counted(String who, GatewayReport.Kind kind, GatewayRun run) {
        if (kind.operation().equals("put")) {
            written += (long) run.requestsWithWarmup();
        }
        if (run.failures() > 0) {
            System.err.printf(
                    "%s %s: %.0f errors, %.0f without an answer%n",
                    who, kind.operation(), run.errors(), run.unanswered());
        }
        return run;
    }

    private void explain(Origin origin) {
        System.out.println("# The gateway beside a bare driver\n");
        origin.print(System.out);
        System.out.printf(
                "Generator, gateway or client, and all three Cassandra nodes share %d cores, so that a closed loop"
                        + " measures the sum of their CPU times: what the gateway adds to that of Cassandra. Keys of %d"
                        + " bytes, values of %d; puts are of new keys; quorum of three replicas; %d rounds of %s s"
                        + " after %s s, in turn. Response time counts from when a request was due. The bare client"
                        + " generates its load itself.%n%n",
                Runtime.getRuntime().availableProcessors(), KEY_BYTES, valueBytes, rounds, seconds, warmUp);
    }

    /// What the files of the store take when they no longer change.
    private GatewayReport.Disk settledDisk(LocalCluster cluster, DriverClient client)
            throws IOException, InterruptedException {
        System.err.println("waiting for flush and compaction");
        // Tables are flushed by time, and as few as two of a size are merged, so that soon there is about one on a
        // node.
        var _ = client.ask("cql ALTER TABLE " + KEYSPACE + "." + TABLE
                + " WITH memtable_flush_period_in_ms = 2000 AND compaction = {'class': 'SizeTieredCompactionStrategy',"
                + " 'min_threshold': 2, 'bucket_low': 0.01, 'bucket_high': 100}");
        long size = -1;
        long since = System.nanoTime();
        long end = since + MOST_SETTLING_NANOS;
        while (System.nanoTime() - since < SETTLED_NANOS && System.nanoTime() < end) {
            Thread.sleep(LOOK_MILLIS);
            long now = cluster.files(KEYSPACE, TABLE).stream()
                    .mapToLong(file -> file.toFile().length())
                    .sum();
            if (now != size) {
                size = now;
                since = System.nanoTime();
            }
        }
        int tables = (int) cluster.files(KEYSPACE, TABLE).stream()
                .filter(file -> file.toString().endsWith("-Data.db"))
                .count();
        return new GatewayReport.Disk(written, size, tables, KEY_BYTES + valueBytes);
    }
}
