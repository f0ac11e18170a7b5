package kvant.lsm.record;

import java.time.InstantSource;
import kvant.engine.Lookup;
import kvant.engine.kit.ExpiryClock;
import org.jspecify.annotations.Nullable;

/// The parameters of a look-up for the records that it finds.
///
/// @param clock by which values expire; asked only about values that do
/// @param filter of the values that are copied; null for all of them
/// @param values reads values that are kept out of tables
public record Reading(ExpiryClock clock, Lookup.@Nullable Filter filter, Values values) {

    /// Every value, where none is kept out of tables.
    public static Reading by(ExpiryClock clock) {
        return new Reading(clock, null, Values.NONE);
    }

    /// Every value, of a store that has never been asked.
    public static Reading by(InstantSource clock) {
        return by(ExpiryClock.of(clock));
    }

    /// @param tag of the record
    /// @param length of the value
    public boolean wants(long tag, int length) {
        return filter == null || filter.wants(Tag.sequence(tag), length);
    }

    /// Reads values that are kept out of tables.
    @FunctionalInterface
    public interface Values {

        /// For memtables, and for tables that are known to have no references: there are no value files.
        Values NONE = pointer -> {
            throw new IndexOutOfBoundsException("there is no value file " + pointer.file());
        };

        /// @return the value, for the caller alone; null when that would wait for a disk and must not
        /// @throws kvant.engine.EngineException.Corruption when the bytes at this place are not this value
        byte @Nullable [] read(ValuePointer pointer);
    }
}
