package kvant.lsm.memtable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import kvant.lsm.storage.ReadFault;
import kvant.lsm.storage.Storage;

/// A log that is being replayed, whose large values are read where they lie. Any thread may call.
///
/// @param file name of the log
/// @param bytes all of it, mapped for as long as a [ReplayBuffer] refers to it
public record MappedLog(Storage storage, String file, MemorySegment bytes) {

    /// @throws kvant.engine.EngineException.Corruption when the disk cannot read it
    void copy(long at, byte[] target, int offset, int length) {
        try {
            MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, at, target, offset, length);
        } catch (InternalError _) {
            throw ReadFault.damage(storage, file, bytes.byteSize(), at);
        }
    }
}
