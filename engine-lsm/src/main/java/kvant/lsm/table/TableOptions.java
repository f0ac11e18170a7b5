package kvant.lsm.table;

import java.util.List;

/// Bounds of the tables that are written, and how they are stored and read.
///
/// @param blockBytes a data block is finished at this size, before compression
/// @param tableBytes a table is finished at this size
/// @param compression of the data blocks of level 0, 1 and so on; the last one holds for all deeper levels
/// @param cacheBytes bound of the memory for partitions of indexes and filters and for decompressed blocks; 0
///     for none
public record TableOptions(int blockBytes, long tableBytes, List<Compression> compression, long cacheBytes) {

    private static final long SMALLEST_CACHE_BYTES = 4 << 20;
    private static final long LARGEST_CACHE_BYTES = 1 << 30;

    /// Smaller tables would be too many files in a large store.
    private static final long SMALLEST_TABLE_BYTES = 8 << 20;

    public static final TableOptions DEFAULT = new TableOptions(4 << 10, 64 << 20);

    public TableOptions {
        if (blockBytes < 1 || tableBytes < 1) {
            throw new IllegalArgumentException("sizes of blocks and tables are at least 1");
        }
        if (compression.isEmpty() || cacheBytes < 0) {
            throw new IllegalArgumentException("a compression is needed for level 0, and a cache of at least 0 bytes");
        }
        compression = List.copyOf(compression);
    }

    /// No compression, and a cache as large as half of the heap, within bounds, outside of it: filters and
    /// indexes of 1 GiB are those of more than half a billion keys.
    public TableOptions(int blockBytes, long tableBytes) {
        this(
                blockBytes,
                tableBytes,
                List.of(Compression.NONE),
                Math.clamp(Runtime.getRuntime().maxMemory() / 2, SMALLEST_CACHE_BYTES, LARGEST_CACHE_BYTES));
    }

    /// Tables about as large as memtables of this size: a merge takes about ten of them, and must end before
    /// too many new ones are flushed.
    public static TableOptions beside(long memtableBytes) {
        return DEFAULT.withTableBytes(Math.clamp(memtableBytes, SMALLEST_TABLE_BYTES, DEFAULT.tableBytes));
    }

    public TableOptions withTableBytes(long bytes) {
        return new TableOptions(blockBytes, bytes, compression, cacheBytes);
    }

    public TableOptions withCache(long bytes) {
        return new TableOptions(blockBytes, tableBytes, compression, bytes);
    }

    public TableOptions withCompression(List<Compression> levels) {
        return new TableOptions(blockBytes, tableBytes, levels, cacheBytes);
    }

    /// Loads the libraries for the compression.
    ///
    /// @throws kvant.engine.EngineException.CannotOpen when a library cannot be used here
    public void requireLibraries() {
        compression.forEach(each -> CompressedContent.require(each, "the engine"));
    }

    public Compression compressionOf(int level) {
        return compression.get(Math.min(level, compression.size() - 1));
    }
}
