package kvant.lsm.storage;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/// Files in memory, for tests that damage them. Everything is durable at once.
public final class HeapStorage implements Storage {

    // Guarded by this.
    private final SortedMap<String, byte[]> files = new TreeMap<>();

    public HeapStorage() {}

    /// A copy, to damage.
    public synchronized HeapStorage copy() {
        HeapStorage copy = new HeapStorage();
        files.forEach((name, bytes) -> copy.files.put(name, bytes.clone()));
        return copy;
    }

    public synchronized byte[] bytes(String name) {
        byte[] bytes = files.get(name);
        if (bytes == null) {
            throw new AssertionError("no file " + name + " among " + files.keySet());
        }
        return bytes.clone();
    }

    /// The total size of the files with some names, at one moment.
    public synchronized long totalBytes(Predicate<String> names) {
        return files.entrySet().stream()
                .filter(file -> names.test(file.getKey()))
                .mapToLong(file -> file.getValue().length)
                .sum();
    }

    public synchronized HeapStorage put(String name, byte[] bytes) {
        files.put(name, bytes.clone());
        return this;
    }

    public synchronized void flipBit(String name, long bit) {
        existing(name)[(int) (bit / Byte.SIZE)] ^= (byte) (1 << bit % Byte.SIZE);
    }

    @Override
    public synchronized List<String> list() {
        return List.copyOf(files.keySet());
    }

    @Override
    public synchronized WritableFile create(String name) throws IOException {
        if (files.putIfAbsent(name, new byte[0]) != null) {
            throw new FileAlreadyExistsException(describe(name));
        }
        return new HeapFile(name);
    }

    @Override
    public synchronized MemorySegment map(String name, Arena arena) throws IOException {
        byte[] bytes = files.get(name);
        if (bytes == null) {
            throw new NoSuchFileException(describe(name));
        }
        return MemorySegment.ofArray(bytes).asReadOnly();
    }

    @Override
    public synchronized long size(String name) throws IOException {
        byte[] bytes = files.get(name);
        if (bytes == null) {
            throw new NoSuchFileException(describe(name));
        }
        return bytes.length;
    }

    /// Cuts a file, as a crash or an operator may.
    @Override
    public synchronized void truncate(String name, long size) {
        files.put(name, Arrays.copyOf(existing(name), (int) size));
    }

    @Override
    public synchronized void rename(String from, String to) {
        files.put(to, existing(from));
        files.remove(from);
    }

    @Override
    public synchronized void delete(String name) throws IOException {
        if (files.remove(name) == null) {
            throw new NoSuchFileException(describe(name));
        }
    }

    @Override
    public void syncDirectory() {
        // All names are durable.
    }

    @Override
    public long usableBytes() {
        return Long.MAX_VALUE;
    }

    @Override
    public String describe(String name) {
        return "heap/" + name;
    }

    private byte[] existing(String name) {
        byte[] bytes = files.get(name);
        if (bytes == null) {
            throw new AssertionError("no file " + name + " among " + files.keySet());
        }
        return bytes;
    }

    /// Follows its file through renames, as an open file does.
    private final class HeapFile implements WritableFile {

        private byte[] content;
        private int position;

        HeapFile(String name) {
            content = existing(name);
        }

        @Override
        public void write(ByteBuffer bytes) {
            int end = position + bytes.remaining();
            byte[] longer = Arrays.copyOf(content, Math.max(content.length, end));
            bytes.get(longer, position, bytes.remaining());
            position = end;
            replace(longer);
        }

        @Override
        public void preallocate(long bytes) {
            replace(Arrays.copyOf(content, Math.max(content.length, (int) bytes)));
        }

        @Override
        public void sync() {
            // Durable at once.
        }

        @Override
        public void truncate(long size) {
            replace(Arrays.copyOf(content, (int) size));
            position = Math.min(position, (int) size);
        }

        @Override
        public void close() {
            // Nothing is held.
        }

        private void replace(byte[] next) {
            synchronized (HeapStorage.this) {
                byte[] previous = content;
                files.replaceAll((_, bytes) -> bytes == previous ? next : bytes);
                content = next;
            }
        }
    }
}
