package kvant.lsm.record;

import org.jspecify.annotations.Nullable;

/// Reads values that are kept out of tables.
@FunctionalInterface
public interface SeparatedValues {

    /// Of memtables, and of tables that are known to have none: there are no value files.
    SeparatedValues NONE = pointer -> {
        throw new IndexOutOfBoundsException("there is no value file " + pointer.file());
    };

    /// @return the value, for the caller alone; null when that would wait for a disk and must not
    /// @throws kvant.engine.EngineException.Corruption when what is there is not this value
    byte @Nullable [] read(ValuePointer pointer);
}
