package kvant.server.http;

import java.util.concurrent.Executor;
import kvant.server.admit.AnswerMemory;
import kvant.server.http.contract.HttpLimits;
import org.jspecify.annotations.Nullable;

/// The answers of one connection that wait for its client: whether it takes them, and whether it has to go for what
/// they
/// hold. Owned by the event loop.
final class WaitingAnswers {

    // Constant.
    private final Pipeline pipeline;
    private final LoopClock clock;
    private final HttpLimits limits;
    private final AnswerMemory memory;
    private final Executor executor;
    private final Runnable leave;

    // Owned by the event loop; most connections never need one.
    private @Nullable AnswerWatch watch;

    /// @param executor runs tasks on the event loop
    /// @param leave called on the event loop: others have been given what they hold
    WaitingAnswers(Pipeline pipeline, LoopContext loop, Executor executor, Runnable leave) {
        this.pipeline = pipeline;
        this.clock = loop.clock();
        this.limits = loop.limits();
        this.memory = loop.answers();
        this.executor = executor;
        this.leave = leave;
    }

    /// With each tick: whether the client is to be given up.
    ///
    /// @param waiting whether an answer waits for it
    boolean areTakenTooSlowly(boolean waiting) {
        AnswerWatch present = watch;
        if (!waiting) {
            if (present != null) {
                present.rest();
            }
            return false;
        }
        if (present == null) {
            present = new AnswerWatch(clock, limits, memory, this::leaveSoon);
            watch = present;
        }
        long sharedBytes = pipeline.heldOf(memory.shared());
        long longestBytes = pipeline.heldOf(memory.longest());
        boolean tooSlow = present.isTooSlow(pipeline.takenBytes(), sharedBytes, longestBytes)
                || clock.isOver(pipeline.movedTicks(), limits.stallTimeout());
        if (tooSlow) {
            memory.tooSlow();
        }
        return tooSlow;
    }

    private void leaveSoon() {
        executor.execute(() -> {
            if (isLeaving()) {
                leave.run();
            }
        });
    }

    /// Whether the client was told to go, and still holds what others need.
    private boolean isLeaving() {
        if (watch == null || !watch.isLeaving()) {
            return false;
        }
        boolean holds = pipeline.heldOf(memory.shared()) > 0 || pipeline.heldOf(memory.longest()) > 0;
        if (!holds) {
            watch.gone(); // it has taken everything just now
        }
        return holds;
    }

    /// They hold nothing any more.
    void gone() {
        if (watch != null) {
            watch.gone();
        }
    }
}
