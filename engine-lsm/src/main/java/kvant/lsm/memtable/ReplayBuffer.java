package kvant.lsm.memtable;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import kvant.lsm.bytes.Keys;
import kvant.lsm.record.CompactionIterator;
import kvant.lsm.record.RecordCursor;
import kvant.lsm.record.StoredValue;
import kvant.lsm.record.Tag;
import kvant.lsm.record.TombstoneFilter;

/// A buffer of log records during replay, as many as one memtable holds, and a cursor that shows them sorted. A
/// memtable would look each one up among all others, at a few misses of the processor's caches each; see
/// docs/dev/decisions/0016-replay-sorts.md.
///
/// A record is four numbers in arrays, and its bytes lie in slabs: to the garbage collector a full buffer of small
/// records is a few dozen objects. A large value stays in the log, and the slab has its location:
///
///     key, value                                       small
///     key, [expiry (8)], number of the log (4), at (8)  large
///
/// So a value needs no heap, regardless of its length.
///
/// Belongs to one thread at a time, and is filled before it is read.
public final class ReplayBuffer {

    /// Approximate memory of a record in a memtable besides its key and value.
    private static final int RECORD_BYTES = 96;

    /// Bits of a word for the number of a record; the records are sorted by the other bits.
    private static final int NUMBER_BITS = 24;

    private static final int MOST_NUMBERED = 1 << NUMBER_BITS;
    private static final long NUMBER = MOST_NUMBERED - 1L;

    /// Number of records at which it is full.
    private static final int MOST_RECORDS = MOST_NUMBERED / 2;

    /// Size from which the stored value stays in the log.
    private static final int LARGE_VALUE_BYTES = DataSlabs.LARGE_VALUE_BYTES;

    /// Groups are smaller, but for one of a single batch. To end a run within each would make many small ones.
    private static final int LARGE_GROUP_BYTES = 8 << 20;

    private static final int PLACE_BYTES = Integer.BYTES + Long.BYTES;
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /// Records that are loaded together.
    private static final int LOAD_GROUP = 64;

    // Constant.
    private final long memtableBytes;
    private final DataSlabs data;

    // One thread.
    private final List<MappedLog> logs = new ArrayList<>();
    private long[] tags = new long[1 << 10];
    private long[] places = new long[1 << 10];
    private long[] lengths = new long[1 << 10];
    private int count;
    private long bytes;
    private long heapBytes; // the same without large values
    private long lastSequence;

    /// Bytes that all keys have in common at their beginning.
    private int common = Integer.MAX_VALUE;

    /// @param memtableBytes its size when it is full
    public ReplayBuffer(long memtableBytes) {
        this.memtableBytes = memtableBytes;
        this.data = new DataSlabs(SlabSize.of(memtableBytes), memtableBytes);
    }

    /// Adds a record of a log. Parameters as for [Memtable#add], but for the value, which the log has.
    ///
    /// @param log stays mapped until this buffer has been read
    public void add(
            long sequence, int kind, byte[] key, MappedLog log, long valueAt, int valueLength, long expiresAtMillis) {
        boolean expires = kind == Tag.PUT_EXPIRING;
        int storedLength = valueLength + (expires ? Tag.EXPIRY_BYTES : 0);
        if (storedLength < LARGE_VALUE_BYTES) {
            byte[] value = new byte[valueLength];
            log.copy(valueAt, value, 0, valueLength);
            byte[] stored = expires ? StoredValue.withExpiry(value, expiresAtMillis) : value;
            add(sequence, kind, key, stored, storedLength);
            return;
        }
        if (logs.isEmpty() || logs.getLast() != log) {
            logs.add(log);
        }
        byte[] place = new byte[PLACE_BYTES];
        INT.set(place, 0, logs.size() - 1);
        LONG.set(place, Integer.BYTES, valueAt);
        add(sequence, kind, key, expires ? StoredValue.withExpiry(place, expiresAtMillis) : place, storedLength);
    }

    /// @param stored the value, or where it is
    private void add(long sequence, int kind, byte[] key, byte[] stored, int storedLength) {
        if (count == tags.length) {
            tags = Arrays.copyOf(tags, 2 * count);
            places = Arrays.copyOf(places, 2 * count);
            lengths = Arrays.copyOf(lengths, 2 * count);
        }
        tags[count] = Tag.of(sequence, kind);
        places[count] = data.store(key, stored);
        lengths[count] = (long) key.length << 32 | storedLength;
        common = Math.min(common, count == 0 ? key.length : commonWithFirst(key));
        count++;
        bytes += RECORD_BYTES + key.length + storedLength;
        heapBytes += RECORD_BYTES + key.length + stored.length;
        lastSequence = Math.max(lastSequence, sequence);
    }

    private int commonWithFirst(byte[] key) {
        int offset = keyOffset(0);
        int mismatch = Arrays.mismatch(keyArray(0), offset, offset + keyLength(0), key, 0, key.length);
        return mismatch < 0 ? key.length : mismatch;
    }

    public boolean isEmpty() {
        return count == 0;
    }

    /// Whether it holds as much as a memtable. It may still get the rest of a group, as long as there is [#hasRoom].
    public boolean isFull() {
        return bytes >= memtableBytes || !hasRoom();
    }

    /// Whether it may get another record, regardless of groups.
    public boolean hasRoom() {
        return heapBytes < Math.max(memtableBytes, LARGE_GROUP_BYTES) && count < MOST_RECORDS;
    }

    /// The largest sequence number.
    public long lastSequence() {
        return lastSequence;
    }

    /// Adds the newest version of each key to a memtable: there are no snapshots yet.
    public void copyTo(Memtable memtable) {
        RecordCursor newest = new CompactionIterator(cursor(), TombstoneFilter.UNKNOWN, 0);
        for (boolean on = newest.seek(Keys.START); on; on = newest.next()) {
            long tag = newest.tag();
            boolean expires = Tag.hasExpiry(tag);
            int expiryBytes = expires ? Tag.EXPIRY_BYTES : 0;
            byte[] value = new byte[newest.valueLength() - expiryBytes];
            newest.copyValue(expiryBytes, value, 0, value.length);
            memtable.add(Tag.sequence(tag), Tag.kind(tag), newest.key(), value, expires ? newest.expiresAtMillis() : 0);
        }
    }

    /// Sorts the records. Nothing may be added any more.
    public RecordCursor cursor() {
        return new SortedCursor(sorted());
    }

    /// The numbers of the records, in the order of a cursor.
    private int[] sorted() {
        int[] numbers = new int[count];
        long[] order = sortedByPrefix();
        for (int i = 0; i < count; i++) {
            numbers[i] = (int) (order[i] & NUMBER);
        }
        for (int from = 0, to; from < count; from = to) {
            to = from + 1;
            while (to < count && order[from] >> NUMBER_BITS == order[to] >> NUMBER_BITS) {
                to++;
            }
            sort(numbers, from, to);
        }
        return numbers;
    }

    /// The numbers of the records below the bits of their keys that first differ, in unsigned order of these.
    private long[] sortedByPrefix() {
        long[] order = new long[count];
        for (int i = 0; i < count; i++) {
            int skipped = Math.min(common, keyLength(i));
            long prefix = Keys.prefix(keyArray(i), keyOffset(i) + skipped, keyLength(i) - skipped);
            order[i] = (prefix ^ Long.MIN_VALUE) & ~NUMBER | i;
        }
        Arrays.sort(order);
        return order;
    }

    /// Sorts some by whole keys, and the versions of a key from the newest on.
    private void sort(int[] numbers, int from, int to) {
        if (to - from > 1) {
            Integer[] boxed = new Integer[to - from];
            Arrays.setAll(boxed, i -> numbers[from + i]);
            Arrays.sort(boxed, this::compare);
            for (int i = 0; i < boxed.length; i++) {
                numbers[from + i] = boxed[i];
            }
        }
    }

    private int compare(int a, int b) {
        int order = Arrays.compareUnsigned(
                keyArray(a),
                keyOffset(a),
                keyOffset(a) + keyLength(a),
                keyArray(b),
                keyOffset(b),
                keyOffset(b) + keyLength(b));
        return order != 0 ? order : Long.compare(tags[b], tags[a]);
    }

    private byte[] keyArray(int number) {
        return data.keyArray(places[number]);
    }

    private int keyOffset(int number) {
        return DataSlabs.offset(places[number]);
    }

    private int keyLength(int number) {
        return (int) (lengths[number] >>> 32);
    }

    private final class SortedCursor implements RecordCursor {

        // Constant.
        private final int[] numbers;

        // One thread.
        private int at;
        private int loaded;
        private int loadedBytes;

        SortedCursor(int[] numbers) {
            this.numbers = numbers;
            this.at = numbers.length;
            this.loaded = numbers.length;
        }

        @Override
        public boolean seek(byte[] key) {
            int from = 0;
            int to = numbers.length;
            while (from < to) {
                int middle = (from + to) >>> 1;
                at = middle;
                if (Keys.compare(keyArray(), keyOffset(), keyLength(), key) < 0) {
                    from = middle + 1;
                } else {
                    to = middle;
                }
            }
            at = from - 1;
            loaded = from;
            return next();
        }

        @Override
        public boolean next() {
            at = Math.min(numbers.length, at + 1);
            if (at >= loaded) {
                load();
            }
            return at < numbers.length;
        }

        /// Loads records that come next. One after the other, each would wait for memory; in a loop that does nothing
        /// else, the processor waits for many of them at once.
        private void load() {
            loaded = Math.min(numbers.length, at + LOAD_GROUP);
            int sum = 0;
            for (int i = at; i < loaded; i++) {
                int number = numbers[i];
                sum += (int) tags[number];
                sum += data.touch(places[number], ReplayBuffer.this.keyLength(number) + (int) lengths[number]);
            }
            loadedBytes = sum; // or the compiler would leave the loop out
        }

        @Override
        public byte[] keyArray() {
            return ReplayBuffer.this.keyArray(numbers[at]);
        }

        @Override
        public int keyOffset() {
            return ReplayBuffer.this.keyOffset(numbers[at]);
        }

        @Override
        public int keyLength() {
            return ReplayBuffer.this.keyLength(numbers[at]);
        }

        @Override
        public long tag() {
            return tags[numbers[at]];
        }

        @Override
        public int valueLength() {
            return (int) lengths[numbers[at]];
        }

        @Override
        public long expiresAtMillis() {
            return StoredValue.expiresAtMillis(MemorySegment.ofArray(keyArray()), valueOffset());
        }

        @Override
        public void copyValue(int from, byte[] target, int offset, int length) {
            byte[] slab = keyArray();
            int at = valueOffset();
            if (valueLength() < LARGE_VALUE_BYTES) {
                System.arraycopy(slab, at + from, target, offset, length);
                return;
            }
            int expiryBytes = Tag.hasExpiry(tag()) ? Tag.EXPIRY_BYTES : 0;
            int ofExpiry = Math.clamp(expiryBytes - from, 0, length);
            System.arraycopy(slab, at + Math.min(from, expiryBytes), target, offset, ofExpiry);
            if (length > ofExpiry) {
                MappedLog log = logs.get((int) INT.get(slab, at + expiryBytes));
                long valueAt = (long) LONG.get(slab, at + expiryBytes + Integer.BYTES);
                log.copy(valueAt + from + ofExpiry - expiryBytes, target, offset + ofExpiry, length - ofExpiry);
            }
        }

        /// The offset of the value, or of its location.
        private int valueOffset() {
            return keyOffset() + keyLength();
        }
    }
}
