package kvant.move.mirror;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A key that sets and maps can hold. The array is shared, never to be changed.
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
