package kvant.server.http.parse;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import kvant.server.admit.MemoryReservation;

/// A growing array for bytes of an announced or bounded length; it ends as the one array that the engine gets.
///
/// The array grows with the input, up to the length where that is known. A client that only announces much takes no
/// memory from others, and one that sends a part of it takes at most twice that part. Input that is complete gets its
/// array at once. Memory is claimed before an array is allocated; the caller of [#take] takes over the claim.
public final class GrowingBytes {

    private static final byte[] NOTHING = {};

    // Constant.
    private final MemoryReservation claim;

    // Of the present bytes.
    private byte[] bytes = NOTHING;
    private int length;
    private int longest;
    private long besides;

    public GrowingBytes(MemoryReservation claim) {
        this.claim = claim;
    }

    /// Prepares for the next bytes.
    ///
    /// @param mostBytes their largest number
    /// @param besidesBytes another claim that stays
    public void begin(int mostBytes, long besidesBytes) {
        bytes = NOTHING;
        length = 0;
        longest = mostBytes;
        besides = besidesBytes;
    }

    public int length() {
        return length;
    }

    /// Reads this number of bytes from a buffer.
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

    /// Returns all bytes; the caller takes over the claim for them.
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

    /// Releases the bytes and the claim.
    public void drop() {
        claim.release();
        bytes = NOTHING;
        length = 0;
    }

    /// Makes room for this many bytes in total: at least twice the present size, so that each byte is copied once or
    /// twice; the whole length once half of it is there.
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
