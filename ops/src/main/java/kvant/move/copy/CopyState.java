package kvant.move.copy;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The progress of a copy.
///
/// @param from name of the source
/// @param to name of the target
/// @param overwrites whether the target may hold more than the source
/// @param key the target durably has all records up to this key; null before the first
/// @param records number of these records
/// @param bytes of their keys and values, plus a fixed overhead per record
/// @param finished whether the end of the source was reached
public record CopyState(
        String from, String to, boolean overwrites, byte @Nullable [] key, long records, long bytes, boolean finished) {

    public static CopyState begin(String from, String to, boolean overwrites) {
        return new CopyState(from, to, overwrites, null, 0, 0, false);
    }

    CopyState after(byte[] newKey, long moreRecords, long moreBytes) {
        return new CopyState(from, to, overwrites, newKey, records + moreRecords, bytes + moreBytes, false);
    }

    CopyState end() {
        return new CopyState(from, to, overwrites, key, records, bytes, true);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof CopyState state
                && from.equals(state.from)
                && to.equals(state.to)
                && overwrites == state.overwrites
                && Arrays.equals(key, state.key)
                && records == state.records
                && bytes == state.bytes
                && finished == state.finished;
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(key) * 31 + Long.hashCode(records);
    }
}
