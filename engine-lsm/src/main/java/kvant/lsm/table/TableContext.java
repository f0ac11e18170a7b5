package kvant.lsm.table;

import kvant.engine.MetricSink;

/// What the open tables of one store share.
public final class TableContext {

    private final BlockCache cache;
    private final FilterFigures filters = new FilterFigures();

    /// @param blockCacheBytes bound of the decompressed blocks that are kept; 0 for none
    public TableContext(long blockCacheBytes) {
        this.cache = new BlockCache(blockCacheBytes);
    }

    public BlockCache cache() {
        return cache;
    }

    FilterFigures filters() {
        return filters;
    }

    public void measure(MetricSink sink) {
        cache.measure(sink);
        filters.measure(sink);
    }
}
