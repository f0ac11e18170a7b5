package kvant.lsm.memtable;

import kvant.engine.Lookup;
import kvant.lsm.bytes.Keys;
import kvant.lsm.record.Reading;
import kvant.lsm.record.RecordCursor;
import org.jspecify.annotations.Nullable;

/// The newest writes, sorted. One thread writes, any number read without a lock; records are never removed.
///
/// The engine uses [ArenaMemtable]; other implementations exist for benchmarks. A process loads only one of them, so
/// that calls stay monomorphic.
public interface Memtable {

    /// Adds a version of a key. Sequence numbers must grow from version to version of a key. The arrays may be shared
    /// instead of copied. Called by the writer only.
    ///
    /// @param kind one of [kvant.lsm.record.Tag]'s
    /// @param value empty for a deletion
    /// @param expiresAtMillis used only for [kvant.lsm.record.Tag#PUT_EXPIRING]
    void add(long sequence, int kind, byte[] key, byte[] value, long expiresAtMillis);

    /// Looks up the newest version of a key that a snapshot sees.
    ///
    /// @param hash the key's, from [Keys#hash]
    /// @param newestTag of the snapshot; [kvant.lsm.record.Tag#NEWEST] for the newest version
    /// @return null when this memtable has no version of the key; [Lookup.Miss#ABSENT] when that is a deletion
    /// @throws kvant.lsm.record.Retired when its last reference has been released; earlier values stay valid
    @Nullable
    Lookup find(byte[] key, long hash, long newestTag, Reading reading);

    default @Nullable Lookup find(byte[] key, long newestTag, Reading reading) {
        return find(key, Keys.hash(key), newestTag, reading);
    }

    /// A cursor over present and later records; see [RecordCursor]. The caller holds a reference for as long as it is
    /// read.
    RecordCursor cursor();

    /// Memory that this memtable holds, in bytes, including referenced arrays.
    long bytes();

    int count();

    default boolean isEmpty() {
        return count() == 0;
    }

    /// The largest sequence number; for the writer, and for anyone once no more is added.
    long lastSequence();

    /// Acquires a reference. The store has the first one, until the memtable has been flushed. The release of the
    /// last one frees the memory.
    ///
    /// @return false when the last one has been released; a newer super version is then current
    boolean acquire();

    void release();
}
