package kvant.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import kvant.cli.JsonSyntax;
import kvant.engine.Durability;
import kvant.engine.Engine;
import kvant.engine.Mutation;
import kvant.engine.WriteBatch;
import kvant.lab.tail.TailAttribution;
import kvant.load.http.Target;
import kvant.load.loop.StopSwitch;
import kvant.load.plan.Clients;
import kvant.load.plan.LoadPlan;
import kvant.load.plan.Pace;
import kvant.load.plan.Warmup;
import kvant.load.result.LoadResult;
import kvant.load.result.ResultFile;
import kvant.load.result.SlowestFile;
import kvant.load.run.LoadRun;
import kvant.load.run.Progress;
import kvant.load.run.RunResult;
import kvant.load.workload.Workload;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.commit.WriteThrottle;
import kvant.lsm.compaction.CompactionOptions;
import kvant.lsm.compaction.Universal;
import kvant.server.ExecutorKind;
import kvant.server.Node;
import kvant.server.NodeOptions;
import kvant.server.admit.AdmissionOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/// A real node that is slow at one place on purpose: the attribution names the place.
@Tag("alone")
class TailAttributionTest {

    private static final double ATTRIBUTED = 0.95;
    private static final double FEW = 0.05;

    /// So many that a single event on a busy machine, such as the change of a log, is not all that there is.
    private static final double MANY = 0.5;
    private static final int MEMTABLE_BYTES = 64 << 10;
    private static final int MANY_TABLES = 60;
    private static final Duration BETWEEN_COLLECTIONS = Duration.ofMillis(100);

    private static final int MOST_ATTEMPTS = 5;

    @TempDir
    private Path folder;

    private LsmEngine store(LsmOptions options) {
        return LsmEngine.open(folder.resolve("data"), options);
    }

    private static LsmOptions quick() {
        return LsmOptions.defaults().withDurability(Durability.NONE);
    }

    private static NodeOptions node(ExecutorKind executor) {
        return NodeOptions.defaults()
                .with(o -> o.port = 0)
                .withExecutor(executor)
                .with(o -> {
                    o.eventLoops = 1;
                    o.admission = AdmissionOptions.none();
                });
    }

    private static Workload misses() {
        return Workload.named("get").with(w -> {
            w.keys = 100;
            w.hits = 0;
        });
    }

    /// The slowest, divided.
    private Map<?, ?> tail(
            Engine engine, NodeOptions options, Workload workload, double rate, int connections, double share)
            throws Exception {
        Path settings = folder.resolve("kvant-lab.jfc");
        Path recorded = folder.resolve("node.jfr");
        Path load = folder.resolve("load.json");
        Path slow = folder.resolve("slow.json");
        Path tail = folder.resolve("tail.json");
        TailAttribution.writeSettings(settings);
        try (Recording recording = new Recording(Configuration.create(settings))) {
            recording.start();
            try (engine;
                    Node node = Node.start(options, engine)) {
                Pace pace = Pace.open(rate, Duration.ofMillis(1_500)).with(p -> {
                    p.warmup = Warmup.none();
                    p.drain = Duration.ofSeconds(10);
                });
                Clients clients = Clients.defaults().withConnections(connections);
                LoadPlan plan = LoadPlan.of(Target.parse(node.url()), workload, clients, pace)
                        .with(p -> p.slowShare = share);
                RunResult result = LoadRun.run(plan, new StopSwitch(), Progress.SILENT);
                assertThat(result.counts().errors()).isZero();
                Files.writeString(load, ResultFile.text(LoadResult.of(result)));
                Files.writeString(slow, SlowestFile.of(result.slowest()));
            }
            recording.stop();
            recording.dump(recorded);
        }
        TailAttribution.write(load, slow, recorded, tail);
        assertThat(JsonSyntax.isJson(Files.readString(slow))).isTrue();
        return parsed(tail);
    }

    private static Map<?, ?> parsed(Path file) throws Exception {
        String text = Files.readString(file);
        assertThat(JsonSyntax.isJson(text)).isTrue();
        return (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(text);
    }

    private static double number(Map<?, ?> map, String key) {
        return ((Number) map.get(key)).doubleValue();
    }

    /// In every band the parts add up, enough is attributed, and of all the time these have more than any other: not
    /// a share, because other work on the machine adds to the other parts.
    private static void assertMostly(Map<?, ?> tail, String... parts) {
        assertThat(tail.get("schema")).isEqualTo("kvant-tail/1");
        assertThat(number(tail, "attributedShare")).as(tail.toString()).isGreaterThanOrEqualTo(ATTRIBUTED);
        assertThat((List<?>) tail.get("notes")).as("notes").isEmpty();
        List<?> bands = (List<?>) tail.get("bands");
        assertThat(bands).isNotEmpty();
        Map<String, Double> nanosByPart = new HashMap<>();
        for (Object each : bands) {
            Map<?, ?> band = (Map<?, ?>) each;
            Map<?, ?> means = (Map<?, ?>) band.get("parts");
            double sum = 0;
            for (Object part : means.keySet()) {
                double nanos = number(means, (String) part);
                assertThat(nanos).isNotNegative();
                sum += nanos;
                nanosByPart.merge((String) part, nanos * number(band, "requests"), Double::sum);
            }
            assertThat(sum).isEqualTo(number(band, "meanNanos"));
        }
        double named = 0;
        for (String part : parts) {
            named += Objects.requireNonNull(nanosByPart.remove(part));
        }
        assertThat(nanosByPart.values())
                .as("beside %s in %s", List.of(parts), tail)
                .allSatisfy(lessThan(named));
    }

    private interface Claim {
        void hold() throws Exception;
    }

    /// Other work of the machine may take longer than the planted delay, but hardly each time.
    private static void untilItHolds(Claim claim) throws Exception {
        for (int attempt = 1; ; attempt++) {
            try {
                claim.hold();
                return;
            } catch (AssertionError failed) {
                if (attempt == MOST_ATTEMPTS) {
                    throw failed;
                }
            }
        }
    }

    private static Consumer<Double> lessThan(double bound) {
        return nanos -> assertThat(nanos).isLessThan(bound);
    }

    @Test
    void slowLookUpsAreTheEngines() throws Exception {
        NodeOptions options = node(ExecutorKind.ADAPTIVE);
        untilItHolds(() -> {
            Engine engine =
                    new SlowEngine(store(quick()), Duration.ofMillis(300).toNanos(), 20);
            assertMostly(tail(engine, options, misses(), 200, 64, FEW), "engineRead");
        });
    }

    @Test
    void aQueueBeforeOneWorkerIsAQueue() throws Exception {
        NodeOptions options = node(ExecutorKind.ASYNC).withWorkers(1);
        untilItHolds(() -> {
            Engine engine =
                    new SlowEngine(store(quick()), Duration.ofMillis(500).toNanos(), 250);
            assertMostly(tail(engine, options, misses(), 400, 256, FEW), "queue", "engineRead");
        });
    }

    @Test
    void slowLookUpsOnTheEventLoopKeepTheOthersInTheKernel() throws Exception {
        NodeOptions options = node(ExecutorKind.SYNC);
        untilItHolds(() -> {
            Engine engine =
                    new SlowEngine(store(quick()), Duration.ofMillis(500).toNanos(), 250);
            assertMostly(tail(engine, options, misses(), 400, 256, FEW), "kernel", "engineRead");
        });
    }

    @Test
    void whoWaitsForItsConnectionWaitsForWhatThatWaitsFor() throws Exception {
        NodeOptions options = node(ExecutorKind.ADAPTIVE);
        untilItHolds(() -> {
            Engine engine =
                    new SlowEngine(store(quick()), Duration.ofMillis(500).toNanos(), 250);
            assertMostly(tail(engine, options, misses(), 400, 2, FEW), "engineRead");
        });
    }

    @Test
    void aCollectionOfTheNodeIsWhatItsRequestsWaitedFor() throws Exception {
        Thread collecting = Thread.ofPlatform().daemon().unstarted(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                System.gc();
                LockSupport.parkNanos(BETWEEN_COLLECTIONS.toNanos());
            }
        });
        collecting.start();
        try {
            Map<?, ?> tail = tail(store(quick()), node(ExecutorKind.ADAPTIVE), misses(), 400, 64, FEW);
            double stopped = 0;
            for (Object band : (List<?>) tail.get("bands")) {
                Map<?, ?> parts = (Map<?, ?>) ((Map<?, ?>) band).get("parts");
                stopped += number(parts, "gc") + number(parts, "safepoint");
            }
            assertThat(stopped).as(tail.toString()).isPositive();
            assertThat(number(tail, "attributedShare")).isGreaterThanOrEqualTo(ATTRIBUTED);
        } finally {
            collecting.interrupt();
            collecting.join();
        }
    }

    @Test
    void writesThatAreHeldBackAreStalled() throws Exception {
        LsmOptions unmerged = quick().with(options -> {
            options.memtableBytes = MEMTABLE_BYTES;
            options.compaction = CompactionOptions.of(new Universal(1_000, 1_000));
            options.maxSealedMemtables = 8;
            options.throttle = throttle(999);
        });
        try (LsmEngine engine = store(unmerged)) {
            for (int i = 0; i < MANY_TABLES; i++) { // each a table, and none is merged
                byte[] key = ("fill" + i).getBytes(StandardCharsets.US_ASCII);
                engine.write(WriteBatch.of(new Mutation.Put(key, new byte[MEMTABLE_BYTES])));
            }
        }
        LsmEngine engine = store(unmerged.with(options -> options.throttle = throttle(1)));

        assertMostly(tail(engine, node(ExecutorKind.ADAPTIVE), Workload.named("put"), 40, 64, MANY), "stall");
    }

    /// Slows writes down from so many tables on.
    private static WriteThrottle throttle(int slowRuns) {
        return new WriteThrottle(
                Duration.ofMinutes(160),
                Duration.ofSeconds(40),
                Duration.ofSeconds(60),
                slowRuns,
                slowRuns + 499,
                1L << 40,
                1L << 41);
    }

    @Test
    void whatIsNotRecordedIsUnknownAndItSaysSo() throws Exception {
        NodeOptions options = node(ExecutorKind.ADAPTIVE);
        Engine engine = new SlowEngine(store(quick()), Duration.ofMillis(300).toNanos(), 20);
        tail(engine, options, misses(), 200, 64, FEW);
        Path tail = folder.resolve("peer.json");
        TailAttribution.write(folder.resolve("load.json"), folder.resolve("slow.json"), null, tail);
        Map<?, ?> peer = parsed(tail);

        assertThat(number(peer, "attributedShare")).isLessThan(0.5);
        assertThat(((List<?>) peer.get("notes")).toString()).contains("kind=nodeNotRecorded");
    }
}
