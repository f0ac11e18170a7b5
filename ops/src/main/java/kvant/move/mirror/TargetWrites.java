package kvant.move.mirror;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import kvant.engine.CompletionSink;
import kvant.engine.Engine;
import kvant.engine.EngineException;
import kvant.engine.Mutation;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import org.jspecify.annotations.Nullable;

/// Sends writes to the target, each with a deadline. A write that fails or misses its deadline is added to the
/// [MirrorBacklog] before the caller is notified. Any thread may call.
///
///     SENT --outcome--> ENDED             (the caller is notified)
///     SENT --deadline--> LATE (the caller is notified, keys in doubt) --outcome--> ENDED (the doubt ends)
final class TargetWrites {

    /// Waits for the outcome of a write.
    interface Caller {

        /// Called once, before the deadline; must not block. The lines of the write are still held.
        ///
        /// @param applied true if the target has certainly applied it; otherwise its keys are in the backlog
        /// @param failure reported by the target, or null
        void answered(boolean applied, @Nullable EngineException failure);
    }

    // Constant.
    private final MirrorBacklog backlog;
    private final long deadlineNanos;

    // Concurrent; ordered by deadline.
    private final Queue<Sent> underWay = new ConcurrentLinkedQueue<>();

    TargetWrites(MirrorBacklog backlog, MirrorOptions options) {
        this.backlog = backlog;
        this.deadlineNanos = options.deadline().toNanos();
    }

    /// Sends a batch without a condition; the caller holds its lines.
    void send(Engine target, List<Mutation> mutations, Caller caller) {
        Sent sent = new Sent(mutations, caller, System.nanoTime() + deadlineNanos);
        underWay.add(sent);
        Write write = new Write(WriteBatch.of(mutations), sent);
        try {
            target.submit(write);
        } catch (RuntimeException e) { // such as a limit lower than the source's
            sent.ended(new EngineException.Unsupported("the target does not take this write: " + e.getMessage()));
        }
    }

    /// Times out writes past their deadline. Called every few milliseconds, on one thread.
    void sweep() {
        long now = System.nanoTime();
        for (Sent first = underWay.peek(); first != null; first = underWay.peek()) {
            if (!first.isOver() && now - first.giveUpNanos < 0) {
                return;
            }
            underWay.poll();
            first.giveUp();
        }
    }

    private final class Sent implements CompletionSink {

        // Constant.
        private final List<Mutation> mutations;
        private final Caller caller;
        private final long giveUpNanos;

        // Guarded by this.
        private boolean over;
        private boolean late;

        Sent(List<Mutation> mutations, Caller caller, long giveUpNanos) {
            this.mutations = mutations;
            this.caller = caller;
            this.giveUpNanos = giveUpNanos;
        }

        synchronized boolean isOver() {
            return over;
        }

        @Override
        public void completed(Write write) {
            ended(write.failure());
        }

        @Override
        public void wake() {
            // Each outcome was already handled on delivery.
        }

        private void ended(@Nullable EngineException failure) {
            synchronized (this) {
                over = true;
                if (late) {
                    backlog.lateEnded(mutations);
                    return;
                }
                if (failure != null) {
                    backlog.failed(mutations, failure);
                }
            }
            caller.answered(failure == null, failure);
        }

        private void giveUp() {
            synchronized (this) {
                if (over) {
                    return;
                }
                late = true;
                backlog.late(mutations, deadlineNanos / 1_000_000);
            }
            caller.answered(false, null);
        }
    }
}
