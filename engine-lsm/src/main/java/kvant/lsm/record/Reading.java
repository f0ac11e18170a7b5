package kvant.lsm.record;

import java.time.InstantSource;
import kvant.engine.ValueFilter;
import org.jspecify.annotations.Nullable;

/// How a look-up reads what it finds.
///
/// @param clock by which values expire; read only for values that do
/// @param filter of the values that are copied; null for all of them
public record Reading(InstantSource clock, @Nullable ValueFilter filter) {

    /// Every value.
    public static Reading by(InstantSource clock) {
        return new Reading(clock, null);
    }

    /// @param tag of the record
    /// @param length of the value
    public boolean wants(long tag, int length) {
        return filter == null || filter.wants(Tag.sequence(tag), length);
    }
}
