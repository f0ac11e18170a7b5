package kvant.lsm.memtable;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import kvant.engine.Lookup;
import kvant.lsm.bytes.Keys;
import kvant.lsm.bytes.References;
import kvant.lsm.record.Reading;
import kvant.lsm.record.RecordCursor;
import kvant.lsm.record.Retired;
import kvant.lsm.record.StoredValue;
import kvant.lsm.record.Tag;
import org.jspecify.annotations.Nullable;

/// A skip list (W. Pugh, 1990) in slabs, so that a million records are a few hundred objects to the garbage
/// collector; and a hash index from each key to the node of its newest version, so that a point read costs two
/// or three cache misses instead of one for each step down the list.
///
/// One thread writes, any number read without a lock. A node is filled in completely before it is linked, and a
/// link is stored with release and loaded with acquire: a reader that sees a node sees all of it. Nodes are
/// never removed, so a reader may pause at any time.
///
///     node   prefix of key | tag | slab and offset of key | lengths of key and value; see [NodeChunks]
///     links  previous | next in the hash chain | next[0] | next[1] ...
///     data   see [DataSlabs]
///
/// A hash chain holds each key once: a newer version takes the place of the older one, so that overwritten keys do
/// not make chains longer. The older node keeps its link, so that a reader at that node reaches all other keys, in
/// versions at least as new as when it began.
///
/// Three nodes in four are linked on one level. If such a node overwrites a key, no place is searched: it goes in front
/// of the older version, which the hash index knows, behind the node before that (`previous`, for the writer alone).
///
/// Its memory is given back by no longer referring to the arrays. G1 frees an array that fills regions at the next
/// young collection when nothing refers to it; a memtable that was merely forgotten would keep its arrays until a
/// concurrent mark, because it is old itself.
public final class ArenaMemtable implements Memtable {

    /// The hash index has about one bucket for each record of this size, which is a small one.
    private static final int RECORD_BYTES = 128;
    private static final int FEWEST_BUCKETS = 64;
    private static final int MOST_BUCKETS = 1 << 20;

    private static final int MAX_HEIGHT = 14;
    /// One node in four of a level reaches the next one.
    private static final int BRANCHING = 4;

    private static final int PREFIX = 0;
    private static final int TAG = 1;
    private static final int PLACE = 2;
    private static final int LENGTHS = 3;
    private static final int FIELDS = 4;

    private static final int NIL = NodeChunks.NIL;
    /// The level of the hash chain, below those of the list.
    private static final int CHAIN = -1;

    /// The level of the link back, below that.
    private static final int PREVIOUS = -2;

    private static final VarHandle BUCKET = MethodHandles.arrayElementVarHandle(int[].class);

    // Constant.
    private final NodeChunks nodes;
    private final DataSlabs data;
    private final int bucketMask;
    private final References references = new References();

    // One thread writes, and readers load its elements with acquire.
    private int @Nullable [] buckets; // the first node of each hash chain; null once released

    // Owned by the writer.
    private final SplittableRandom heights = new SplittableRandom(0x6b76616e74L);
    private final int[] predecessors = new int[MAX_HEIGHT]; // of a node that would come right behind the newest
    private int newest = NIL;
    private final int head;
    private int height = 1;
    private long lastSequence;

    // Written by the writer, read by anyone.
    private volatile long bytes;
    private volatile int count;

    /// @param expectedBytes about how much it will hold, in [#bytes], for the size of the hash index
    public ArenaMemtable(long expectedBytes) {
        SlabSize size = SlabSize.of(expectedBytes);
        data = new DataSlabs(size, expectedBytes);
        nodes = new NodeChunks(FIELDS, size, expectedBytes);
        head = allocateNode(MAX_HEIGHT);
        long wanted = Math.clamp(expectedBytes / RECORD_BYTES, FEWEST_BUCKETS, MOST_BUCKETS);
        int bucketCount = (int) Long.highestOneBit(wanted);
        bucketMask = bucketCount - 1;
        buckets = new int[bucketCount];
        bytes = memory();
    }

    /// The arrays are shared, not copied, when they are large.
    @Override
    public void add(long sequence, int kind, byte[] key, byte[] value, long expiresAtMillis) {
        byte[] stored = kind == Tag.PUT_EXPIRING ? StoredValue.withExpiry(value, expiresAtMillis) : value;
        long tag = Tag.of(sequence, kind);
        long prefix = Keys.prefix(key, 0, key.length);
        long hash = Keys.hash(key);
        int[] chains = Objects.requireNonNull(buckets, "no writes come after its release");
        int older = newestOf(key, prefix, chains, hash);
        int nodeHeight = randomHeight();
        boolean knowsPlace = older != NIL && nodeHeight == 1;
        if (!knowsPlace && !followsNewest(key, prefix, tag)) {
            findPredecessors(key, prefix, tag);
        }
        int node = allocateNode(nodeHeight);
        nodes.setField(node, PREFIX, prefix);
        nodes.setField(node, TAG, tag);
        nodes.setField(node, PLACE, data.store(key, stored));
        nodes.setField(node, LENGTHS, (long) key.length << 32 | stored.length);
        if (knowsPlace) {
            link(node, 0, older);
            linkBehind(next(older, PREVIOUS), node, older);
        } else {
            linkBehindPredecessors(node, nodeHeight);
        }
        index(node, chains, (int) hash & bucketMask, older);
        bytes = memory();
        lastSequence = Math.max(lastSequence, sequence);
        count++;
    }

    /// The node is the newest then.
    private void linkBehindPredecessors(int node, int nodeHeight) {
        for (int level = height; level < nodeHeight; level++) {
            predecessors[level] = head;
        }
        height = Math.max(height, nodeHeight);
        int following = next(predecessors[0], 0);
        for (int level = 0; level < nodeHeight; level++) {
            link(node, level, next(predecessors[level], level));
        }
        linkBehind(predecessors[0], node, following);
        predecessors[0] = node;
        for (int level = 1; level < nodeHeight; level++) {
            link(predecessors[level], level, node);
            predecessors[level] = node;
        }
        newest = node;
    }

    /// On the lowest level, once the node's own links are set.
    private void linkBehind(int before, int node, int following) {
        link(node, PREVIOUS, before);
        link(before, 0, node);
        if (following != NIL) {
            link(following, PREVIOUS, node);
        }
    }

    @Override
    public @Nullable Lookup find(byte[] key, long hash, long newestTag, Reading reading) {
        long prefix = Keys.prefix(key, 0, key.length);
        int[] chains = buckets;
        if (chains == null) {
            throw Retired.INSTANCE;
        }
        int node = newestOf(key, prefix, chains, hash);
        while (node != NIL && tag(node) > newestTag) { // older versions follow in the list
            int older = next(node, 0);
            node = older != NIL && isKey(older, key, prefix) ? older : NIL;
        }
        return node == NIL ? null : lookup(node, reading);
    }

    private int newestOf(byte[] key, long prefix, int[] chains, long hash) {
        int node = (int) BUCKET.getAcquire(chains, (int) hash & bucketMask);
        while (node != NIL && !isKey(node, key, prefix)) {
            node = next(node, CHAIN);
        }
        return node;
    }

    private Lookup lookup(int node, Reading reading) {
        long tag = tag(node);
        int length = valueLength(node);
        if (Tag.kind(tag) == Tag.PUT) {
            return reading.wants(tag, length)
                    ? new Lookup.Found(value(node), Tag.sequence(tag))
                    : new Lookup.Described(Tag.sequence(tag), length);
        }
        return StoredValue.lookup(tag, MemorySegment.ofArray(valueArray(node)), valueOffset(node), length, reading);
    }

    /// The value of a node: a copy, or a large one's array that was put, which the port allows to share.
    private byte[] value(int node) {
        int length = valueLength(node);
        byte[] array = valueArray(node);
        return length >= DataSlabs.LARGE_VALUE_BYTES
                ? array
                : Arrays.copyOfRange(array, valueOffset(node), valueOffset(node) + length);
    }

    private long tag(int node) {
        return field(node, TAG);
    }

    @Override
    public RecordCursor cursor() {
        return new NodeCursor();
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

    /// Whether the position is directly behind the newest node, if that is still known: ascending keys need no
    /// search.
    private boolean followsNewest(byte[] key, long prefix, long tag) {
        if (newest == NIL || !isBefore(newest, key, prefix, tag)) {
            return false;
        }
        int next = next(newest, 0);
        return next == NIL || !isBefore(next, key, prefix, tag);
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

    private boolean isKey(int node, byte[] key, long prefix) {
        if (field(node, PREFIX) != prefix || keyLength(node) != key.length) {
            return false;
        }
        int offset = keyOffset(node);
        return Arrays.equals(keyArray(node), offset, offset + key.length, key, 0, key.length);
    }

    // The hash index.

    /// Puts a node at the beginning of its chain, or in the place of the older version of its key. Its link is
    /// there before anyone can reach the node.
    ///
    /// @param older NIL where this is the first version of its key
    private void index(int node, int[] chains, int bucket, int older) {
        int first = chains[bucket];
        if (older == NIL || first == older) {
            link(node, CHAIN, older == NIL ? first : next(older, CHAIN));
            BUCKET.setRelease(chains, bucket, node);
            return;
        }
        int before = first;
        while (next(before, CHAIN) != older) {
            before = next(before, CHAIN);
        }
        link(node, CHAIN, next(older, CHAIN));
        link(before, CHAIN, node);
    }

    // Nodes.

    /// Allocates a node with this many levels.
    private int allocateNode(int nodeHeight) {
        return nodes.allocate(nodeHeight - PREVIOUS);
    }

    private long field(int node, int field) {
        return nodes.field(node, field);
    }

    private int next(int node, int level) {
        return nodes.next(node, level - PREVIOUS);
    }

    private void link(int node, int level, int next) {
        nodes.link(node, level - PREVIOUS, next);
    }

    private byte[] keyArray(int node) {
        return data.keyArray(field(node, PLACE));
    }

    private int keyOffset(int node) {
        return DataSlabs.offset(field(node, PLACE));
    }

    private int keyLength(int node) {
        return (int) (field(node, LENGTHS) >>> 32);
    }

    private int valueLength(int node) {
        return (int) field(node, LENGTHS);
    }

    private byte[] valueArray(int node) {
        return data.valueArray(field(node, PLACE), keyLength(node), valueLength(node));
    }

    private int valueOffset(int node) {
        return DataSlabs.valueOffset(field(node, PLACE), keyLength(node), valueLength(node));
    }

    // Memory.

    private long memory() {
        return nodes.bytes() + data.bytes() + (bucketMask + 1L) * Integer.BYTES;
    }

    @Override
    public boolean acquire() {
        return references.acquire();
    }

    @Override
    public void release() {
        if (references.release()) {
            buckets = null;
            nodes.drop();
            data.drop();
        }
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
            node = node == NIL ? NIL : ArenaMemtable.this.next(node, 0);
            return node != NIL;
        }

        @Override
        public byte[] keyArray() {
            return ArenaMemtable.this.keyArray(node);
        }

        @Override
        public int keyOffset() {
            return ArenaMemtable.this.keyOffset(node);
        }

        @Override
        public int keyLength() {
            return ArenaMemtable.this.keyLength(node);
        }

        @Override
        public long tag() {
            return ArenaMemtable.this.tag(node);
        }

        @Override
        public int valueLength() {
            return ArenaMemtable.this.valueLength(node);
        }

        @Override
        public void copyValue(int from, byte[] target, int offset, int length) {
            System.arraycopy(valueArray(node), valueOffset(node) + from, target, offset, length);
        }
    }
}
