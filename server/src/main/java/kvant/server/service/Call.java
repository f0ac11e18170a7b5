package kvant.server.service;

import org.jspecify.annotations.Nullable;

/// One request on its way through the service; a server extends it with what it needs to answer.
///
///     IDLE --submit, resume--> RUNNING (executor, engine) --mailbox--> settled, on the event loop --> IDLE
///
/// Belongs to its event loop while idle and to the executor while running. The hand-over through the
/// executor's queue and the mailbox publishes the fields, so none of them is synchronised. A call is
/// settled once per round, whatever happens: a second delivery of one round is dropped here.
public abstract class Call implements Delivery {

    /// Answers up to this length are bounded well enough by the requests in flight.
    private static final int UNCLAIMED_ANSWER_BYTES = 1024;

    // Constant.
    private final LoopMailbox mailbox;

    // Owned by the event loop.
    private boolean running;
    private boolean abandoned;

    // Handed to and fro.
    private @Nullable Request request;
    private @Nullable Outcome outcome;
    private @Nullable OpenScan scan;
    private @Nullable MemoryBudget answers;
    private long answerBytes;

    protected Call(LoopMailbox mailbox) {
        this.mailbox = mailbox;
    }

    /// The round has an outcome. Called on the event loop; not called after the call was abandoned.
    protected abstract void settled(Outcome settledAs);

    /// The call was abandoned, and the engine and the executor have let go of it, or soon will of a
    /// cursor alone. Called once, on the event loop.
    protected abstract void dropped();

    /// The answer has been written, or never will be: what it claimed is free again. Loop only.
    protected final void releaseAnswer() {
        if (answers != null) {
            answers.release(answerBytes);
            answers = null;
            answerBytes = 0;
        }
    }

    /// Executor only: claims memory for so much of an answer at a time.
    ///
    /// @return false where there is none; then nothing more of the answer may be kept
    final boolean claimAnswer(MemoryBudget budget, long bytes) {
        long more = bytes - answerBytes;
        if (bytes <= UNCLAIMED_ANSWER_BYTES || more <= 0) {
            return true;
        }
        if (!budget.claim(more, answerBytes)) {
            return false;
        }
        answers = budget;
        answerBytes = bytes;
        return true;
    }

    /// Loop only: the next round begins.
    final void begin(Request asked) {
        request = asked;
        outcome = null;
        running = true;
    }

    /// Loop only: the round is over.
    final void end(Outcome endedAs) {
        if (!running) {
            return; // an engine that both threw and completed: the first answer stands
        }
        running = false;
        if (abandoned) {
            drop();
        } else {
            settled(endedAs);
        }
    }

    @Override
    public final void arrive() {
        Outcome reached = outcome;
        if (reached == null) {
            throw new IllegalStateException("delivered without an outcome");
        }
        end(reached);
    }

    /// Loop only: nobody waits for an answer any more.
    final void abandon() {
        abandoned = true;
        if (!running) {
            drop();
        }
    }

    private void drop() {
        if (scan != null) {
            scan.closeLater();
        }
        releaseAnswer();
        dropped();
    }

    final LoopMailbox mailbox() {
        return mailbox;
    }

    final Request request() {
        Request asked = request;
        if (asked == null) {
            throw new IllegalStateException("not submitted");
        }
        return asked;
    }

    final void outcome(Outcome reached) {
        outcome = reached;
    }

    final @Nullable OpenScan scan() {
        return scan;
    }

    final void scan(OpenScan opened) {
        scan = opened;
    }
}
