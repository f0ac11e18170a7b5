package kvant.cli.engine;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import kvant.engine.Durability;
import kvant.lsm.LogPlace;
import kvant.lsm.LsmOptions;
import kvant.lsm.compaction.CompactionOptions;
import kvant.lsm.compaction.Leveled;
import kvant.lsm.compaction.Picker;
import kvant.lsm.compaction.Universal;
import kvant.lsm.table.Compression;
import kvant.lsm.table.TableOptions;
import kvant.lsm.value.ValueOptions;
import kvant.lsm.version.Levels;
import kvant.text.Units;
import kvant.text.command.OptionGroups.Heading;
import kvant.text.command.SizeOption;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options of the LSM engine. The engine's defaults apply to options that are not given.
@Heading("LSM engine")
public final class LsmFlags {

    public enum Style {
        LEVELED,
        UNIVERSAL
    }

    /// Minimum memtable. A smaller one would produce files of a record or two.
    private static final long SMALLEST_MEMTABLE_BYTES = 64 << 10;

    private static final long LARGEST_MEMTABLE_BYTES = 1L << 30;

    /// Minimum size of a separated value. The record for a smaller one takes as much space as the value.
    private static final long SMALLEST_SEPARATE_BYTES = 512;

    private static final String OFF = "off";

    /// Minimum size of a useful cache.
    private static final long SMALLEST_CACHE_BYTES = 1 << 20;

    /// Maximum cache size, in multiples of the heap. Each 4 KiB of cache takes 250 bytes of heap; more would fill half.
    private static final int HEAPS_OF_CACHE = 8;

    @Option(
            names = "--lsm.memtable",
            converter = SizeOption.class,
            paramLabel = "SIZE",
            description = "Size at which a memtable is flushed (default: a sixteenth of the heap, at most 64MiB).")
    private @Nullable Long memtable;

    @Option(
            names = "--lsm.cache",
            converter = SizeOption.class,
            paramLabel = "SIZE",
            description = "Memory outside the heap for filters, indexes and decompressed blocks of tables"
                    + " (default: half of the heap, at most 1GiB).")
    private @Nullable Long cache;

    @Option(
            names = "--lsm.compaction",
            paramLabel = "STYLE",
            description = "leveled (less space) or universal (fewer writes, but a full merge needs twice the space, on"
                    + " one thread) (default: leveled).")
    private @Nullable Style compaction;

    @Option(
            names = "--lsm.compaction-threads",
            paramLabel = "N",
            description = "Merges that run at a time (default: half of the cores, at most 4).")
    private @Nullable Integer compactionThreads;

    @Option(
            names = "--lsm.compaction-rate",
            converter = SizeOption.class,
            paramLabel = "SIZE",
            description =
                    "Bytes per second that all merges together write, 0 for no limit (default: no limit, but merges"
                            + " and flushes yield to requests while they are not urgent).")
    private @Nullable Long compactionRate;

    @Option(
            names = "--lsm.compression",
            paramLabel = "LEVELS",
            description = "none, lz4 or zstd for level 0, 1 and so on, the last one for all deeper levels, such as"
                    + " none,none,lz4,zstd (default: none).")
    private @Nullable String compression;

    @Option(
            names = "--lsm.separate-values",
            paramLabel = "SIZE",
            description = "Size from which values are stored in separate files that merges do not rewrite, or off"
                    + " (default: 4KiB, and off where --lsm.compression compresses the last level).")
    private @Nullable String separateValues;

    @Option(
            names = "--lsm.open-ranges",
            paramLabel = "N",
            description = "Ranges open at a time; more are refused (default: one for 64KiB of heap, 256 to 16384).")
    private @Nullable Integer openRanges;

    @Option(
            names = "--lsm.range-life",
            paramLabel = "SECONDS",
            description = "Time after which a range is broken off, so that it does not keep old files on the disk"
                    + " (default: 600).")
    private @Nullable Integer rangeLife;

    @Option(
            names = "--lsm.log-dir",
            paramLabel = "DIR",
            description =
                    "Directory for the logs alone, on another disk: empty, or the one that the store used. Give the"
                            + " data directory to move the logs back (default: in the data directory).")
    private @Nullable Path logDirectory;

    @Option(
            names = "--max-data",
            converter = SizeOption.class,
            paramLabel = "SIZE",
            description = "Size of the store (engine lsm) from which writes other than deletes get 507; at least two"
                    + " memtables (default: as much as the disk holds).")
    private @Nullable Long maxData;

    @Option(
            names = "--changes-retain",
            converter = SizeOption.class,
            paramLabel = "SIZE",
            description =
                    "Bytes of flushed logs kept for clients of /v0/changes that resume after a pause; deleted first"
                            + " when the disk is full; 0, or at least two memtables (default: 0).")
    private @Nullable Long changesRetain;

    /// @throws IllegalArgumentException when a value is invalid
    public LsmOptions options(Durability durability) {
        LsmOptions options = LsmOptions.defaults().withDurability(durability);
        if (memtable != null) {
            if (memtable < SMALLEST_MEMTABLE_BYTES || memtable > LARGEST_MEMTABLE_BYTES) {
                throw new IllegalArgumentException("'--lsm.memtable' is 64 KiB to 1 GiB, not " + Units.bytes(memtable));
            }
            options = options.withMemtable(memtable);
        }
        CompactionOptions usual = options.compaction();
        CompactionOptions merging = new CompactionOptions(
                compaction == null ? usual.picker() : picker(compaction, options.memtableBytes()),
                compactionThreads == null ? usual.threads() : compactionThreads,
                compactionRate == null ? usual.bytesPerSecond() : compactionRate);
        TableOptions table = tables(options.table());
        ValueOptions values = options.values().from(separateBytes(table));
        return options.with(draft -> {
            draft.compaction = merging;
            draft.table = table;
            draft.values = values;
            draft.maxOpenScans = openRanges == null ? draft.maxOpenScans : openRanges;
            draft.maxScanLife = rangeLife == null ? draft.maxScanLife : rangeLife(rangeLife);
            draft.maxDataBytes = maxData == null
                    ? LsmOptions.UNLIMITED
                    : twoMemtables("'--max-data' is", maxData, draft.memtableBytes);
            draft.logPlace = logPlace();
            draft.retainedLogBytes = changesRetain == null || changesRetain == 0
                    ? 0
                    : twoMemtables("'--changes-retain' is 0 or", changesRetain, draft.memtableBytes);
        });
    }

    /// The defaults that depend on memory, cores or other options, by key; empty where nothing is set.
    public static Map<String, String> computedDefaults(LsmOptions options) {
        long separate = options.values().separateBytes();
        return Map.of(
                "lsm.memtable",
                SizeOption.text(options.memtableBytes()),
                "lsm.cache",
                SizeOption.text(options.table().cacheBytes()),
                "lsm.compaction-threads",
                String.valueOf(options.compaction().threads()),
                "lsm.separate-values",
                separate == ValueOptions.NEVER ? OFF : SizeOption.text(separate),
                "lsm.open-ranges",
                String.valueOf(options.maxOpenScans()),
                "lsm.compaction-rate",
                "",
                "lsm.log-dir",
                "",
                "max-data",
                "");
    }

    private LogPlace logPlace() {
        return logDirectory == null ? LogPlace.INSIDE : LogPlace.in(logDirectory.toAbsolutePath());
    }

    /// The directory for the logs of the store, or null if no option sets it.
    public @Nullable Path logDirectory() {
        return logDirectory;
    }

    private static Duration rangeLife(int seconds) {
        if (seconds < 1) {
            throw new IllegalArgumentException("'--lsm.range-life' is at least 1 s, not " + seconds + " s");
        }
        return Duration.ofSeconds(seconds);
    }

    /// A size of at least two memtables. With less, data in memory alone would make the store refuse writes, and no log
    /// would be retained, because a log may be as large as a memtable.
    ///
    /// @param option its name, and what else it may be
    public static long twoMemtables(String option, long bytes, long memtableBytes) {
        if (bytes < 2 * memtableBytes) {
            throw new IllegalArgumentException(option + " at least two memtables, " + Units.bytes(2 * memtableBytes)
                    + ", not " + Units.bytes(bytes));
        }
        return bytes;
    }

    private TableOptions tables(TableOptions usual) {
        TableOptions table = usual;
        if (compression != null) {
            table = table.withCompression(Compression.parseLevels(compression));
        }
        if (cache != null) {
            if (cache < SMALLEST_CACHE_BYTES) {
                throw new IllegalArgumentException("'--lsm.cache' is at least 1 MiB, not " + Units.bytes(cache));
            }
            long most = HEAPS_OF_CACHE * Runtime.getRuntime().maxMemory();
            if (cache > most) {
                throw new IllegalArgumentException("'--lsm.cache' is at most " + HEAPS_OF_CACHE + " times the heap, "
                        + Units.bytes(most) + ", not " + Units.bytes(cache) + ": -Xmx makes the heap larger");
            }
            table = table.withCache(cache);
        }
        return table;
    }

    /// Minimum size of separated values. Value files are not compressed, so by default a compressed store has none.
    private long separateBytes(TableOptions table) {
        if (separateValues == null) {
            boolean compressed = table.compressionOf(Levels.LAST) != Compression.NONE;
            return compressed ? ValueOptions.NEVER : ValueOptions.DEFAULT.separateBytes();
        }
        if (separateValues.equals(OFF)) {
            return ValueOptions.NEVER;
        }
        long bytes = Units.bytes(separateValues);
        if (bytes < SMALLEST_SEPARATE_BYTES) {
            throw new IllegalArgumentException(
                    "'--lsm.separate-values' is 512 B or more, or off, not " + Units.bytes(bytes));
        }
        return bytes;
    }

    private static Picker picker(Style style, long memtableBytes) {
        return switch (style) {
            case LEVELED -> Leveled.above(memtableBytes);
            case UNIVERSAL -> Universal.DEFAULT;
        };
    }
}
