package kvant.server.http.parse;

import io.netty.buffer.ByteBuf;
import kvant.server.access.Token;
import kvant.server.access.Tokens;

/// A header that named a token, as bytes. To look whether another is the same takes a few comparisons of eight bytes,
/// allocates nothing, and does not end before the last byte: its time tells nothing of the secret. Immutable.
final class KnownToken {

    final Tokens of;
    final Token token;
    private final int length;
    private final long[] words;

    /// @param of the state of the file that has the token
    KnownToken(Tokens of, Token token, ByteBuf in, int from, int to) {
        this.of = of;
        this.token = token;
        this.length = to - from; // a scheme, a blank and a secret are eight bytes at least
        this.words = new long[(length + Long.BYTES - 1) / Long.BYTES];
        for (int i = 0; i < words.length; i++) {
            words[i] = in.getLong(wordAt(from, i));
        }
    }

    boolean is(ByteBuf in, int from, int to) {
        if (to - from != length) {
            return false;
        }
        long difference = 0;
        for (int i = 0; i < words.length; i++) {
            difference |= words[i] ^ in.getLong(wordAt(from, i));
        }
        return difference == 0;
    }

    /// The last word ends with the header: it overlaps the one before, and no byte is left over.
    private int wordAt(int from, int i) {
        return from + Math.min(i * Long.BYTES, length - Long.BYTES);
    }
}
