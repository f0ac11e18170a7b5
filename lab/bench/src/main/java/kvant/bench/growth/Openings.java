package kvant.bench.growth;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import kvant.bench.engine.Gauges;
import kvant.bench.engine.Keys;
import kvant.bench.engine.KvantContender;
import kvant.bench.process.PageCache;
import kvant.engine.Durability;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;

/// Stages that open stores, and one that makes a store of the shape of a larger one.
final class Openings {

    /// The log that a start replays has this part of a memtable in keys and values: a full one is flushed.
    private static final int LOG_PART = 3;

    private static final int WARM_UPS = 2;

    private Openings() {}

    /// Random keys, each once, until rest; then a log of the usual size, which no flush takes away.
    static void fill(Path directory, long keys, int valueBytes, int scale) {
        try (LsmEngine engine = LsmEngine.open(directory, hasty(ScaledOptions.ofFlushesToo(scale)))) {
            Stages.put(engine, 0, keys, valueBytes);
            engine.awaitRest();
        }
        LsmOptions usual = hasty(ScaledOptions.of(scale));
        try (LsmEngine engine = LsmEngine.open(directory, usual)) {
            long more = usual.memtableBytes() / LOG_PART / (Keys.BYTES + valueBytes);
            Stages.put(engine, keys, keys + more, valueBytes);
            engine.awaitRest();
        }
    }

    private static LsmOptions hasty(LsmOptions options) {
        return KvantContender.patient(options.withDurability(Durability.NONE));
    }

    /// Opens a store, and tells what is in it.
    static void once(Path directory, int scale) {
        long begin = System.nanoTime();
        try (LsmEngine engine = LsmEngine.open(directory, ScaledOptions.of(scale))) {
            Stages.print("openSeconds", (System.nanoTime() - begin) / 1e9);
            Stages.print("recoverySeconds", engine.recovery().nanos() / 1e9);
            Stages.print("replayedBytes", engine.recovery().replayedBytes());
            Gauges gauges = Gauges.of(engine);
            Stages.print("tables", engine.recovery().tables());
            Stages.print("levels", gauges.levels());
            Stages.print("levelZeroRuns", gauges.levelZeroRuns());
        }
    }

    /// Opens stores in turn, again and again, in this process.
    ///
    /// @param dropped whether their pages are not in memory
    static void again(List<Path> stores, int scale, int rounds, boolean dropped) throws IOException {
        for (int round = -WARM_UPS; round < rounds; round++) {
            for (int store = 0; store < stores.size(); store++) {
                if (dropped) {
                    boolean _ = PageCache.dropOrForget(stores.get(store));
                }
                long begin = System.nanoTime();
                try (LsmEngine engine = LsmEngine.open(stores.get(store), ScaledOptions.of(scale))) {
                    double seconds = (System.nanoTime() - begin) / 1e9;
                    if (round >= 0) {
                        Stages.print(name("openSeconds", store, round), seconds);
                        Stages.print(
                                name("recoverySeconds", store, round),
                                engine.recovery().nanos() / 1e9);
                    }
                }
            }
        }
    }

    /// Of a figure of one round.
    static String name(String figure, int store, int round) {
        return figure + "." + store + "." + round;
    }
}
