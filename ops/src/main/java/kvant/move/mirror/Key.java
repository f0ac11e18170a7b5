package kvant.move.mirror;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A key that sets and maps can hold. The array is shared, never to be changed.
record Key(byte[] bytes) {

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Key key && Arrays.equals(bytes, key.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }
}
