package kvant.server.http.answer;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/// Where the head of an answer is put together before it goes into a buffer in one piece.
///
/// One per event loop; holds nothing between two heads.
public final class HeadScratch {

    private static final int CAPACITY = 2048;
    private static final int MAX_DIGITS = 19;
    private static final int DECIMAL = 10;

    private final byte[] bytes = new byte[CAPACITY];
    private int length;

    HeadScratch put(byte[] part) {
        System.arraycopy(part, 0, bytes, length, part.length);
        length += part.length;
        return this;
    }

    HeadScratch put(char c) {
        bytes[length++] = (byte) c;
        return this;
    }

    /// @param number not negative
    HeadScratch putDecimal(long number) {
        int end = length + MAX_DIGITS;
        int at = end;
        long rest = number;
        do {
            bytes[--at] = (byte) ('0' + rest % DECIMAL);
            rest /= DECIMAL;
        } while (rest > 0);
        System.arraycopy(bytes, at, bytes, length, end - at);
        length += end - at;
        return this;
    }

    HeadScratch putHex(long number) {
        return put(Long.toHexString(number).getBytes(StandardCharsets.US_ASCII));
    }

    void moveTo(ByteBuf out) {
        out.writeBytes(bytes, 0, length);
        length = 0;
    }
}
