package kvant.move.copy;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// How far a copy has come.
///
/// @param from name of the source
/// @param to name of the target
/// @param overwrites whether the target may hold more than the source
/// @param key the last one of which the target has all up to it, durably; null for none yet
/// @param records how many that are
/// @param bytes of their keys and values, with a charge for each record
/// @param finished whether the source has no more
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
