package kvant.lsm.changes;

import java.util.function.BooleanSupplier;
import kvant.engine.EngineException;
import kvant.engine.feed.ChangeCursor;
import kvant.engine.feed.ChangeFeed;
import kvant.lsm.read.SuperVersions;
import kvant.lsm.storage.Storage;
import kvant.lsm.store.DurablePoint;

/// The changes of a store, as its logs hold them: those that recovery needs, and those that are retained for
/// this.
///
/// Takes no lock and holds no file: the commit thread and the flush thread do not know who reads. Any thread
/// may call, but [#await] one at a time.
public final class LogChanges implements ChangeFeed {

    private final Storage storage;
    private final SuperVersions readers;
    private final DurablePoint durable;
    private final BooleanSupplier closed;

    public LogChanges(Storage storage, SuperVersions readers, DurablePoint durable, BooleanSupplier closed) {
        this.storage = storage;
        this.readers = readers;
        this.durable = durable;
        this.closed = closed;
    }

    @Override
    public long newest() {
        return durable.sequence();
    }

    @Override
    public long visible() {
        return readers.visibleSequence();
    }

    /// A version that is visible and not yet durable is one that will come.
    @Override
    public ChangeCursor after(long version) {
        refuseClosed();
        if (version < 0) {
            throw new IllegalArgumentException("a version is not negative: " + version);
        }
        long visible = visible();
        if (version > visible) {
            throw new EngineException.Gone("version " + version + " is not one of this store, whose newest is "
                    + visible + ": it was restored, or is another one; start anew");
        }
        return new LogCursor(storage, this, version);
    }

    @Override
    public void await(long version, long nanos) throws InterruptedException {
        durable.await(version, nanos);
    }

    void refuseClosed() {
        if (closed.getAsBoolean()) {
            throw new EngineException.Closed();
        }
    }
}
