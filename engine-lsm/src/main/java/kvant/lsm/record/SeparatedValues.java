package kvant.lsm.record;

import org.jspecify.annotations.Nullable;

/// Reads values that are kept out of tables.
@FunctionalInterface
public interface SeparatedValues {

    /// For memtables, and for tables that are known to have no references: there are no value files.
    SeparatedValues NONE = pointer -> {
        throw new IndexOutOfBoundsException("there is no value file " + pointer.file());
    };

    /// @return the value, for the caller alone; null when that would wait for a disk and must not
    /// @throws kvant.engine.EngineException.Corruption when the bytes at this place are not this value
    byte @Nullable [] read(ValuePointer pointer);
}
