package kvant.lsm.recover;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import kvant.engine.EngineException;
import kvant.lsm.memtable.ArenaMemtable;
import kvant.lsm.memtable.MappedLog;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.memtable.ReplayBuffer;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.ReadFault;
import kvant.lsm.storage.Storage;
import kvant.lsm.store.StoreOptions;
import kvant.lsm.table.TableContext;
import kvant.lsm.table.TableInfo;
import kvant.lsm.value.ValueSeparation;
import kvant.lsm.version.Levels;
import kvant.lsm.version.LogInfo;
import kvant.lsm.version.Manifest;
import kvant.lsm.version.ManifestState;
import kvant.lsm.version.RunWriter;
import kvant.lsm.version.VersionEdit;
import kvant.lsm.version.VersionSet;
import kvant.lsm.version.WrittenRun;
import kvant.lsm.wal.FileHeader;
import kvant.lsm.wal.GroupDescriptor;
import kvant.lsm.wal.LogPlaces;
import kvant.lsm.wal.RecordReader;
import kvant.lsm.wal.RecordType;
import kvant.lsm.wal.RecoveredLogs;

/// The recovery of a store: it reads the manifest, opens the tables, and replays the logs in order.
///
/// While runs are written of the records read, the next ones are read. Runs become part of the store in the order of
/// their records.
///
/// Memory is bounded, regardless of the content: small records are copied, as many as a memtable takes, and values
/// are not. They go from the mapped logs into the runs, in pieces.
///
/// Every step may be interrupted and repeated: nothing is deleted before the manifest no longer names it, a record
/// that is already in a table is skipped by its sequence number, and a torn tail ends at the same place again.
public final class Recovery {

    /// Divisor: the part of the heap for log records of each run being written, even where memtables may take more.
    /// So a start needs no larger heap than the present one.
    private static final int HEAPS_OF_REPLAY = 8;

    /// Bytes of a few logs that a tool begins and writes nothing to.
    private static final long OWN_LOG_BYTES = 4 * VersionSet.LEAST_LOG_BYTES;

    // Constant.
    private final Storage storage;
    private final StoreOptions options;
    private final VersionSet versions;
    private final boolean retires;
    private final long retainedLogBytes;
    private final long heldLogBytes;
    private final long startNanos;
    private final Memtable memtable;

    /// Whether runs that are being written are no longer needed.
    private volatile boolean abandoned;

    /// Of logs whose values the buffers refer to.
    private final Arena mappings = Arena.ofShared();

    // One thread.
    private final List<Long> logsInMemtable = new ArrayList<>();
    private final List<Long> emptyLogs = new ArrayList<>();
    private final Map<Long, Long> writtenBytes = new TreeMap<>(); // of the logs that were replayed
    private ReplayBuffer buffer;
    private final ArrayDeque<ReplayFlush> flushes = new ArrayDeque<>();
    private FileHeader.Predecessor previous = FileHeader.Predecessor.NONE;
    private long previousValidSize;
    private FileHeader.Predecessor end = FileHeader.Predecessor.NONE;
    private boolean unfinished;
    private long lastSequence;
    private long mutations;
    private long tornBytes;
    private long replayedBytes;
    private int logs;

    private Recovery(
            Storage storage,
            StoreOptions options,
            VersionSet versions,
            Memtable memtable,
            boolean retires,
            long startNanos) {
        this.retires = retires;
        this.retainedLogBytes = retires ? 0 : options.retainedLogBytes();
        this.heldLogBytes = retires ? 0 : options.heldLogBytes();
        this.startNanos = startNanos;
        this.storage = storage;
        this.options = options;
        this.versions = versions;
        this.buffer = new ReplayBuffer(replayBytes(options));
        this.memtable = memtable;
    }

    /// @param memtables makes an empty one
    /// @throws EngineException.Corruption naming the file that is damaged or missing
    /// @throws EngineException.CannotOpen when a newer version wrote the store, or its manifest is missing
    public static Recovery run(Storage storage, StoreOptions options, Supplier<Memtable> memtables) throws IOException {
        return run(storage, options, memtables, false);
    }

    /// Brings the content of a store's logs into tables. After that no log is needed, and none is kept.
    ///
    /// @throws EngineException as [#run]
    public static void retireLogs(Storage storage, StoreOptions options) throws IOException {
        run(storage, options, () -> new ArenaMemtable(1), true).versions.close();
    }

    /// Bytes of replayed records that become a run.
    public static long replayBytes(StoreOptions options) {
        return Math.min(options.memtableBytes(), Runtime.getRuntime().maxMemory() / HEAPS_OF_REPLAY);
    }

    private static Recovery run(Storage storage, StoreOptions options, Supplier<Memtable> memtables, boolean retires)
            throws IOException {
        long startNanos = System.nanoTime();
        ManifestState state = Manifest.read(storage);
        state.refuseMissingFiles(storage);
        refuseNewerLogs(storage, state);
        VersionSet versions = VersionSet.open(
                storage,
                options.random(),
                options.manifestBytes(),
                state,
                new TableContext(options.table().cacheBytes()));
        boolean recovered = false;
        Recovery recovery = null;
        try {
            recovery = new Recovery(storage, options, versions, memtables.get(), retires, startNanos);
            recovery.deleteStrays(); // first: the next files may get their numbers
            recovery.replayLogs();
            recovery.fillMemtable();
            recovery.writtenBytes.forEach((log, bytes) -> LogPlaces.cutRoom(storage, log, bytes));
            versions.obsolete().delete();
            recovered = true;
            return recovery;
        } finally {
            if (!recovered) {
                try (versions) {
                    if (recovery != null) {
                        recovery.abandon();
                    }
                }
            }
        }
    }

    /// A log that the manifest does not name holds nothing beyond the tables: it was flushed, or had not got a record
    /// yet. One that holds more proves that the manifest has lost its end; deleting it as stray would lose
    /// acknowledged writes.
    ///
    /// @throws EngineException.Corruption naming the manifest, or a log that the disk cannot read
    private static void refuseNewerLogs(Storage storage, ManifestState state) throws IOException {
        for (String file : storage.list()) {
            Long number = FileNames.logNumber(file);
            if (number != null
                    && !state.logs().contains(number)
                    && LogPlaces.holdsGroup(storage, number, state.flushedSequence())) {
                throw new EngineException.Corruption(
                        storage.describe(FileNames.MANIFEST),
                        0,
                        "its end is missing: it does not name " + file + ", which holds writes that no table has");
            }
        }
    }

    public VersionSet versions() {
        return versions;
    }

    /// The memtable with those records of the logs that no table has.
    public Memtable memtable() {
        return memtable;
    }

    public RecoveredLogs recoveredLogs() {
        return new RecoveredLogs(end, List.copyOf(logsInMemtable), List.copyOf(emptyLogs));
    }

    public long lastSequence() {
        return lastSequence;
    }

    public RecoveryReport report() {
        return new RecoveryReport(
                logs,
                mutations,
                tornBytes,
                versions.state().tables().size(),
                replayedBytes,
                System.nanoTime() - startNanos);
    }

    private void replayLogs() throws IOException {
        ManifestState state = versions.state();
        lastSequence = state.flushedSequence();
        for (TableInfo table : state.tables()) {
            lastSequence = Math.max(lastSequence, table.lastSequence());
        }
        for (long number : List.copyOf(state.logs())) {
            replay(number);
        }
        if (unfinished || retires) {
            retireReplayed();
        }
        finishFlushes();
        if (retires && !emptyLogs.isEmpty()) {
            versions.apply(VersionEdit.logsEnded(emptyLogs));
        }
        keepEmptyLogsBetween();
    }

    /// A log that holds nothing stays where it lies between two that stay: the one behind it names it.
    private void keepEmptyLogsBetween() {
        if (logsInMemtable.isEmpty()) {
            return;
        }
        long first = logsInMemtable.getFirst();
        long last = logsInMemtable.getLast();
        List<Long> between =
                emptyLogs.stream().filter(log -> log > first && log < last).toList();
        emptyLogs.removeAll(between);
        logsInMemtable.addAll(between);
        logsInMemtable.sort(null);
    }

    /// Moves the remaining records of the logs into the memtable; no log is needed any more.
    private void fillMemtable() {
        buffer.copyTo(memtable);
        buffer = new ReplayBuffer(replayBytes(options));
        mappings.close();
    }

    private void replay(long number) throws IOException {
        String file = FileNames.log(number);
        long bytes = storage.size(file);
        try {
            MappedLog mapped = new MappedLog(storage, file, storage.map(file, mappings));
            RecordReader log = new RecordReader(mapped.bytes(), FileHeader.Kind.LOG, storage.describe(file));
            checkIdentity(log.header(), number);
            checkChain(log.header());
            long before = mutations;
            logsInMemtable.add(number);
            boolean finished = false;
            while (log.next()) {
                finished = log.type() == RecordType.END;
                switch (log.type()) {
                    case RecordType.GROUP -> replayGroup(log, mapped);
                    case RecordType.END -> {}
                    default -> throw log.unexpectedType();
                }
            }
            finished &= log.tornBytes() == 0;
            tornBytes += log.tornBytes();
            replayedBytes += log.validSize();
            logs++;
            previous = new FileHeader.Predecessor(number, finished ? log.offset() : log.validSize(), lastSequence);
            previousValidSize = log.validSize();
            checkEnd(number, log.validSize());
            writtenBytes.put(number, log.validSize() + log.tornBytes());
            if (mutations == before) {
                logsInMemtable.remove(number);
                emptyLogs.add(number);
            } else {
                end = previous;
            }
            unfinished = !finished && mutations > before;
        } catch (InternalError _) { // of the mapping; the JVM may throw it some instructions late
            throw ReadFault.damage(storage, file, bytes, 0);
        }
    }

    /// Handles the last log, during whose writing the process ended. The records read from it may be in the page
    /// cache only, even where a sync of it had failed before, and a sync now would not show that. So it is not
    /// relied on any more: its records become a run, which is durable before any reader sees them, and the torn
    /// tail is deleted with the log.
    private void retireReplayed() throws IOException {
        if (!buffer.isEmpty()) {
            flush(false);
        }
        finishFlushes();
        emptyLogs.addAll(logsInMemtable);
        logsInMemtable.clear();
    }

    /// Checks the length of a finished log against the manifest: missing bytes were not torn by a crash.
    private void checkEnd(long number, long validSize) {
        LogInfo log = versions.state().log(number);
        String shortfall = log == null ? null : log.shortfall(validSize, lastSequence);
        if (shortfall != null) {
            throw new EngineException.Corruption(storage.describe(FileNames.log(number)), validSize, shortfall);
        }
    }

    private void checkIdentity(FileHeader header, long number) {
        if (!versions.state().isLog(number, header.id())) {
            throw new EngineException.Corruption(
                    storage.describe(FileNames.log(number)),
                    0,
                    "it is not the log in the manifest, but a different one of the same name");
        }
    }

    /// Checks the length of every log but the last, which was synced before its successor was begun: missing bytes
    /// were not torn by a crash. An end record counts like any other: a failed and repeated change of logs leaves
    /// several, and a power cut may take the last of them although a successor names the size before it.
    private void checkChain(FileHeader header) {
        FileHeader.Predecessor named = header.predecessor();
        if (previous.number() != 0 && (named.number() != previous.number() || named.size() > previousValidSize)) {
            throw new EngineException.Corruption(
                    storage.describe(FileNames.log(previous.number())),
                    previousValidSize,
                    "a record is not valid; the log after it says that " + named.size() + " bytes of log "
                            + named.number() + " were synced");
        }
    }

    private void replayGroup(RecordReader log, MappedLog mapped) throws IOException {
        long flushed = versions.state().flushedSequence();
        long payloadAt = log.payloadOffset();
        long last = GroupDescriptor.decode(
                log, log.reader(), (sequence, kind, key, valueAt, valueLength, expiresAtMillis) -> {
                    if (sequence > flushed) {
                        buffer.add(sequence, kind, key, mapped, payloadAt + valueAt, valueLength, expiresAtMillis);
                        mutations++;
                        if (!buffer.hasRoom()) {
                            flush(true);
                        }
                    }
                });
        lastSequence = Math.max(lastSequence, last);
        if (buffer.isFull() && !buffer.isEmpty()) {
            // Keeps memory bounded. The log that is being read stays.
            flush(true);
        }
    }

    /// Starts writing the records read so far as a run, once there is room for them. Logs without records end with
    /// it: the remaining ones must follow one another without a gap, because each states the size of the one before
    /// it.
    ///
    /// @param currentStays whether more is to be read of the last log
    private void flush(boolean currentStays) throws IOException {
        if (flushes.size() == options.replayThreads()) {
            finish(flushes.remove());
        }
        ValueSeparation.Plan plan = new ValueSeparation.Plan(options.values(), versions.values(), Set.of());
        RunWriter.Pace pace = _ -> refuseAbandoned();
        RunWriter writer =
                new RunWriter(storage, options.random(), versions::nextFileNumber, options.table(), pace, plan);
        List<Long> ended = new ArrayList<>(emptyLogs);
        ended.addAll(currentStays ? logsInMemtable.subList(0, logsInMemtable.size() - 1) : logsInMemtable);
        emptyLogs.clear();
        logsInMemtable.removeAll(ended);
        flushes.add(ReplayFlush.begin(buffer, Levels.newestRun(versions.nextFileNumber()), writer, ended));
        buffer = new ReplayBuffer(replayBytes(options));
    }

    private void refuseAbandoned() throws InterruptedIOException {
        if (abandoned) {
            throw new InterruptedIOException("the store could not be opened");
        }
    }

    /// Ends the work of the other threads, and deletes their files.
    private void abandon() {
        abandoned = true;
        for (ReplayFlush flush : flushes) {
            WrittenRun run = flush.written();
            if (run != null) {
                versions.obsolete().discard(run);
            }
        }
        if (mappings.scope().isAlive()) {
            mappings.close();
        }
    }

    private void finishFlushes() throws IOException {
        while (!flushes.isEmpty()) {
            finish(flushes.remove());
        }
    }

    /// Waits for a run, the oldest that is being written, and makes it part of the store.
    private void finish(ReplayFlush oldest) throws IOException {
        versions.apply(VersionEdit.flush(oldest.await(), oldest.logs(), oldest.lastSequence()));
    }

    /// Whether a log may have been kept for followers of changes: the manifest has known its number, and it holds a
    /// group. Any other log may be in the way of the next files.
    private boolean isRetained(long log) throws IOException {
        if (retainedLogBytes == 0 && heldLogBytes == 0
                || log >= versions.state().nextFileNumber()) {
            return false;
        }
        return LogPlaces.holdsGroup(storage, log, 0);
    }

    /// Deletes the remains of a crash: tables, value files and logs that the manifest does not name, the log in
    /// preparation, and an unfinished manifest. Logs that are kept without being named stay.
    private void deleteStrays() throws IOException {
        ManifestState state = versions.state();
        List<Long> retained = new ArrayList<>();
        for (String file : storage.list()) {
            Long log = FileNames.logNumber(file);
            if (!state.isStray(file)) {
                continue;
            }
            if (log != null && isRetained(log)) {
                LogPlaces.cutRoom(storage, log); // before it is charged
                retained.add(log);
            } else {
                storage.delete(file);
            }
        }
        versions.obsolete().retainLogs(retainedLogBytes(retained), heldLogBytes, retained);
    }

    /// The bound on kept logs from now on. The logs being replayed will soon be among them, and so will the first
    /// ones of this start; neither displaces the kept ones.
    private long retainedLogBytes(List<Long> found) {
        if (retainedLogBytes != StoreOptions.AS_FOUND) {
            return retainedLogBytes;
        }
        if (found.isEmpty()) {
            return 0;
        }
        long replayed = versions.obsolete().bytesOfLogs(versions.state().logs());
        return versions.obsolete().bytesOfLogs(found) + replayed + OWN_LOG_BYTES;
    }
}
