package kvant.cli;

import java.nio.file.Path;
import kvant.engine.Durability;
import kvant.engine.Engine;
import kvant.lsm.LockedReads;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.compaction.CompactionOptions;
import kvant.lsm.compaction.Leveled;
import kvant.lsm.compaction.Picker;
import kvant.lsm.compaction.Universal;
import kvant.lsm.table.Compression;
import kvant.lsm.table.TableOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options of the LSM engine. What is not given is left to the engine.
final class LsmFlags {

    enum Style {
        LEVELED,
        UNIVERSAL
    }

    enum Reads {
        FREE,
        LOCKED
    }

    private static final long LARGEST_MEMTABLE_BYTES = 1L << 30;

    @Option(
            names = "--lsm.memtable",
            paramLabel = "SIZE",
            description = "Size at which a memtable is flushed (default: a sixteenth of the heap, at most 64MB).")
    private @Nullable ByteCount memtable;

    @Option(
            names = "--lsm.compaction",
            paramLabel = "STYLE",
            description = "leveled (little space; the default) or universal (little writing).")
    private @Nullable Style compaction;

    @Option(
            names = "--lsm.compaction-threads",
            paramLabel = "N",
            description = "How many merges run at a time (default: half of the cores, at most 4).")
    private @Nullable Integer compactionThreads;

    @Option(
            names = "--lsm.compaction-rate",
            paramLabel = "SIZE",
            description = "Bytes a second that all merges together write, 0 for no limit (default: 0).")
    private @Nullable ByteCount compactionRate;

    @Option(
            names = "--lsm.compression",
            paramLabel = "LEVELS",
            description = "none, lz4 or zstd for level 0, 1 and so on, the last one for all deeper levels, such as"
                    + " none,none,lz4,zstd (default: none).")
    private @Nullable String compression;

    @Option(
            names = "--lsm.flush",
            paramLabel = "WHERE",
            description = "background (the default), or foreground: the write that fills a memtable waits for its"
                    + " flush, and all behind it. For measurements.")
    private LsmOptions.@Nullable Flush flush;

    @Option(
            names = "--lsm.reads",
            paramLabel = "HOW",
            description = "free (without a lock; the default), or locked: reads and commits share one lock."
                    + " For measurements.")
    private @Nullable Reads reads;

    /// Whether any of them was given.
    boolean isAny() {
        return memtable != null
                || compaction != null
                || compactionThreads != null
                || compactionRate != null
                || compression != null
                || flush != null
                || reads != null;
    }

    /// @throws IllegalArgumentException when a value makes no sense
    LsmOptions options(Durability durability) {
        LsmOptions options = LsmOptions.defaults().withDurability(durability);
        if (memtable != null) {
            if (memtable.bytes() < 1 || memtable.bytes() > LARGEST_MEMTABLE_BYTES) {
                throw new IllegalArgumentException("'--lsm.memtable' is 1 byte to 1 GiB, not " + memtable);
            }
            options = options.withMemtable(memtable.bytes());
        }
        CompactionOptions usual = options.compaction();
        CompactionOptions merging = new CompactionOptions(
                compaction == null ? usual.picker() : picker(compaction, options.memtableBytes()),
                compactionThreads == null ? usual.threads() : compactionThreads,
                compactionRate == null ? usual.bytesPerSecond() : compactionRate.bytes());
        TableOptions table = compression == null
                ? options.table()
                : options.table().withCompression(Compression.parseLevels(compression));
        return options.with(draft -> {
            draft.compaction = merging;
            draft.table = table;
            draft.flush = flush == null ? draft.flush : flush;
        });
    }

    /// Opens a store with these options.
    Engine open(Path data, LsmOptions options) {
        return reads == Reads.LOCKED ? LockedReads.open(data, options) : LsmEngine.open(data, options);
    }

    private static Picker picker(Style style, long memtableBytes) {
        return switch (style) {
            case LEVELED -> Leveled.above(memtableBytes);
            case UNIVERSAL -> Universal.DEFAULT;
        };
    }
}
