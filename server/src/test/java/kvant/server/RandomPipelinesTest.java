package kvant.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import kvant.engine.Crew;
import kvant.engine.Durability;
import kvant.engine.Engine;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.rocksdb.RocksDbEngine;
import kvant.rocksdb.RocksDbOptions;
import kvant.server.admit.AdmissionOptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Random pipelines of several clients at once are answered as if each request waited for the answer to the one before
/// it: with every executor, over every kind of engine.
class RandomPipelinesTest {

    private static final int CLIENTS = 4;
    private static final int ROUNDS = 12;

    /// Rounds of ranges take a few records each.
    private static final int ROUND_BYTES = 200;

    private enum Store {
        MEMORY,
        LSM,
        ROCKSDB,
        REMOTE;

        Engine open(Path directory) {
            return switch (this) {
                case MEMORY -> new MemoryEngine();
                case LSM -> LsmEngine.open(directory, LsmOptions.defaults().withDurability(Durability.parse("none")));
                case ROCKSDB ->
                    RocksDbEngine.open(directory, RocksDbOptions.defaults().withDurability(Durability.parse("none")));
                case REMOTE -> new LaterStore();
            };
        }
    }

    @TempDir
    private Path directory;

    static Stream<Arguments> everyPair() {
        return Stream.of(ExecutorKind.values())
                .flatMap(executor -> Stream.of(Store.values()).map(store -> Arguments.of(executor, store)));
    }

    @ParameterizedTest
    @MethodSource("everyPair")
    void pipelinesTakeEffectInOrder(ExecutorKind executor, Store store) throws Exception {
        long seed = ThreadLocalRandom.current().nextInt(1_000_000);
        System.out.println("random pipelines, " + executor + ", " + store + ": seed " + seed);
        try (Engine engine = store.open(directory.resolve("store"));
                Node node = Node.start(options(executor), engine)) {
            Crew.runAll(CLIENTS, number -> run(node.port(), seed + number, "c" + number + "-"));
        }
    }

    private static void run(int port, long seed, String prefix) throws IOException {
        new RandomPipeline(seed, prefix).run(port, ROUNDS);
    }

    private static NodeOptions options(ExecutorKind executor) {
        return NodeOptions.defaults().withExecutor(executor).withWorkers(4).with(o -> {
            o.port = 0;
            o.eventLoops = 2;
            o.allowedHosts = NodeHarness.HOSTS;
            o.admission = AdmissionOptions.none();
            o.limits = o.limits.with(l -> l.scanRoundBytes = ROUND_BYTES);
        });
    }
}
