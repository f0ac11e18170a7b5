package kvant.server.accesslog;

import java.util.concurrent.atomic.AtomicLong;
import org.jctools.queues.varhandle.SpscVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/// The notes of one event loop on their way to the writer. Bounded: what does not fit is dropped and counted, and no
/// request waits for it.
public final class AccessQueue {

    private final SpscVarHandleArrayQueue<AccessNote> notes;
    private final AtomicLong dropped = new AtomicLong(); // the loop alone adds

    AccessQueue(int capacity) {
        notes = new SpscVarHandleArrayQueue<>(capacity);
    }

    /// Loop only. The writer is not woken: that would be a system call, and it looks by itself.
    public void add(AccessNote note) {
        if (!notes.offer(note)) {
            dropped.lazySet(dropped.getPlain() + 1);
        }
    }

    /// Writer only.
    @Nullable
    AccessNote poll() {
        return notes.poll();
    }

    long dropped() {
        return dropped.get();
    }
}
