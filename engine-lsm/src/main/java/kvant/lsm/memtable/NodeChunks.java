package kvant.lsm.memtable;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import kvant.lsm.record.Retired;

/// The nodes of an [ArenaMemtable], in arrays that they never leave.
///
///     fields  longs, which the writer fills in before it links the node
///     links   ints, two in a long behind the fields, each stored with release and loaded with acquire
///
/// One thread writes. Readers get a node's address from an acquired link, and so see the node's fields.
final class NodeChunks {

    /// The address of no node.
    static final int NIL = 0;

    /// A node's address is the number of its chunk and its place in that; this is the number of bits for the place.
    private static final int CHUNK_SHIFT = 17;
    private static final int CHUNK_MASK = (1 << CHUNK_SHIFT) - 1;

    private static final VarHandle LINK = MethodHandles.arrayElementVarHandle(long[].class);

    // Constant.
    private final int fields;
    private final int chunkLongs;

    // One thread writes. Readers get here through an acquired link and so see the needed chunk.
    private long[][] chunks;

    // Owned by the writer.
    private int chunkCount;
    private int chunkUsed;
    private long bytes;

    /// @param fields of each node, before its links
    /// @param expectedBytes about how much all nodes will take, at most
    NodeChunks(int fields, SlabSize size, long expectedBytes) {
        this.fields = fields;
        this.chunkLongs = size.longs();
        this.chunks = new long[DataSlabs.arrays(expectedBytes, size.bytes())][];
        this.chunkUsed = chunkLongs;
        allocate(1); // the address 0 is NIL
    }

    /// Memory of all nodes; for the writer.
    long bytes() {
        return bytes;
    }

    /// A node without content.
    ///
    /// @return its address
    int allocate(int links) {
        int longs = fields + (links + 1) / 2;
        if (chunkUsed + longs > chunkLongs) {
            if (chunkCount == chunks.length) {
                chunks = Arrays.copyOf(chunks, chunkCount * 2);
            }
            chunks[chunkCount++] = new long[chunkLongs];
            chunkUsed = 0;
            bytes += (long) chunkLongs * Long.BYTES;
        }
        int node = (chunkCount - 1) << CHUNK_SHIFT | chunkUsed;
        chunkUsed += longs;
        return node;
    }

    long field(int node, int field) {
        return chunk(node)[(node & CHUNK_MASK) + field];
    }

    /// For the writer, before the node is linked.
    void setField(int node, int field, long value) {
        chunk(node)[(node & CHUNK_MASK) + field] = value;
    }

    int next(int node, int link) {
        long both = (long) LINK.getAcquire(chunk(node), (node & CHUNK_MASK) + fields + (link >> 1));
        return (int) (both >>> (link << 5)); // by 0 or 32: a shift uses six bits
    }

    /// Two links are one long, which only the writer changes.
    void link(int node, int link, int next) {
        long[] chunk = chunk(node);
        int at = (node & CHUNK_MASK) + fields + (link >> 1);
        int shift = link << 5;
        long other = chunk[at] & ~(0xFFFF_FFFFL << shift);
        LINK.setRelease(chunk, at, other | (next & 0xFFFF_FFFFL) << shift);
    }

    /// Drops the references to all chunks. A concurrent look-up meets [Retired].
    void drop() {
        Arrays.fill(chunks, null);
    }

    private long[] chunk(int node) {
        long[] chunk = chunks[node >>> CHUNK_SHIFT];
        if (chunk == null) {
            throw Retired.INSTANCE;
        }
        return chunk;
    }
}
