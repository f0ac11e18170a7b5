package kvant.engine;

import org.jspecify.annotations.Nullable;

/// A sorted, durable map from byte strings to byte strings.
///
/// Keys order as unsigned bytes. A key has 1 to [Limits#maxKeyBytes] bytes, a value 0 to
/// [Limits#maxValueBytes]. Arrays that cross this interface are shared, not copied: neither side changes one
/// after handing it over.
///
/// All methods may be called from any thread. After [#close] reads throw [EngineException.Closed], and a
/// submitted read or write fails with it. Closing twice is no error.
///
/// Engines differ in point reads, so there are two kinds: a [LocalEngine] answers at once, from memory or a
/// disk; a [RemoteEngine] answers later, because it waits for a network. A caller that reads single keys
/// decides between the two once, when it gets the engine.
public sealed interface Engine extends AutoCloseable permits LocalEngine, RemoteEngine {

    /// Hands a batch to the group commit and returns at once. The write completes through its sink when the
    /// batch is as durable as the configured [Durability] promises, or when it is known not to have been
    /// applied.
    ///
    /// Never throws for a refused write: a full queue, a full disk and a failed log all arrive as the write's
    /// outcome, so that a caller handles them in one place. The sink may be called from within this method.
    ///
    /// A completed write is visible to every read that starts after its completion. Batches are applied in the
    /// order of the calls of one thread, and each of them entirely or not at all; a [LocalEngine] never shows one
    /// half.
    ///
    /// @throws IllegalArgumentException when the batch exceeds the [Limits]: the caller should have checked,
    ///     so this is a programming error; nothing of the batch is applied, and its sink is not called
    void submit(Write write);

    /// Opens a cursor over the keys in `[from, to)`, in order.
    ///
    /// It shows every write that had completed before the call, and each key that is there throughout exactly once.
    /// A [LocalEngine] reads one immutable snapshot, which holds none that starts after the call. A range whose end
    /// is not beyond its start is empty. A cursor that outlives its engine may throw [EngineException.Closed] from
    /// `next`; closing it is always allowed.
    ///
    /// @param from first key, inclusive; the empty array is the start of the store
    /// @param to end, exclusive, or null for the end of the store
    Cursor scan(byte[] from, byte @Nullable [] to);

    /// Opens a cursor over the first records of a range; otherwise as [#scan(byte[], byte[])].
    default Cursor scan(Range range) {
        Cursor records = scan(range.from(), range.to());
        return range.limit() == Range.UNLIMITED ? records : new LimitedCursor(records, range.limit());
    }

    /// Opens a cursor over the records of a range in the fastest order, each record once. It shows the same records
    /// as a scan of this engine; with a limit, any records of the range. On a single machine key order is the
    /// fastest.
    default Cursor export(Range range) {
        return scan(range);
    }

    /// Whether reads and writes can be served now, and if not, why. Cheap enough for a probe each second.
    Health health();

    /// Reports the engine's metrics. Cheap enough for a scrape each second.
    default void measure(MetricSink sink) {}

    /// Operations for operators, or null when the engine has none.
    default @Nullable Maintenance maintenance() {
        return null;
    }

    /// Sets the sink for the engine's background activities.
    default void observe(ActivitySink sink) {}

    /// Writes a batch and waits until it is durable; for tools, tests and start-up, not for event loops.
    ///
    /// @return the version of the batch's last mutation
    /// @throws EngineException the failure of the write
    /// @throws ConditionFailedException when the batch's condition did not hold
    default long write(WriteBatch batch) throws ConditionFailedException {
        return BlockingSink.write(this, batch);
    }

    /// Finishes the accepted writes, makes them durable under any [Durability], and releases the directory.
    @Override
    void close();
}
