package kvant.lsm.value;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import kvant.lsm.record.Reading;
import kvant.lsm.record.Retired;
import kvant.lsm.record.ValuePointer;
import org.jspecify.annotations.Nullable;

/// The open value files of a store, by number. Any thread reads, without a lock; the thread that changes the version
/// adds and removes.
///
/// A file is added before the first version whose tables refer to it exists, and removed after the last one is gone.
/// So a reader that holds a version finds every file; a reader without one may come too late, as with tables.
public final class ValueFiles {

    /// A snapshot of the open files.
    ///
    /// @param numbers ascending
    /// @param files in the order of the numbers
    private record Open(long[] numbers, ValueFile[] files) {

        @Nullable
        ValueFile find(long number) {
            int at = Arrays.binarySearch(numbers, number);
            return at < 0 ? null : files[at];
        }
    }

    // Constant.
    private final Reading.Values waiting = pointer -> read(pointer, true);
    private final Reading.Values resident = pointer -> read(pointer, false);

    // Guarded by this.
    private final TreeMap<Long, ValueFile> byNumber = new TreeMap<>();

    // Written under the lock of this, read by anyone.
    private volatile Open open = new Open(new long[0], new ValueFile[0]);

    /// Reads every value, if need be from the disk.
    public Reading.Values waiting() {
        return waiting;
    }

    /// Reads the values that are in memory.
    public Reading.Values resident() {
        return resident;
    }

    public synchronized void add(long number, ValueFile file) {
        if (byNumber.putIfAbsent(number, file) != null) {
            throw new IllegalArgumentException("value file " + number + " is open already");
        }
        publish();
    }

    /// Adds the files of a store that opens.
    public synchronized void addAll(Map<Long, ValueFile> files) {
        byNumber.putAll(files);
        publish();
    }

    public synchronized void remove(long number) {
        byNumber.remove(number);
        publish();
    }

    private void publish() {
        long[] numbers = byNumber.keySet().stream().mapToLong(Long::longValue).toArray();
        open = new Open(numbers, byNumber.values().toArray(ValueFile[]::new));
    }

    private byte @Nullable [] read(ValuePointer pointer, boolean mayBlock) {
        return file(pointer).read(pointer, mayBlock);
    }

    /// Checks a value that is to be taken in parts.
    void check(ValuePointer pointer) {
        file(pointer).check(pointer);
    }

    /// Copies a part of a value.
    void copy(ValuePointer pointer, int from, byte[] target, int offset, int length) {
        file(pointer).copy(pointer, from, target, offset, length);
    }

    private ValueFile file(ValuePointer pointer) {
        ValueFile file = open.find(pointer.file());
        if (file == null) {
            throw Retired.INSTANCE;
        }
        return file;
    }
}
