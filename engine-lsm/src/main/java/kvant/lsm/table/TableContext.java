package kvant.lsm.table;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import kvant.engine.MetricSink;
import kvant.lsm.cache.BlockCache;

/// The shared state of a store's open tables.
public final class TableContext implements AutoCloseable {

    private final BlockCache cache;
    private final FilterFigures filters = new FilterFigures();
    private final Residency.Marks resident = new Residency.Marks();
    private final LongAdder partitionLoads = new LongAdder();
    private final LongAdder blockHits = new LongAdder();
    private final LongAdder blockMisses = new LongAdder();

    /// @param cacheBytes bound of the memory for partitions of indexes and filters and for decompressed blocks; 0 for
    ///     none: then each look-up reads them again
    public TableContext(long cacheBytes) {
        this.cache = new BlockCache(cacheBytes);
    }

    /// Tables that are still open then load partitions and blocks at each look-up.
    @Override
    public void close() {
        cache.close();
    }

    public long blockHits() {
        return blockHits.sum();
    }

    public long blockMisses() {
        return blockMisses.sum();
    }

    public long partitionLoads() {
        return partitionLoads.sum();
    }

    BlockCache cache() {
        return cache;
    }

    FilterFigures filters() {
        return filters;
    }

    Residency.Marks resident() {
        return resident;
    }

    void loadedPartition() {
        partitionLoads.increment();
    }

    void askedForBlock(boolean found) {
        (found ? blockHits : blockMisses).increment();
    }

    public void measure(MetricSink sink) {
        sink.counter("kvant_lsm_block_cache_hits_total", "Gets that found their block decompressed.", blockHits.sum());
        sink.counter("kvant_lsm_block_cache_misses_total", "Gets that had to decompress a block.", blockMisses.sum());
        sink.counter(
                "kvant_lsm_partition_loads_total",
                "Partitions of index and filter that look-ups read from a file.",
                partitionLoads.sum());
        cache.measure(sink);
        filters.measure(sink);
    }

    /// The effect of the filters of a store's tables. Sampled: one probe in [#EVERY] is counted, as that many, to
    /// keep shared counters out of most gets. Sampled at random, not by key, so that a hot key has its real weight.
    static final class FilterFigures {

        static final int EVERY = 64;

        private final LongAdder asked = new LongAdder();
        private final LongAdder passed = new LongAdder();
        private final LongAdder inVain = new LongAdder();

        static boolean isSampled() {
            return (ThreadLocalRandom.current().nextInt() & EVERY - 1) == 0;
        }

        /// Counts a sampled probe.
        ///
        /// @param letThrough the answer of the filter
        /// @param found whether the table had the key
        void asked(boolean letThrough, boolean found) {
            asked.increment();
            if (letThrough) {
                passed.increment();
                if (!found) {
                    inVain.increment();
                }
            }
        }

        void measure(MetricSink sink) {
            String note = " Extrapolated from one in " + EVERY + ".";
            sink.counter("kvant_lsm_filter_asked_total", "Questions to the filter of a table." + note, all(asked));
            sink.counter("kvant_lsm_filter_passed_total", "Questions that a filter let through." + note, all(passed));
            sink.counter(
                    "kvant_lsm_filter_passed_in_vain_total",
                    "Questions that a filter let through although the table did not know the key." + note,
                    all(inVain));
        }

        private static double all(LongAdder counted) {
            return (double) counted.sum() * EVERY;
        }
    }
}
