package kvant.server.http.parse;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import kvant.server.admit.MemoryReservation;

/// Bytes of a length that is announced or bounded, in the one array that the engine gets.
///
/// The array grows with what arrives, up to the length where that is known: a client that only announces
/// much takes no memory from others, and one that sends a part of it takes twice that part at
/// most. What is there as a whole gets its array at once. What an array takes is claimed before it
/// is allocated; whoever takes the bytes takes over the claim.
public final class GrowingBytes {

    private static final byte[] NOTHING = {};

    // Constant.
    private final MemoryReservation claim;

    // Of what is being read.
    private byte[] bytes = NOTHING;
    private int length;
    private int longest;
    private long besides;

    public GrowingBytes(MemoryReservation claim) {
        this.claim = claim;
    }

    /// Gets ready for the next.
    ///
    /// @param mostBytes how many there will be at most
    /// @param besidesBytes what else is claimed, and stays so
    public void begin(int mostBytes, long besidesBytes) {
        bytes = NOTHING;
        length = 0;
        longest = mostBytes;
        besides = besidesBytes;
    }

    public int length() {
        return length;
    }

    /// Takes so many from a buffer.
    ///
    /// @return false where there is no memory for them; then nothing was taken
    public boolean read(ByteBuf in, int count) {
        if (!grow(length + count)) {
            return false;
        }
        in.readBytes(bytes, length, count);
        length += count;
        return true;
    }

    /// All of them; the claim is to be handed over with them.
    public byte[] take() {
        byte[] taken = bytes;
        if (length < bytes.length) {
            taken = Arrays.copyOf(bytes, length);
            claim.resize(besides + length);
        }
        bytes = NOTHING;
        length = 0;
        return taken;
    }

    /// Lets go of what was read, and of the claim.
    public void drop() {
        claim.release();
        bytes = NOTHING;
        length = 0;
    }

    /// Makes room for so many bytes in all: twice what there was at least, so that each byte is copied
    /// once or twice; all of it once half of it is there.
    private boolean grow(int needed) {
        if (needed <= bytes.length) {
            return true;
        }
        int capacity = needed >= longest - needed ? longest : Math.max(needed, 2 * bytes.length);
        if (!claim.resize(besides + capacity)) {
            return false;
        }
        bytes = Arrays.copyOf(bytes, capacity);
        return true;
    }
}
