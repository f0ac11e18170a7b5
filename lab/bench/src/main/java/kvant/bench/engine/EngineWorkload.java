package kvant.bench.engine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/// The work of a contender in one slice of time, and its measured speed.
enum EngineWorkload {
    HOT_GET_1("get, 1 thread", (engine, data, nanos) -> gets(engine, data, 1, nanos)),
    HOT_GET_2("get, 2 threads", (engine, data, nanos) -> gets(engine, data, 2, nanos)),
    /// Their blocks may have to be read from disk first.
    FEW_KEYS_GET(
            "get of " + Keys.FEW + " keys all over the store, 1 thread",
            2,
            false,
            (engine, data, nanos) -> gets(engine, 1, nanos, random -> Keys.oneOfFew(random, data.keys()), true)),
    ABSENT_GET(
            "get of an absent key, 1 thread",
            (engine, data, nanos) ->
                    gets(engine, 1, nanos, random -> Keys.key(-1 - random.nextLong(data.keys())), false)),
    SCAN("full scan, records", EngineWorkload::scan),
    OVERWRITE("put, none, random overwrite", 3, false, EngineWorkload::overwrite),
    MIXED("90 % get, 10 % put, none, 2 threads", EngineWorkload::mixed),
    DURABLE_PUT("put, always, 64 threads", 1, true, EngineWorkload::durablePuts),
    DURABLE_PUT_LATER(
            "put, always, 64 under way, as each engine does it best", 1, true, EngineWorkload::durablePutsLater);

    private interface Work {
        Slice run(Contender contender, Dataset data, long nanos);
    }

    /// The result of one slice of time.
    ///
    /// @param perSecond operations
    /// @param p999Micros 99.9th percentile of the latency of gets, or 0 if not measured
    record Slice(double perSecond, double p999Micros) {
        static Slice of(long operations, long nanos, @Nullable Histogram latencies) {
            double p999 = latencies == null ? 0 : latencies.getValueAtPercentile(99.9) / 1e3;
            return new Slice(operations * 1e9 / nanos, p999);
        }
    }

    private interface KeyChoice {
        byte[] next(RandomGenerator random);
    }

    private static final int CHECK_EVERY = 256;

    private final String title;
    private final int sliceFactor;
    private final boolean durable;
    private final Work work;

    EngineWorkload(String title, Work work) {
        this(title, 1, false, work);
    }

    EngineWorkload(String title, int sliceFactor, boolean durable, Work work) {
        this.title = title;
        this.sliceFactor = sliceFactor;
        this.durable = durable;
        this.work = work;
    }

    String title() {
        return title;
    }

    /// Length of its slices relative to others.
    int sliceFactor() {
        return sliceFactor;
    }

    boolean isDurable() {
        return durable;
    }

    Slice run(Contender contender, Dataset data, long nanos) {
        return work.run(contender, data, nanos);
    }

    private static Slice scan(Contender contender, Dataset data, long nanos) {
        long records = 0;
        long begin = System.nanoTime();
        do {
            records += contender.scan();
        } while (System.nanoTime() - begin < nanos);
        return Slice.of(records, System.nanoTime() - begin, null);
    }

    private static Slice overwrite(Contender contender, Dataset data, long nanos) {
        RandomGenerator random = data.random();
        long puts = 0;
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < nanos) {
            for (int i = 0; i < CHECK_EVERY; i++) {
                contender.put(Keys.key(random.nextLong(data.keys())), data.value(random));
            }
            puts += CHECK_EVERY;
        }
        contender.rest(); // deferred merges are part of the cost
        return Slice.of(puts, System.nanoTime() - begin, null);
    }

    private static Slice mixed(Contender contender, Dataset data, long nanos) {
        Histogram latencies = new ConcurrentHistogram(3);
        LongAdder operations = new LongAdder();
        long begin = System.nanoTime();
        threads(2, () -> {
            RandomGenerator random = data.random();
            while (System.nanoTime() - begin < nanos) {
                byte[] key = Keys.key(random.nextLong(data.keys()));
                long start = System.nanoTime();
                if (random.nextInt(10) == 0) {
                    contender.put(key, data.value(random));
                } else {
                    contender.get(key);
                    latencies.recordValue(System.nanoTime() - start);
                }
                operations.increment();
            }
        });
        contender.settle();
        return Slice.of(operations.sum(), System.nanoTime() - begin, latencies);
    }

    private static Slice durablePuts(Contender contender, Dataset data, long nanos) {
        LongAdder puts = new LongAdder();
        long begin = System.nanoTime();
        threads(64, () -> {
            RandomGenerator random = data.random();
            while (System.nanoTime() - begin < nanos) {
                contender.putDurably(Keys.key(data.fresh().getAndIncrement()), data.value(random));
                puts.increment();
            }
        });
        return Slice.of(puts.sum(), System.nanoTime() - begin, null);
    }

    private static Slice durablePutsLater(Contender contender, Dataset data, long nanos) {
        RandomGenerator random = data.random();
        long puts = 0;
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < nanos) {
            if (!contender.putDurablyLater(Keys.key(data.fresh().getAndIncrement()), data.value(random))) {
                return durablePuts(contender, data, nanos);
            }
            puts++;
        }
        contender.settle();
        return Slice.of(puts, System.nanoTime() - begin, null);
    }

    private static Slice gets(Contender contender, Dataset data, int threads, long nanos) {
        return gets(contender, threads, nanos, random -> Keys.key(random.nextLong(data.keys())), true);
    }

    private static Slice gets(Contender contender, int threads, long nanos, KeyChoice choice, boolean present) {
        LongAdder gets = new LongAdder();
        long begin = System.nanoTime();
        threads(threads, () -> {
            RandomGenerator random = Dataset.newRandom();
            while (System.nanoTime() - begin < nanos) {
                for (int i = 0; i < CHECK_EVERY; i++) {
                    if (contender.get(choice.next(random)) != present) {
                        throw new IllegalStateException(contender.name() + " gave a wrong answer");
                    }
                }
                gets.add(CHECK_EVERY);
            }
        });
        return Slice.of(gets.sum(), System.nanoTime() - begin, null);
    }

    /// @throws IllegalStateException when one of them failed
    static void threads(int count, Runnable work) {
        List<Thread> threads = new ArrayList<>();
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < count; i++) {
            Thread thread = Thread.ofPlatform().unstarted(work);
            thread.setUncaughtExceptionHandler((_, e) -> failures.add(e));
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        if (!failures.isEmpty()) {
            throw new IllegalStateException("a worker failed", failures.getFirst());
        }
    }
}
