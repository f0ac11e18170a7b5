package kvant.lsm.memtable;

import java.time.InstantSource;
import kvant.engine.Lookup;
import kvant.lsm.bytes.Keys;
import kvant.lsm.record.RecordCursor;
import org.jspecify.annotations.Nullable;

/// The newest writes, sorted. One thread writes, any number read without a lock; records are never removed.
///
/// There are two that do the same: [ArenaMemtable] is what the engine uses, [MapMemtable] is what it is measured
/// against. A process that uses one of them never loads the other, so the compiler sees one implementation.
public sealed interface Memtable permits ArenaMemtable, MapMemtable {

    /// How records are kept.
    enum Kind {
        /// A skip list in arrays.
        ARENA,
        /// A `ConcurrentSkipListMap`.
        SKIP_LIST_MAP
    }

    /// @param expectedBytes about how much it will hold, in [#bytes]; more is no error
    static Memtable create(Kind kind, long expectedBytes) {
        return switch (kind) {
            case ARENA -> new ArenaMemtable(expectedBytes);
            case SKIP_LIST_MAP -> new MapMemtable();
        };
    }

    /// Adds a version of a key. Sequence numbers must grow from version to version of a key. The arrays may be
    /// shared instead of copied. Called by the writer only.
    ///
    /// @param kind one of [kvant.lsm.record.Tag]'s
    /// @param value empty for a deletion
    /// @param expiresAtMillis looked at for [kvant.lsm.record.Tag#PUT_EXPIRING] only
    void add(long sequence, int kind, byte[] key, byte[] value, long expiresAtMillis);

    /// Looks up the newest version of a key that a snapshot sees.
    ///
    /// @param hash the key's, from [Keys#hash]
    /// @param newestTag of the snapshot; [kvant.lsm.record.Tag#NEWEST] for whatever is there
    /// @return null when this memtable knows nothing of the key; [Lookup.Miss#ABSENT] when it knows that it
    ///     was removed
    @Nullable
    Lookup find(byte[] key, long hash, long newestTag, InstantSource clock);

    default @Nullable Lookup find(byte[] key, long newestTag, InstantSource clock) {
        return find(key, Keys.hash(key, 0, key.length), newestTag, clock);
    }

    /// A cursor over what is there now and what comes later; see [RecordCursor].
    RecordCursor cursor();

    /// Memory that this memtable holds, in bytes, including what it refers to.
    long bytes();

    int count();

    default boolean isEmpty() {
        return count() == 0;
    }

    /// The largest sequence number; for the writer, and for anyone once no more is added.
    long lastSequence();
}
