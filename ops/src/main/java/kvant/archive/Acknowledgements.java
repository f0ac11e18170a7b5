package kvant.archive;

import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import kvant.engine.CompletionSink;
import kvant.engine.EngineException;
import kvant.engine.Write;
import org.jspecify.annotations.Nullable;

/// Holds the outcomes of writes back until the archive has them (`--archive-ack`), in their order. What waits is
/// bounded by the writes that the node has under way. Any thread may call it; sinks are called without the lock.
final class Acknowledgements implements CompletionSink {

    private static final long NEVER = Long.MAX_VALUE;

    /// A write in the place of a client's.
    private static final class Held extends Write {

        private final Write original;
        private final long sinceNanos = System.nanoTime();

        Held(Write original, CompletionSink sink) {
            super(original.batch(), sink);
            this.original = original;
        }
    }

    // Constant.
    private final long limitNanos;
    private final Runnable hurry;
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by the lock.
    private final ArrayDeque<Held> held = new ArrayDeque<>();
    private long archived;
    private @Nullable String stopped;

    /// @param limitNanos a write that waits for longer has an unknown outcome
    /// @param hurry has the archiver begin at once
    Acknowledgements(long limitNanos, Runnable hurry) {
        this.limitNanos = limitNanos;
        this.hurry = hurry;
    }

    /// What is to be submitted in the place of a write.
    ///
    /// @return null where no write can be acknowledged any more: this one has failed, and is not applied
    @Nullable
    Write hold(Write original) {
        String reason = stopped();
        if (reason == null) {
            return new Held(original, this);
        }
        original.failed(new EngineException.Unavailable("nothing was written: " + reason));
        original.sink().completed(original);
        original.sink().wake();
        return null;
    }

    private @Nullable String stopped() {
        lock.lock();
        try {
            return stopped;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void completed(Write write) {
        lock.lock();
        try {
            held.add((Held) write);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void wake() {
        release();
        hurry.run();
    }

    /// The archive has all up to a version.
    void archived(long version) {
        lock.lock();
        try {
            archived = version;
        } finally {
            lock.unlock();
        }
        release();
    }

    /// What waits will not be in the archive.
    ///
    /// @param forGood whether nothing will be from now on
    void lost(String reason, boolean forGood) {
        lock.lock();
        try {
            stopped = forGood ? reason : stopped;
        } finally {
            lock.unlock();
        }
        settle(0, reason);
    }

    /// Those that have waited for too long.
    void expire() {
        settle(limitNanos, "the archive did not take it in time");
    }

    private void release() {
        settle(NEVER, "");
    }

    /// Settles from the oldest on what is archived, was not applied, or has waited for so long.
    private void settle(long longestNanos, String reason) {
        Set<CompletionSink> sinks = new LinkedHashSet<>();
        lock.lock(); // also while sinks take them: two threads must not change their order
        try {
            for (Held next = held.peek(); next != null; next = held.peek()) {
                String unknown = stopped == null ? reason : stopped;
                boolean waits = next.outcome() == Write.Outcome.APPLIED && next.version() > archived;
                boolean isLate = stopped != null || System.nanoTime() - next.sinceNanos >= longestNanos;
                if (waits && !isLate) {
                    break;
                }
                held.remove();
                settle(next, waits ? unknown : "");
                next.original.sink().completed(next.original);
                sinks.add(next.original.sink());
            }
        } finally {
            lock.unlock();
        }
        sinks.forEach(CompletionSink::wake);
    }

    private static void settle(Held write, String unknown) {
        Write original = write.original;
        switch (write.outcome()) {
            case APPLIED -> {
                if (unknown.isEmpty()) {
                    Write.Steps steps = write.steps();
                    if (steps != null) {
                        original.took(steps);
                    }
                    original.applied(write.version());
                } else {
                    original.failed(new EngineException.OutcomeUnknown(
                            "written here, but not known to be in the archive: " + unknown));
                }
            }
            case REFUSED -> original.refused();
            case FAILED, PENDING -> {
                EngineException failure = write.failure();
                original.failed(failure == null ? new EngineException.Closed() : failure);
            }
        }
    }
}
