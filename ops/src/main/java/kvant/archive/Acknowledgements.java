package kvant.archive;

import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Set;
import kvant.engine.CompletionSink;
import kvant.engine.EngineException;
import kvant.engine.Write;
import kvant.engine.kit.Completion;
import org.jspecify.annotations.Nullable;

/// Holds the outcomes of writes back until the archive has them (`--archive-ack`), in their order. The writes that the
/// node has under way bound how many wait. Any thread may call it; sinks are woken without the lock.
final class Acknowledgements implements CompletionSink {

    private static final long NEVER = Long.MAX_VALUE;

    /// The write that the engine gets instead of a client's.
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

    // Written by the archive's thread.
    private volatile long archived;
    private volatile @Nullable String stopped;

    // Guarded by this.
    private final ArrayDeque<Held> held = new ArrayDeque<>();

    /// @param limitNanos a write that waits for longer has an unknown outcome
    /// @param hurry has the archiver begin a round at once
    Acknowledgements(long limitNanos, Runnable hurry) {
        this.limitNanos = limitNanos;
        this.hurry = hurry;
    }

    /// Wraps a client's write for the engine.
    ///
    /// @return null once no write can be acknowledged any more: this write has failed and must not be applied
    @Nullable
    Write hold(Write original) {
        if (stopped == null) {
            return new Held(original, this);
        }
        original.failed(new EngineException.Unavailable("nothing was written: " + stopped));
        Completion.deliver(original);
        return null;
    }

    @Override
    public synchronized void completed(Write write) {
        held.add((Held) write);
    }

    @Override
    public void wake() {
        settle(NEVER, "");
        hurry.run();
    }

    /// Reports that the archive contains all changes up to a version.
    void archived(long version) {
        archived = version;
        settle(NEVER, "");
    }

    /// The archive will not get the writes that wait.
    ///
    /// @param forGood whether it will get no later write either
    void lost(String reason, boolean forGood) {
        stopped = forGood ? reason : stopped;
        settle(0, reason);
    }

    /// Ends the wait of writes that came too long ago.
    void expire() {
        settle(limitNanos, "the archive did not take it in time");
    }

    /// Settles writes, oldest first, that are archived, were not applied, or have waited for so long.
    private void settle(long longestNanos, String reason) {
        Set<CompletionSink> sinks = new LinkedHashSet<>();
        synchronized (this) { // held while sinks take writes: two threads must not change their order
            for (Held next = held.peek(); next != null; next = held.peek()) {
                boolean waits = next.outcome() == Write.Outcome.APPLIED && next.version() > archived;
                boolean isLate = stopped != null || System.nanoTime() - next.sinceNanos >= longestNanos;
                if (waits && !isLate) {
                    break;
                }
                held.remove();
                if (waits) {
                    next.original.failed(new EngineException.OutcomeUnknown("written here, but not known to be in the"
                            + " archive: " + (stopped == null ? reason : stopped)));
                } else {
                    next.original.settledAs(next);
                }
                next.original.sink().completed(next.original);
                sinks.add(next.original.sink());
            }
        }
        sinks.forEach(CompletionSink::wake);
    }
}
