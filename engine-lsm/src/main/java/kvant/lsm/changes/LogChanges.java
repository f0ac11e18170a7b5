package kvant.lsm.changes;

import java.util.function.BooleanSupplier;
import kvant.engine.EngineException;
import kvant.engine.feed.ChangeCursor;
import kvant.engine.feed.ChangeFeed;
import kvant.lsm.store.Store;

/// The change feed of a store, read from its logs: those that recovery needs, and those that are retained for this
/// purpose.
///
/// Takes no lock and holds no file: the commit thread and the flush thread do not know the readers. Any thread may
/// call, but [#await] one at a time.
///
/// @param closed whether the engine is closed
public record LogChanges(Store store, BooleanSupplier closed) implements ChangeFeed {

    @Override
    public long newest() {
        return store.durable().sequence();
    }

    @Override
    public long visible() {
        return store.readers().visibleSequence();
    }

    /// A version that is visible but not yet durable is valid: its change will come.
    @Override
    public ChangeCursor after(long version) {
        refuseClosed();
        if (version < 0) {
            throw new IllegalArgumentException("a version is not negative: " + version);
        }
        long visible = visible();
        if (version > visible) {
            throw new EngineException.Gone("version " + version + " is not one of this store, whose newest is "
                    + visible + ": it was restored, or is another one; read the range again");
        }
        return new LogCursor(store.storage(), this, version);
    }

    @Override
    public void await(long version, long nanos) throws InterruptedException {
        store.durable().await(version, nanos);
    }

    @Override
    public void copied(long version) {
        store.versions().obsolete().copied(version);
    }

    void refuseClosed() {
        if (closed.getAsBoolean()) {
            throw new EngineException.Closed();
        }
    }
}
