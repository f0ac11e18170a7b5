package kvant.cassandra;

import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import kvant.engine.Cursor;
import kvant.engine.EngineException;
import kvant.engine.ForwardingCursor;

/// Bounds the ranges that are open at a time. Each keeps pages of many partitions in memory, for as long as its
/// client reads, so enough clients would fill the heap.
///
/// Any thread may open and close.
final class OpenRanges {

    // Constant.
    private final int most;
    private final Semaphore places;

    OpenRanges(int most) {
        this.most = most;
        this.places = new Semaphore(most);
    }

    /// Opens a cursor that frees its place when it is closed.
    ///
    /// @throws EngineException.Busy when there is no place
    Cursor open(Supplier<Cursor> range) {
        if (!places.tryAcquire()) {
            throw new EngineException.Busy("as many ranges are open as there may be, which is " + most);
        }
        try {
            return new Held(range.get());
        } catch (RuntimeException | Error e) {
            places.release();
            throw e;
        }
    }

    int count() {
        return most - places.availablePermits();
    }

    /// Belongs to one thread at a time, as each cursor.
    private final class Held extends ForwardingCursor {

        private boolean closed;

        Held(Cursor records) {
            super(records);
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                places.release();
                super.close();
            }
        }
    }
}
