package kvant.client;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A key: 1 to 65,536 arbitrary bytes. Keys order as unsigned bytes.
public final class Key implements Comparable<Key> {

    public static final int MAX_BYTES = 65_536;

    private static final byte[] HEX = "0123456789ABCDEF".getBytes(US_ASCII);
    private static final int LAST_BYTE = 0xff;

    private final byte[] bytes;

    private Key(byte[] bytes) {
        if (bytes.length == 0 || bytes.length > MAX_BYTES) {
            throw new IllegalArgumentException("a key has 1 to " + MAX_BYTES + " bytes, not " + bytes.length);
        }
        this.bytes = bytes;
    }

    /// The text as UTF-8.
    public static Key of(String text) {
        return new Key(text.getBytes(UTF_8));
    }

    /// @param bytes are copied
    public static Key of(byte[] bytes) {
        return new Key(bytes.clone());
    }

    /// A copy.
    public byte[] bytes() {
        return bytes.clone();
    }

    /// The bytes as UTF-8; invalid ones become U+FFFD.
    public String text() {
        return new String(bytes, UTF_8);
    }

    /// The internal array; no caller changes it.
    byte[] shared() {
        return bytes;
    }

    /// For a URL: all but letters, digits and `-._~` as `%XX`, a space as `%20`.
    String encoded() {
        byte[] out = new byte[3 * bytes.length];
        int length = 0;
        for (byte b : bytes) {
            if (isUnreserved(b)) {
                out[length++] = b;
            } else {
                out[length++] = '%';
                out[length++] = HEX[(b >> 4) & 0xf];
                out[length++] = HEX[b & 0xf];
            }
        }
        return new String(out, 0, length, US_ASCII);
    }

    private static boolean isUnreserved(byte b) {
        return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || "-._~".indexOf(b) >= 0;
    }

    /// The least key that is greater than all that begin with this one; none where all bytes are 0xff.
    Optional<Key> afterPrefix() {
        int length = bytes.length;
        while (length > 0 && (bytes[length - 1] & LAST_BYTE) == LAST_BYTE) {
            length--;
        }
        if (length == 0) {
            return Optional.empty();
        }
        byte[] next = Arrays.copyOf(bytes, length);
        next[length - 1]++;
        return Optional.of(new Key(next));
    }

    @Override
    public int compareTo(Key other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Key key && Arrays.equals(bytes, key.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /// The key as it appears in a URL.
    @Override
    public String toString() {
        return encoded();
    }
}
