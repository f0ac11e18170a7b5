package kvant.engine;

import org.jspecify.annotations.Nullable;

/// A sorted, durable map from byte strings to byte strings.
///
/// Keys order as unsigned bytes. A key has 1 to [Limits#maxKeyBytes] bytes, a value 0 to
/// [Limits#maxValueBytes]. Arrays that cross this interface are shared, not copied: neither side changes one
/// after handing it over.
///
/// All methods may be called from any thread. After [#close] reads throw [EngineException.Closed], and a
/// submitted write fails with it. Closing twice is no error.
public interface Engine extends AutoCloseable {

    /// Looks a key up without ever blocking on a disk or a network, so that whoever holds an event loop may
    /// call it.
    ///
    /// @return what [#get] would return, or [Lookup.Miss#WOULD_BLOCK] when the answer is not in memory
    Lookup tryGet(byte[] key);

    /// Looks a key up; may block, so it is called from a worker.
    ///
    /// @return the value, or [Lookup.Miss#ABSENT]; never [Lookup.Miss#WOULD_BLOCK]
    /// @throws EngineException.Corruption when the bytes that hold the answer fail their checksum
    Lookup get(byte[] key);

    /// How many copies of each key there are, and a request may ask for.
    default int replicas() {
        return 1;
    }

    /// Whether reads wait for a network rather than for memory or a disk, so that [#submit(Read)] is the way to
    /// read and [#tryGet] never has an answer.
    default boolean answersLater() {
        return false;
    }

    /// Looks a key up and returns at once where the engine [answers later][#answersLater]; the answer goes to the
    /// read itself. Never throws: whatever goes wrong is told to the read.
    default void submit(Read read) {
        Lookup lookup;
        try {
            lookup = get(read.key());
        } catch (EngineException e) {
            read.failed(e);
            return;
        }
        read.answered(lookup);
    }

    /// Looks several keys up, as of one moment; may block, so it is called from a worker.
    ///
    /// The answers show the store as a scan opened during the call would: they hold every write that had
    /// completed before the call, none that starts after it, and each batch entirely or not at all. Whether a
    /// value has expired is asked once for all of them. Between two calls, or a call and a [#get], nothing is
    /// promised beyond that: a `get` may already have shown a write that had not completed, and this may not.
    ///
    /// The caller bounds the number of keys: all answers are in memory at once.
    ///
    /// @param keys in any order, some of them perhaps the same; may be empty
    /// @return one answer for each key, in their order; never [Lookup.Miss#WOULD_BLOCK]
    /// @throws EngineException when any of the answers cannot be given, such as [EngineException.Corruption]
    Lookup[] getAll(byte[][] keys);

    /// Hands a batch to the group commit and returns at once. The write completes through its sink when the
    /// batch is as durable as the configured [Durability] promises, or when it is known not to have been
    /// applied.
    ///
    /// Never throws for a refused write: a full queue, a full disk and a dead log all arrive as the write's
    /// outcome, so that a caller has one place to look. The sink may be called from within this method.
    ///
    /// A completed write is visible to every read that starts after its completion. Batches are applied in
    /// the order of the calls of one thread, and each of them entirely or not at all.
    ///
    /// @throws IllegalArgumentException when the batch exceeds the [Limits]: the caller should have checked,
    ///     so this is a programming error; nothing of the batch is applied, and its sink is not called
    void submit(Write write);

    /// Opens a cursor over one immutable snapshot of the keys in `[from, to)`, in order.
    ///
    /// The snapshot holds every write that had completed before the call, and none that starts after it. A
    /// range whose end is not beyond its start is empty. A cursor that outlives its engine may throw
    /// [EngineException.Closed] from `next`; closing it is always allowed.
    ///
    /// @param from first key, inclusive; the empty array is the start of the store
    /// @param to end, exclusive, or null for the end of the store
    Cursor scan(byte[] from, byte @Nullable [] to);

    /// Opens a cursor over the first records of a range; otherwise as [#scan(byte[], byte[])].
    default Cursor scan(Range range) {
        Cursor records = scan(range.from(), range.to());
        return range.limit() == Range.UNLIMITED ? records : new LimitedCursor(records, range.limit());
    }

    /// Opens a cursor over the records of a range in whatever order is the fastest, each of them once.
    /// Shows what a scan of this engine would; with a limit these are any records of the range. On one
    /// machine the order of the keys is the fastest one.
    default Cursor export(Range range) {
        return scan(range);
    }

    /// Whether reads and writes can be served now, and if not, why. Cheap enough for a probe each second.
    Health health();

    /// Gives the figures that the engine keeps of itself. Cheap enough for a scrape each second.
    default void measure(MetricSink sink) {}

    /// What an operator may ask of this engine, or null when there is nothing to ask.
    default @Nullable Maintenance maintenance() {
        return null;
    }

    /// Has the engine tell what it does besides answering, from now on.
    default void observe(ActivitySink sink) {}

    /// Writes a batch and waits until it is durable; for tools, tests and start-up, not for event loops.
    ///
    /// @return the version of the batch's last mutation
    /// @throws EngineException what the write failed with
    /// @throws ConditionFailedException when the batch's condition did not hold
    default long write(WriteBatch batch) throws ConditionFailedException {
        return BlockingSink.write(this, batch);
    }

    /// Finishes the writes that were accepted, makes them durable whatever the policy, and releases the
    /// directory.
    @Override
    void close();
}
