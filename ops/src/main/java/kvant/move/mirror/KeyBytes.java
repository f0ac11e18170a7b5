package kvant.move.mirror;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A key for sets and maps. The array is shared and must not be changed.
record KeyBytes(byte[] bytes) {

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof KeyBytes key && Arrays.equals(bytes, key.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }
}
