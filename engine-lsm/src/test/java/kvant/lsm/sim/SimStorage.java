package kvant.lsm.sim;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import kvant.lsm.storage.Storage;
import kvant.lsm.storage.WritableFile;

/// A directory in memory that knows what is durable: bytes that were synced, and names whose directory was
/// synced. Everything else survives a power cut in part, as the seed will have it.
///
///     crashed(random)   after a power cut: synced bytes and names, any part of the rest
///     killed()          after the end of the process: everything, synced or not
///
/// It also fails on demand ([#fail]), shows each call to an observer, and records violations: writes to or syncs of a
/// file whose sync has failed. One lock guards everything, and the observer runs under it.
public final class SimStorage implements Storage {

    private static final int REMEMBERED_CALLS = 60;

    /// The step in which preallocation grows a file.
    private static final int PIECE_BYTES = 1_000;

    // Guarded by this.
    private final Map<String, SimFile> names = new TreeMap<>();
    private final Map<String, SimFile> durableNames = new TreeMap<>();
    private final List<NameChange> unsyncedNames = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private final List<Arena> maps = new ArrayList<>();
    private final Deque<Call> lastCalls = new ArrayDeque<>();
    private Faults faults = Faults.NONE;
    private Consumer<Call> observer = _ -> {};
    private long calls;
    private long faultsHit;
    private long usableBytes = Long.MAX_VALUE;
    private int openFiles;

    // For the test.

    /// The disk after a power cut now.
    public synchronized SimStorage crashed(RandomGenerator random) {
        Map<String, SimFile> survivors = new TreeMap<>(durableNames);
        int mode = random.nextInt(4);
        int prefix = random.nextInt(unsyncedNames.size() + 1);
        for (int i = 0; i < unsyncedNames.size(); i++) {
            boolean survives = switch (mode) {
                case 0 -> false;
                case 1 -> true;
                case 2 -> i < prefix;
                default -> random.nextBoolean();
            };
            if (survives) {
                unsyncedNames.get(i).applyTo(survivors);
            }
        }
        SimStorage image = new SimStorage();
        survivors.forEach((name, file) -> image.names.put(name, file.cut(random)));
        image.durableNames.putAll(image.names);
        return image;
    }

    /// The disk after a kill of the process now: nothing is lost, nothing has become durable.
    public synchronized SimStorage killed() {
        SimStorage image = new SimStorage();
        Map<SimFile, SimFile> copies = new HashMap<>();
        names.forEach((name, file) -> image.names.put(name, copies.computeIfAbsent(file, SimFile::killed)));
        durableNames.forEach(
                (name, file) -> image.durableNames.put(name, copies.computeIfAbsent(file, SimFile::killed)));
        for (NameChange change : unsyncedNames) {
            image.unsyncedNames.add(change.of(copies.computeIfAbsent(change.file(), SimFile::killed)));
        }
        return image;
    }

    /// All that [#killed] copies.
    synchronized DiskState state() {
        return new DiskState(new TreeMap<>(names), new TreeMap<>(durableNames), new ArrayList<>(unsyncedNames));
    }

    /// A disk that holds this.
    static SimStorage of(DiskState state) {
        SimStorage storage = new SimStorage();
        storage.names.putAll(state.names());
        storage.durableNames.putAll(state.durableNames());
        storage.unsyncedNames.addAll(state.unsyncedNames());
        return storage;
    }

    /// Shows every later call to an observer, after it has been carried out and before it returns.
    public synchronized void observe(Consumer<Call> newObserver) {
        observer = newObserver;
    }

    public synchronized void fail(Faults newFaults) {
        faults = newFaults;
    }

    /// The number of calls that were made to fail.
    public synchronized long faultsHit() {
        return faultsHit;
    }

    public synchronized long calls() {
        return calls;
    }

    /// The last calls, for the message of a failure.
    public synchronized String trace() {
        return lastCalls.toString();
    }

    public synchronized void setUsableBytes(long bytes) {
        usableBytes = bytes;
    }

    /// Calls on files whose sync had failed.
    public synchronized List<String> violations() {
        return List.copyOf(violations);
    }

    /// Cuts bytes off the end of a file.
    public synchronized void damage(String name, int bytes) throws IOException {
        SimFile file = file(name);
        file.truncate(file.size() - bytes);
        file.sync();
    }

    /// The content of a file as the process sees it.
    public synchronized byte[] bytes(String name) throws IOException {
        return file(name).bytes();
    }

    /// A durable file.
    public synchronized void put(String name, byte[] bytes) {
        SimFile file = new SimFile();
        file.put(0, bytes);
        file.sync();
        names.put(name, file);
        durableNames.put(name, file);
    }

    /// Files that are open for writing.
    public synchronized int openFiles() {
        return openFiles;
    }

    /// Mappings that are still alive.
    public synchronized long openMaps() {
        maps.removeIf(arena -> !arena.scope().isAlive());
        return maps.size();
    }

    /// Whether some file of this ending has bytes that are not durable.
    public synchronized boolean hasUnsynced(String ending) {
        return names.entrySet().stream()
                .anyMatch(entry ->
                        entry.getKey().endsWith(ending) && entry.getValue().hasUnsynced());
    }

    public synchronized List<String> files() {
        return List.copyOf(names.keySet());
    }

    // The storage.

    /// A directory in this one, with a place for names that is synced by itself.
    public Storage directory(String name) {
        return new SimDirectory(this, name + "/");
    }

    @Override
    public List<String> list() throws IOException {
        return list("");
    }

    synchronized List<String> list(String directory) throws IOException {
        Call call = begin(Call.Operation.LIST, directory);
        List<String> listed = SimDirectory.namesIn(directory, names.keySet());
        observer.accept(call);
        return listed;
    }

    @Override
    public synchronized WritableFile create(String name) throws IOException {
        Call call = begin(Call.Operation.CREATE, name);
        if (names.containsKey(name)) {
            throw new FileAlreadyExistsException(name);
        }
        SimFile file = new SimFile();
        change(new NameChange.Create(name, file));
        openFiles++;
        observer.accept(call);
        return new Handle(name, file);
    }

    @Override
    public synchronized MemorySegment map(String name, Arena arena) throws IOException {
        Call call = begin(Call.Operation.MAP, name);
        byte[] bytes = file(name).bytes();
        MemorySegment segment = arena.allocate(Math.max(1, bytes.length), Long.BYTES);
        MemorySegment.copy(MemorySegment.ofArray(bytes), 0, segment, 0, bytes.length);
        maps.add(arena);
        observer.accept(call);
        return segment.asSlice(0, bytes.length).asReadOnly();
    }

    @Override
    public synchronized long size(String name) throws IOException {
        return file(name).bytes().length;
    }

    @Override
    public synchronized void truncate(String name, long size) throws IOException {
        Call call = begin(Call.Operation.TRUNCATE, name);
        file(name).truncate((int) size);
        observer.accept(call);
    }

    @Override
    public synchronized void rename(String from, String to) throws IOException {
        Call call = begin(Call.Operation.RENAME, from);
        change(new NameChange.Rename(from, to, file(from)));
        observer.accept(call);
    }

    @Override
    public synchronized void delete(String name) throws IOException {
        Call call = begin(Call.Operation.DELETE, name);
        change(new NameChange.Delete(name, file(name)));
        observer.accept(call);
    }

    @Override
    public void syncDirectory() throws IOException {
        syncDirectory("");
    }

    synchronized void syncDirectory(String directory) throws IOException {
        Call call = begin(Call.Operation.SYNC_DIRECTORY, directory);
        unsyncedNames.removeIf(change -> SimDirectory.isIn(directory, change.name()));
        durableNames.keySet().removeIf(name -> SimDirectory.isIn(directory, name));
        names.keySet().stream()
                .filter(name -> SimDirectory.isIn(directory, name))
                .forEach(name -> durableNames.put(name, names.get(name)));
        observer.accept(call);
    }

    @Override
    public synchronized long usableBytes() throws IOException {
        begin(Call.Operation.USABLE_BYTES, "");
        return usableBytes;
    }

    @Override
    public String describe(String name) {
        return "sim/" + name;
    }

    private void change(NameChange change) {
        unsyncedNames.add(change);
        change.applyTo(names);
    }

    private SimFile file(String name) throws IOException {
        SimFile file = names.get(name);
        if (file == null) {
            throw new NoSuchFileException(name);
        }
        return file;
    }

    /// Counts a call, and lets it fail when its turn has come.
    private Call begin(Call.Operation operation, String file) throws IOException {
        Call call = count(operation, file);
        if (isHit(call)) {
            throw faults.failure(call);
        }
        return call;
    }

    private Call count(Call.Operation operation, String file) {
        Call call = new Call(++calls, operation, file);
        lastCalls.addLast(call);
        if (lastCalls.size() > REMEMBERED_CALLS) {
            lastCalls.removeFirst();
        }
        return call;
    }

    private boolean isHit(Call call) {
        boolean hit = faults.hit(call);
        faultsHit += hit ? 1 : 0;
        return hit;
    }

    private void refuseDead(SimFile file, Call call) {
        if (file.isDead()) {
            violations.add(call + " after a failed sync of this file");
        }
    }

    private final class Handle implements WritableFile {

        private final String name;
        private final SimFile file;
        private int position;
        private boolean closed;

        Handle(String name, SimFile file) {
            this.name = name;
            this.file = file;
        }

        @Override
        public void write(ByteBuffer bytes) throws IOException {
            synchronized (SimStorage.this) {
                Call call = count(Call.Operation.WRITE, name);
                refuseDead(file, call);
                byte[] all = new byte[bytes.remaining()];
                bytes.get(all);
                if (isHit(call)) {
                    if (faults.kind() != Faults.Kind.ENOSPC) {
                        put(Arrays.copyOf(all, all.length / 2));
                    }
                    throw faults.failure(call);
                }
                put(all);
                observer.accept(call);
            }
        }

        @Override
        public void sync() throws IOException {
            synchronized (SimStorage.this) {
                Call call = count(Call.Operation.SYNC, name);
                refuseDead(file, call);
                if (isHit(call)) {
                    file.die();
                    throw faults.failure(call);
                }
                file.sync();
                observer.accept(call);
            }
        }

        /// As the disk does it: zeros at the end, which are then synced, in pieces.
        @Override
        public void preallocate(long bytes) throws IOException {
            for (int end = file.size(); end < bytes; ) {
                end = (int) Math.min(bytes, end + PIECE_BYTES);
                synchronized (SimStorage.this) {
                    Call call = count(Call.Operation.PREALLOCATE, name);
                    boolean hit = isHit(call);
                    if (!hit || faults.kind() != Faults.Kind.ENOSPC) {
                        file.put(file.size(), new byte[hit ? (end - file.size()) / 2 : end - file.size()]);
                    }
                    if (hit) {
                        throw faults.failure(call);
                    }
                    observer.accept(call);
                }
                sync();
            }
        }

        private void put(byte[] bytes) {
            file.put(position, bytes);
            position += bytes.length;
        }

        @Override
        public void truncate(long size) throws IOException {
            synchronized (SimStorage.this) {
                Call call = begin(Call.Operation.TRUNCATE, name);
                file.truncate((int) size);
                position = Math.min(position, (int) size);
                observer.accept(call);
            }
        }

        @Override
        public void close() {
            synchronized (SimStorage.this) {
                if (!closed) {
                    closed = true;
                    openFiles--;
                }
            }
        }
    }
}
