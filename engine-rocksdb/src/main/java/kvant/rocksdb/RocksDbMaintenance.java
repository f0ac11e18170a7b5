package kvant.rocksdb;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import kvant.engine.EngineException;
import kvant.engine.Inspection;
import kvant.engine.Inspection.Content;
import kvant.engine.Inspection.Figure;
import kvant.engine.Inspection.Unit;
import kvant.engine.Maintenance;
import kvant.engine.MetricSink;
import kvant.engine.directory.CheckpointTarget;
import kvant.engine.directory.DataDirectory;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Checkpoint;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.LiveFileMetaData;
import org.rocksdb.LogFile;
import org.rocksdb.RocksDBException;

/// The operator's tasks on an open RocksDB store, by RocksDB's own calls. Any thread may call it. A close of the
/// engine waits for running calls.
final class RocksDbMaintenance implements Maintenance {

    private static final int LEVELS = 7;

    private final Database database;
    private final InUse inUse;

    // Guarded by this.
    private @Nullable CompactRangeOptions compacting;

    // Written once.
    private volatile boolean cancelled;

    RocksDbMaintenance(Database database, InUse inUse) {
        this.database = database;
        this.inUse = inUse;
    }

    @Override
    public Inspection inspect() {
        int ticket = inUse.enter();
        try {
            List<Content> tables = new ArrayList<>();
            for (LiveFileMetaData file : database.rocks.getLiveFilesMetaData()) {
                tables.add(new Content(
                        file.level(),
                        file.fileName().substring(file.fileName().lastIndexOf('/') + 1),
                        1,
                        file.size(),
                        file.numEntries(),
                        file.numDeletions(),
                        file.smallestSeqno(),
                        file.largestSeqno()));
            }
            return new Inspection(RocksDbEngine.NAME, figures(tables), runs(tables), tables, logs());
        } catch (RocksDBException e) {
            throw RocksDbErrors.ofRead(e, database.path);
        } finally {
            inUse.exit(ticket);
        }
    }

    /// Each table of level 0 is a run of its own.
    private static List<Content> runs(List<Content> tables) {
        List<Content> runs = new ArrayList<>();
        for (int level = 0; level < LEVELS; level++) {
            Content sum = new Content(level, "level " + level, 0, 0, 0, 0, 0, 0);
            for (Content table : tables) {
                if (table.level() == level && level == 0) {
                    runs.add(table);
                } else if (table.level() == level) {
                    sum = sum.plus(table, sum.name());
                }
            }
            if (sum.tables() > 0) {
                runs.add(sum);
            }
        }
        return runs;
    }

    private List<Figure> figures(List<Content> tables) throws RocksDBException {
        return List.of(
                new Figure("last_sequence", Unit.COUNT, database.rocks.getLatestSequenceNumber()),
                new Figure("memtable_bytes", Unit.BYTES, property("rocksdb.cur-size-all-mem-tables")),
                new Figure("tables", Unit.COUNT, tables.size()),
                new Figure(
                        "table_bytes",
                        Unit.BYTES,
                        tables.stream().mapToLong(Content::bytes).sum()),
                new Figure("records", Unit.COUNT, property("rocksdb.estimate-num-keys")),
                new Figure("live_bytes", Unit.BYTES, property("rocksdb.estimate-live-data-size")));
    }

    private List<Inspection.Log> logs() throws RocksDBException {
        List<Inspection.Log> logs = new ArrayList<>();
        for (LogFile log : database.rocks.getSortedWalFiles()) {
            logs.add(new Inspection.Log(
                    log.pathName().substring(log.pathName().lastIndexOf('/') + 1), log.sizeFileBytes()));
        }
        return logs;
    }

    /// RocksDB writes out its memtables first, then links its tables.
    @Override
    public void checkpoint(Path target, Progress progress) {
        CheckpointTarget place = CheckpointTarget.of(database.path.resolve(".."), target);
        int ticket = inUse.enter();
        boolean done = false;
        try (Checkpoint checkpoint = Checkpoint.create(database.rocks)) {
            DataDirectory.create(place.unfinished(), RocksDbEngine.NAME, database.path.resolve(".."));
            checkpoint.createCheckpoint(
                    place.unfinished().resolve(RocksDbEngine.NAME).toString());
            sync(place.unfinished());
            Files.move(place.unfinished(), place.path(), StandardCopyOption.ATOMIC_MOVE);
            done = true;
            sync(place.parent());
        } catch (RocksDBException | IOException e) {
            throw RocksDbErrors.ofCheckpoint(e);
        } finally {
            inUse.exit(ticket);
            if (!done) {
                place.discard();
            }
        }
    }

    @Override
    public void compact(Progress progress) {
        int ticket = inUse.enter();
        try (CompactRangeOptions options = new CompactRangeOptions()) {
            if (!begin(options)) {
                throw new EngineException.Busy("a compaction is running: try again when it has ended");
            }
            try {
                database.rocks.compactRange(database.rocks.getDefaultColumnFamily(), null, null, options);
            } finally {
                end();
            }
        } catch (RocksDBException e) {
            throw cancelled ? new EngineException.Closed() : RocksDbErrors.ofWrite(e, database.path);
        } finally {
            inUse.exit(ticket);
        }
    }

    /// Aborts a running compaction and prevents further ones, because the engine is being closed.
    synchronized void cancel() {
        cancelled = true;
        if (compacting != null) {
            compacting.setCanceled(true);
        }
    }

    /// @return false when another one is running
    private synchronized boolean begin(CompactRangeOptions options) {
        if (cancelled) {
            throw new EngineException.Closed();
        }
        if (compacting != null) {
            return false;
        }
        compacting = options;
        return true;
    }

    private synchronized void end() {
        compacting = null;
    }

    /// A modest set of RocksDB's properties; none of them costs more than a look.
    void measure(MetricSink sink) {
        int ticket = inUse.enter();
        try {
            for (int level = 0; level < LEVELS; level++) {
                long files = Long.parseLong(database.rocks.getProperty("rocksdb.num-files-at-level" + level));
                sink.gauge("kvant_rocksdb_level_tables", "Tables of a level.", files, "level", Integer.toString(level));
            }
            gauge(sink, "table_bytes", "Bytes of all tables.", "rocksdb.live-sst-files-size");
            gauge(sink, "memtable_bytes", "Memory of all memtables.", "rocksdb.cur-size-all-mem-tables");
            gauge(sink, "keys_estimate", "Keys, as RocksDB estimates.", "rocksdb.estimate-num-keys");
            gauge(sink, "block_cache_bytes", "Memory of cached blocks.", "rocksdb.block-cache-usage");
            gauge(sink, "snapshots", "Snapshots that scans hold.", "rocksdb.num-snapshots");
            gauge(sink, "flushes_running", "Flushes running now.", "rocksdb.num-running-flushes");
            gauge(sink, "compactions_running", "Compactions running now.", "rocksdb.num-running-compactions");
            gauge(
                    sink,
                    "compaction_pending_bytes",
                    "Bytes that wait to be merged.",
                    "rocksdb.estimate-pending-compaction-bytes");
        } catch (RocksDBException e) {
            throw RocksDbErrors.ofRead(e, database.path);
        } finally {
            inUse.exit(ticket);
        }
    }

    private void gauge(MetricSink sink, String name, String help, String property) throws RocksDBException {
        sink.gauge("kvant_rocksdb_" + name, help, property(property));
    }

    private long property(String name) throws RocksDBException {
        return database.rocks.getLongProperty(name);
    }

    private static void sync(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory)) {
            channel.force(true);
        }
    }
}
