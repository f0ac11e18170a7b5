package kvant.bench.published;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import kvant.engine.Lookup;
import kvant.lsm.bytes.ByteReader;
import kvant.lsm.bytes.Keys;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.record.Reading;
import kvant.lsm.record.RecordCursor;
import kvant.lsm.record.StoredValue;
import kvant.lsm.record.Tag;
import org.jspecify.annotations.Nullable;

/// A memtable on the JDK's map: short, and some five objects for each record. The alternative that
/// [ArenaMemtable] is measured against.
final class MapMemtable implements Memtable {

    /// Map node, index, key object and two array headers, about.
    private static final int RECORD_OVERHEAD_BYTES = 128;

    private static final byte[] NONE = {};

    /// A version of a key; the newest version of a key comes first.
    private record VersionedKey(byte[] key, long tag) {}

    private static final Comparator<VersionedKey> ORDER = (a, b) -> {
        int order = Keys.compare(a.key, b.key);
        return order != 0 ? order : Long.compare(b.tag, a.tag);
    };

    // Concurrent.
    private final ConcurrentSkipListMap<VersionedKey, byte[]> records = new ConcurrentSkipListMap<>(ORDER);

    // Written by the writer, read by anyone.
    private volatile long bytes;
    private volatile int count;
    private volatile long lastSequence;

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // there is one writer
    public void add(long sequence, int kind, byte[] key, byte[] value, long expiresAtMillis) {
        byte[] stored = value;
        if (kind == Tag.PUT_EXPIRING) {
            stored = new byte[Tag.EXPIRY_BYTES + value.length];
            MemorySegment.ofArray(stored).set(ByteReader.LONG, 0, expiresAtMillis);
            System.arraycopy(value, 0, stored, Tag.EXPIRY_BYTES, value.length);
        }
        records.put(new VersionedKey(key, Tag.of(sequence, kind)), stored);
        lastSequence = Math.max(lastSequence, sequence);
        bytes += key.length + stored.length + RECORD_OVERHEAD_BYTES;
        count++;
    }

    @Override
    public @Nullable Lookup find(byte[] key, long hash, long newestTag, Reading reading) {
        Map.Entry<VersionedKey, byte[]> found = records.ceilingEntry(new VersionedKey(key, newestTag));
        if (found == null || !Arrays.equals(found.getKey().key, key)) {
            return null;
        }
        long tag = found.getKey().tag;
        byte[] stored = found.getValue();
        return Tag.kind(tag) == Tag.PUT && reading.wants(tag, stored.length)
                ? new Lookup.Found(stored, Tag.sequence(tag))
                : StoredValue.lookup(tag, MemorySegment.ofArray(stored), 0, stored.length, reading);
    }

    @Override
    public RecordCursor cursor() {
        return new MapCursor();
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public long lastSequence() {
        return lastSequence;
    }

    @Override
    public boolean acquire() {
        return true; // its memory is left to the collector
    }

    @Override
    public void release() {
        // As above.
    }

    private final class MapCursor implements RecordCursor {

        private @Nullable Iterator<Map.Entry<VersionedKey, byte[]>> rest;
        private VersionedKey current = new VersionedKey(NONE, 0);
        private byte[] stored = NONE;

        @Override
        public boolean seek(byte[] key) {
            rest = records.tailMap(new VersionedKey(key, Tag.NEWEST)).entrySet().iterator();
            return next();
        }

        @Override
        public boolean next() {
            if (rest == null || !rest.hasNext()) {
                return false;
            }
            Map.Entry<VersionedKey, byte[]> entry = rest.next();
            current = entry.getKey();
            stored = entry.getValue();
            return true;
        }

        @Override
        public byte[] keyArray() {
            return current.key;
        }

        @Override
        public int keyOffset() {
            return 0;
        }

        @Override
        public int keyLength() {
            return current.key.length;
        }

        @Override
        public long tag() {
            return current.tag;
        }

        @Override
        public int valueLength() {
            return stored.length;
        }

        @Override
        public void copyValue(int from, byte[] target, int offset, int length) {
            System.arraycopy(stored, from, target, offset, length);
        }
    }
}
