package kvant.lsm.value;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import kvant.engine.EngineException;
import kvant.lsm.bytes.Opened;
import kvant.lsm.record.ValuePointer;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.Storage;

/// Checks that a pointer refers to the value of its key, according to the record in the value file. Values themselves
/// are left to [ValueCheck]. Belongs to one thread.
public final class PointerCheck implements AutoCloseable {

    /// The keys of one table refer to many files in turn.
    private static final int MAX_OPEN_FILES = 128;

    private record Open(Arena arena, MemorySegment file) {}

    // Constant.
    private final Storage storage;

    // One thread.
    private final Map<Long, Open> open = new LinkedHashMap<>(16, 0.75f, true);

    public PointerCheck(Storage storage) {
        this.storage = storage;
    }

    /// @throws IndexOutOfBoundsException with the fault
    public void check(byte[] key, ValuePointer pointer) {
        String name = FileNames.values(pointer.file());
        try {
            requireRecord(file(pointer.file(), name), key, pointer, name);
        } catch (IOException _) {
            throw new IndexOutOfBoundsException("a record refers to " + name + ", which cannot be read");
        } catch (EngineException.Corruption | EngineException.CannotOpen _) {
            throw new IndexOutOfBoundsException(
                    "a record refers to " + name + " at " + pointer.offset() + ", where there is no value");
        }
    }

    private MemorySegment file(long number, String name) throws IOException {
        Open known = open.get(number);
        if (known != null) {
            return known.file();
        }
        if (open.size() == MAX_OPEN_FILES) {
            Iterator<Open> leastRecent = open.values().iterator();
            leastRecent.next().arena().close();
            leastRecent.remove();
        }
        try (Opened opened = new Opened()) {
            Arena arena = opened.add(Arena.ofConfined());
            MemorySegment file = storage.map(name, arena);
            open.put(number, new Open(arena, file));
            return opened.all(file);
        }
    }

    private static void requireRecord(MemorySegment file, byte[] key, ValuePointer pointer, String name) {
        long id = ValueFileDescriptor.checkHeader(file, name);
        long at = pointer.offset() - key.length - ValueFileDescriptor.RECORD_HEAD_BYTES;
        ValueFileDescriptor.Head head = ValueFileDescriptor.checkHead(file, at, id, name);
        byte[] found = new byte[head.keyLength()];
        MemorySegment.copy(
                file, ValueLayout.JAVA_BYTE, at + ValueFileDescriptor.RECORD_HEAD_BYTES, found, 0, found.length);
        boolean same = Arrays.equals(found, key)
                && head.valueLength() == pointer.length()
                && head.valueChecksum() == pointer.checksum();
        if (!same) {
            throw new IndexOutOfBoundsException(
                    "a record refers to " + name + " at " + pointer.offset() + ", where another value is");
        }
    }

    @Override
    public void close() {
        open.values().forEach(each -> each.arena().close());
        open.clear();
    }
}
