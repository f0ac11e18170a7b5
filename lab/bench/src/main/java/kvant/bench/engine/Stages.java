package kvant.bench.engine;

import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import kvant.bench.process.FolderSize;
import kvant.engine.Durability;
import kvant.engine.Lookup;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import org.HdrHistogram.Histogram;

/// The stages of a [Child]: `fill DIR KEYS VALUE`, `get DIR KEYS DIR KEYS SLICE-SECONDS`, `open DIR`,
/// `cold DIR KEYS SECONDS`, `crash DIR BYTES VALUE`. Prints figures as `name=number`.
final class Stages {

    private static final int ROUNDS = 5;
    private static final int WARM_UPS = 2;

    private Stages() {}

    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[1]);
        switch (args[0]) {
            case "fill" -> fill(directory, Long.parseLong(args[2]), Integer.parseInt(args[3]));
            case "open" -> open(directory);
            case "cold" -> cold(directory, Long.parseLong(args[2]), (long) (Double.parseDouble(args[3]) * 1e9));
            case "get" ->
                get(directory, Long.parseLong(args[2]), Path.of(args[3]), Long.parseLong(args[4]), (long)
                        (Double.parseDouble(args[5]) * 1e9));
            case "crash" -> crash(directory, Long.parseLong(args[2]), Integer.parseInt(args[3]));
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    /// Opens a store, and prints the duration of its recovery.
    private static void open(Path directory) {
        long begin = System.nanoTime();
        try (LsmEngine engine = LsmEngine.open(directory, LsmOptions.defaults())) {
            print("openSeconds", (System.nanoTime() - begin) / 1e9);
            print("recoverySeconds", engine.recovery().nanos() / 1e9);
            print("replayedBytes", engine.recovery().replayedBytes());
        }
    }

    private static void fill(Path directory, long keys, int valueBytes) {
        long begin = System.nanoTime();
        long mostDiskBytes;
        try (Footprint footprint = Footprint.watching(directory)) {
            LsmOptions options = KvantContender.patient(LsmOptions.defaults().withDurability(Durability.NONE));
            try (KvantContender contender = KvantContender.filling(directory, options, valueBytes)) {
                Dataset.of(keys, valueBytes).fill(contender);
            }
            print("seconds", (System.nanoTime() - begin) / 1e9);
            print("anonymousBytes", footprint.mostBytes());
            mostDiskBytes = footprint.mostDiskBytes();
        }
        long diskBytes = FolderSize.bytes(directory);
        print("diskBytes", diskBytes);
        print("mostDiskBytes", Math.max(diskBytes, mostDiskBytes)); // samples may have missed the end
    }

    /// Opens a store whose pages are not in memory, and reads keys on one thread.
    private static void cold(Path directory, long keys, long nanos) {
        long begin = System.nanoTime();
        try (LsmEngine engine = LsmEngine.open(directory, LsmOptions.defaults())) {
            print("openSeconds", (System.nanoTime() - begin) / 1e9);
            print("recoverySeconds", engine.recovery().nanos() / 1e9);
            RandomGenerator random = new SplittableRandom(13);
            long first = System.nanoTime();
            long gets = 0;
            for (; System.nanoTime() - first < nanos; gets++) {
                require(engine.get(Keys.key(random.nextLong(keys))));
            }
            print("getsPerSecond", gets * 1e9 / (System.nanoTime() - first));
        }
    }

    /// Fills a log at full speed and ends as if killed.
    private static void crash(Path directory, long bytes, int valueBytes) {
        LsmOptions options =
                LsmOptions.defaults().withDurability(Durability.NONE).withMemtable(4 * bytes);
        KvantContender contender = KvantContender.filling(directory, options, valueBytes);
        Dataset.of(bytes / (Keys.BYTES + valueBytes), valueBytes).put(contender);
        contender.settle();
        Runtime.getRuntime().halt(0);
    }

    /// Alternates between gets from a small and from a large store.
    private static void get(Path small, long smallKeys, Path large, long largeKeys, long sliceNanos) {
        try (Footprint footprint = Footprint.watching(null);
                LsmEngine ours = LsmEngine.open(small, LsmOptions.defaults());
                LsmEngine theirs = LsmEngine.open(large, LsmOptions.defaults())) {
            for (boolean hot : new boolean[] {true, false}) {
                Histogram smallNanos = new Histogram(3);
                Histogram largeNanos = new Histogram(3);
                for (int round = -WARM_UPS; round < ROUNDS; round++) {
                    if (round == 0) {
                        smallNanos.reset();
                        largeNanos.reset();
                    }
                    slice(ours, smallKeys, hot, sliceNanos, smallNanos);
                    slice(theirs, largeKeys, hot, sliceNanos, largeNanos);
                }
                String which = hot ? "hot" : "any";
                print(which + "SmallNanos", smallNanos.getValueAtPercentile(50));
                print(which + "LargeNanos", largeNanos.getValueAtPercentile(50));
            }
            print("anonymousBytes", footprint.mostBytes());
        }
    }

    private static void slice(LsmEngine engine, long keys, boolean hot, long sliceNanos, Histogram nanos) {
        RandomGenerator random = new SplittableRandom(11);
        long begin = System.nanoTime();
        long end = begin;
        while (end - begin < sliceNanos) {
            byte[] key = hot ? Keys.oneOfFew(random, keys) : Keys.key(random.nextLong(keys));
            long start = System.nanoTime();
            Lookup found = engine.get(key);
            end = System.nanoTime();
            require(found);
            nanos.recordValue(end - start);
        }
    }

    private static void require(Lookup found) {
        if (!(found instanceof Lookup.Found)) {
            throw new IllegalStateException("a key is missing");
        }
    }

    static void print(String name, double value) {
        System.out.println(name + "=" + value);
        System.out.flush();
    }
}
