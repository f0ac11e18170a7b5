package kvant.lsm.memtable;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.SplittableRandom;
import kvant.engine.Lookup;
import kvant.lsm.bytes.ByteReader;
import kvant.lsm.bytes.Keys;
import kvant.lsm.record.RecordCursor;
import kvant.lsm.record.StoredValue;
import kvant.lsm.record.Tag;
import org.jspecify.annotations.Nullable;

/// The newest writes, sorted: a skip list (W. Pugh, 1990) in slabs, so that a million records are a few
/// hundred objects to the garbage collector.
///
/// One thread writes, any number read without a lock. A node is filled in completely before it is linked,
/// and a link is stored with release and loaded with acquire: whoever sees a node sees all of it. Nodes are
/// never removed, so a reader may stop and go on at any time.
///
///     node (longs): prefix of key | tag | slab and offset of key | lengths of key and value | next[0] |
///     next[1] ... data (bytes): key, value                       for small values
///                   key, number of the value's slab  for large ones, which are referred to instead of copied
public final class Memtable {

    private static final int CHUNK_SHIFT = 14;
    private static final int CHUNK_LONGS = 1 << CHUNK_SHIFT;
    private static final int SLAB_BYTES = CHUNK_LONGS * Long.BYTES;

    /// From this size on, a value's array is referred to, not copied.
    private static final int LARGE_VALUE_BYTES = 16 << 10;

    private static final int MAX_HEIGHT = 14;
    /// One node in four of a level reaches the next one.
    private static final int BRANCHING = 4;

    private static final int PREFIX = 0;
    private static final int TAG = 1;
    private static final int PLACE = 2;
    private static final int LENGTHS = 3;
    private static final int NEXT = 4;

    private static final int NIL = 0;

    private static final VarHandle LINK = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    // One thread writes. Readers come here through an acquired link and so see what it needs.
    private long[][] chunks = new long[16][];
    private byte[][] slabs = new byte[16][];

    // Owned by the writer.
    private final SplittableRandom heights = new SplittableRandom(0x6b76616e74L);
    private final int[] predecessors = new int[MAX_HEIGHT];
    private final int head;
    private int chunkCount;
    private int chunkUsed = CHUNK_LONGS;
    private int slabCount;
    private int currentSlab = -1;
    private int slabUsed = SLAB_BYTES;
    private int height = 1;
    private long firstSequence;
    private long lastSequence;

    // Written by the writer, read by anyone.
    private volatile long bytes;
    private volatile int count;

    public Memtable() {
        allocateNode(NEXT + 1); // address 0 is NIL
        head = allocateNode(NEXT + MAX_HEIGHT);
    }

    /// Adds a version of a key. Sequence numbers must grow from call to call. The arrays are shared, not
    /// copied, when they are large. Called by the writer only.
    ///
    /// @param kind one of [Tag]'s
    /// @param value empty for a deletion
    /// @param expiresAtMillis looked at for [Tag#PUT_EXPIRING] only
    public void add(long sequence, int kind, byte[] key, byte[] value, long expiresAtMillis) {
        byte[] stored = kind == Tag.PUT_EXPIRING ? withExpiry(value, expiresAtMillis) : value;
        long tag = Tag.of(sequence, kind);
        long prefix = Keys.prefix(key, 0, key.length);
        findPredecessors(key, prefix, tag);

        int nodeHeight = randomHeight();
        for (int level = height; level < nodeHeight; level++) {
            predecessors[level] = head;
        }
        height = Math.max(height, nodeHeight);

        int node = allocateNode(NEXT + nodeHeight);
        long[] chunk = chunks[node >>> CHUNK_SHIFT];
        int at = node & CHUNK_LONGS - 1;
        chunk[at + PREFIX] = prefix;
        chunk[at + TAG] = tag;
        chunk[at + PLACE] = store(key, stored);
        chunk[at + LENGTHS] = (long) key.length << 32 | stored.length;
        for (int level = 0; level < nodeHeight; level++) {
            chunk[at + NEXT + level] = next(predecessors[level], level);
        }
        for (int level = 0; level < nodeHeight; level++) {
            link(predecessors[level], level, node);
        }
        if (firstSequence == 0) {
            firstSequence = sequence;
        }
        lastSequence = sequence;
        count++;
    }

    /// Looks up the newest version of a key that a snapshot sees.
    ///
    /// @param newestTag of the snapshot; [Tag#NEWEST] for whatever is there
    /// @return null when this memtable knows nothing of the key; [Lookup.Miss#ABSENT] when it knows that it
    ///     was removed
    public @Nullable Lookup find(byte[] key, long newestTag, InstantSource clock) {
        long prefix = Keys.prefix(key, 0, key.length);
        int node = firstNotBefore(key, prefix, newestTag);
        return node != NIL && compare(node, key, prefix) == 0 ? lookup(node, clock) : null;
    }

    private Lookup lookup(int node, InstantSource clock) {
        long tag = tag(node);
        if (Tag.kind(tag) == Tag.PUT) {
            return new Lookup.Found(value(node), Tag.sequence(tag));
        }
        return StoredValue.lookup(
                tag, MemorySegment.ofArray(valueArray(node)), valueOffset(node), valueLength(node), clock);
    }

    /// The value of a node: a copy, or for a large one the array that was put, which the port allows to
    /// share.
    private byte[] value(int node) {
        int length = valueLength(node);
        byte[] array = valueArray(node);
        return length >= LARGE_VALUE_BYTES
                ? array
                : Arrays.copyOfRange(array, valueOffset(node), valueOffset(node) + length);
    }

    private long tag(int node) {
        return field(node, TAG);
    }

    /// A cursor over what is there now and what comes later; see [RecordCursor].
    public RecordCursor cursor() {
        return new NodeCursor();
    }

    /// Memory that this memtable holds, in bytes, including what it refers to.
    public long bytes() {
        return bytes;
    }

    public int count() {
        return count;
    }

    public boolean isEmpty() {
        return count == 0;
    }

    /// Sequence number of the first record; for the writer, and for anyone once no more is added.
    public long firstSequence() {
        return firstSequence;
    }

    /// Sequence number of the last record; for the writer, and for anyone once no more is added.
    public long lastSequence() {
        return lastSequence;
    }

    // Searching.

    private int firstNotBefore(byte[] key, long prefix, long tag) {
        int node = head;
        for (int level = MAX_HEIGHT - 1; ; level--) {
            int next = next(node, level);
            while (next != NIL && isBefore(next, key, prefix, tag)) {
                node = next;
                next = next(node, level);
            }
            if (level == 0) {
                return next;
            }
        }
    }

    private void findPredecessors(byte[] key, long prefix, long tag) {
        int node = head;
        for (int level = height - 1; level >= 0; level--) {
            int next = next(node, level);
            while (next != NIL && isBefore(next, key, prefix, tag)) {
                node = next;
                next = next(node, level);
            }
            predecessors[level] = node;
        }
    }

    private boolean isBefore(int node, byte[] key, long prefix, long tag) {
        int order = compare(node, key, prefix);
        return order < 0 || order == 0 && tag(node) > tag;
    }

    private int compare(int node, byte[] key, long prefix) {
        int order = Long.compareUnsigned(field(node, PREFIX), prefix);
        if (order != 0) {
            return order;
        }
        int offset = keyOffset(node);
        return Arrays.compareUnsigned(keyArray(node), offset, offset + keyLength(node), key, 0, key.length);
    }

    // Nodes.

    private long field(int node, int field) {
        return chunks[node >>> CHUNK_SHIFT][(node & CHUNK_LONGS - 1) + field];
    }

    private int next(int node, int level) {
        return (int) (long) LINK.getAcquire(chunks[node >>> CHUNK_SHIFT], (node & CHUNK_LONGS - 1) + NEXT + level);
    }

    private void link(int node, int level, int next) {
        LINK.setRelease(chunks[node >>> CHUNK_SHIFT], (node & CHUNK_LONGS - 1) + NEXT + level, (long) next);
    }

    private byte[] keyArray(int node) {
        return slabs[(int) (field(node, PLACE) >>> 32)];
    }

    private int keyOffset(int node) {
        return (int) field(node, PLACE);
    }

    private int keyLength(int node) {
        return (int) (field(node, LENGTHS) >>> 32);
    }

    private int valueLength(int node) {
        return (int) field(node, LENGTHS);
    }

    private byte[] valueArray(int node) {
        byte[] keyArray = keyArray(node);
        if (valueLength(node) < LARGE_VALUE_BYTES) {
            return keyArray;
        }
        return slabs[(int) INT.get(keyArray, keyOffset(node) + keyLength(node))];
    }

    private int valueOffset(int node) {
        return valueLength(node) < LARGE_VALUE_BYTES ? keyOffset(node) + keyLength(node) : 0;
    }

    // Memory.

    private int allocateNode(int longs) {
        if (chunkUsed + longs > CHUNK_LONGS) {
            if (chunkCount == chunks.length) {
                chunks = Arrays.copyOf(chunks, chunkCount * 2);
            }
            chunks[chunkCount++] = new long[CHUNK_LONGS];
            chunkUsed = 0;
            bytes += SLAB_BYTES;
        }
        int node = (chunkCount - 1) << CHUNK_SHIFT | chunkUsed;
        chunkUsed += longs;
        return node;
    }

    /// Copies key and value into a slab, or the key and the number of a slab that is the value.
    ///
    /// @return slab and offset of the key
    private long store(byte[] key, byte[] value) {
        boolean large = value.length >= LARGE_VALUE_BYTES;
        int valueSlab = large ? addSlab(value) : 0;
        int needed = key.length + (large ? Integer.BYTES : value.length);
        int slab;
        int offset;
        if (needed > SLAB_BYTES / 4) {
            slab = addSlab(new byte[needed]);
            offset = 0;
        } else {
            if (slabUsed + needed > SLAB_BYTES) {
                currentSlab = addSlab(new byte[SLAB_BYTES]);
                slabUsed = 0;
            }
            slab = currentSlab;
            offset = slabUsed;
            slabUsed += needed;
        }
        System.arraycopy(key, 0, slabs[slab], offset, key.length);
        if (large) {
            INT.set(slabs[slab], offset + key.length, valueSlab);
        } else {
            System.arraycopy(value, 0, slabs[slab], offset + key.length, value.length);
        }
        return (long) slab << 32 | offset;
    }

    private int addSlab(byte[] slab) {
        if (slabCount == slabs.length) {
            slabs = Arrays.copyOf(slabs, slabCount * 2);
        }
        slabs[slabCount] = slab;
        bytes += slab.length;
        return slabCount++;
    }

    private static byte[] withExpiry(byte[] value, long expiresAtMillis) {
        byte[] stored = new byte[Tag.EXPIRY_BYTES + value.length];
        MemorySegment.ofArray(stored).set(ByteReader.LONG, 0, expiresAtMillis);
        System.arraycopy(value, 0, stored, Tag.EXPIRY_BYTES, value.length);
        return stored;
    }

    private int randomHeight() {
        int levels = 1;
        while (levels < MAX_HEIGHT && heights.nextInt(BRANCHING) == 0) {
            levels++;
        }
        return levels;
    }

    private final class NodeCursor implements RecordCursor {

        private int node = NIL;

        @Override
        public boolean seek(byte[] key) {
            node = firstNotBefore(key, Keys.prefix(key, 0, key.length), Tag.NEWEST);
            return node != NIL;
        }

        @Override
        public boolean next() {
            node = node == NIL ? NIL : Memtable.this.next(node, 0);
            return node != NIL;
        }

        @Override
        public byte[] keyArray() {
            return Memtable.this.keyArray(node);
        }

        @Override
        public int keyOffset() {
            return Memtable.this.keyOffset(node);
        }

        @Override
        public int keyLength() {
            return Memtable.this.keyLength(node);
        }

        @Override
        public long tag() {
            return Memtable.this.tag(node);
        }

        @Override
        public int valueLength() {
            return Memtable.this.valueLength(node);
        }

        @Override
        public void copyValue(byte[] target, int offset) {
            System.arraycopy(valueArray(node), valueOffset(node), target, offset, valueLength());
        }
    }
}
