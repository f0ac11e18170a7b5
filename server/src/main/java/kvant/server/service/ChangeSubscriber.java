package kvant.server.service;

import java.util.concurrent.TimeUnit;
import kvant.engine.EngineException;
import kvant.engine.feed.ChangeCursor;
import kvant.engine.feed.ChangeFeed;
import kvant.server.admit.AnswerMemory;
import kvant.server.execute.CallExecutor;
import kvant.server.execute.ScanLimiter;
import kvant.server.request.ChangeBatch;
import kvant.server.request.Failure;
import kvant.server.request.Failures;
import kvant.server.request.Outcome;
import kvant.server.request.Request;
import org.jspecify.annotations.Nullable;

/// A follower of the store's changes, between its rounds: its position, the remaining range, and the reused batch. It
/// holds no file, and no memory of the engine.
///
/// Belongs to the worker that runs the current round, between rounds to the event loop. While it waits for changes it
/// takes no thread and no place among the ranges under way, and the claim for its answer is released.
final class ChangeSubscriber extends Rounds {

    /// Beats while it waits, at least.
    private static final int BEATS_OF_WAIT = 3;

    /// Beats that come sooner once the client sends nothing more. Where it has gone, the first one has the kernel
    /// learn so, and the next one fails.
    private static final int PROBES = 2;

    private static final long PROBE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final int CHANGE_OVERHEAD_BYTES = 64;

    // Constant.
    private final Followers others;
    private final Request.Changes request;
    private final ChangeBatch batch;
    private final long beganNanos = System.nanoTime();

    // Owned by the worker of the round.
    private @Nullable ChangeCursor cursor;
    private long lastVersion;
    private long newsNanos = beganNanos;
    private long roundBytes;

    // Owned by the loop.
    private boolean waits;
    private int probes;

    // Read by anyone.
    private volatile long toldUpTo;
    private volatile long dueNanos;

    ChangeSubscriber(
            CallExecutor executor, Followers others, ScanLimiter underWay, Call call, Request.Changes request) {
        super(executor, underWay, call);
        this.others = others;
        this.request = request;
        this.batch = new ChangeBatch(request.events());
    }

    /// Called once, by the worker of the first round.
    void start() {
        underWay.begun();
        try {
            ChangeFeed feed = others.feed();
            lastVersion = feed.newest();
            long from = request.from() == Request.Changes.NOW ? lastVersion : request.from();
            cursor = feed.after(from);
            toldUpTo = from;
            others.join(this);
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    @Override
    Outcome pull(int maxBytes, AnswerMemory answers) {
        batch.clear();
        ChangeCursor place = cursor;
        if (place != null && batch.failure() == null) {
            try {
                fill(place, maxBytes, answers);
            } catch (RuntimeException | Error e) {
                batch.clear();
                failed(e);
            }
        }
        batch.upTo(toldUpTo);
        if (batch.last()) {
            others.left(this);
        }
        return outcomeOf(batch);
    }

    private void fill(ChangeCursor place, int maxBytes, AnswerMemory answers) {
        roundBytes = 0;
        place.read(follows() ? Long.MAX_VALUE : lastVersion, maxBytes, (change, more) -> {
            batch.add(change, more);
            int last = batch.count() - 1;
            roundBytes += batch.key(last).length + batch.value(last).length + (long) CHANGE_OVERHEAD_BYTES;
        });
        if (!call.claimAnswer(answers, roundBytes)) {
            throw new EngineException.Busy(Failures.OVERLOADED.detail());
        }
        toldUpTo = place.version();
        batch.visible(others.feed().visible());
        long nowNanos = System.nanoTime();
        if (batch.count() > 0) {
            newsNanos = nowNanos;
            others.told(batch.count(), roundBytes - (long) batch.count() * CHANGE_OVERHEAD_BYTES);
        }
        endIfDue(nowNanos);
    }

    private void endIfDue(long nowNanos) {
        if (follows() ? nowNanos - newsNanos >= waitNanos() : toldUpTo >= lastVersion) {
            batch.complete();
        } else if (others.isEnding()) {
            batch.breakOff(goOn("the node is ending"));
        } else if (nowNanos - beganNanos >= others.longestNanos()) {
            long seconds = TimeUnit.NANOSECONDS.toSeconds(others.longestNanos());
            batch.breakOff(goOn("an answer lasts " + seconds + " s at most"));
        }
    }

    private static Outcome.Failed goOn(String reason) {
        return new Outcome.Failed(Failure.ENGINE_CLOSED, reason + ": continue from the last version sent");
    }

    private void failed(Throwable e) {
        if (e instanceof EngineException.Gone) {
            others.gone();
            batch.markGone();
        }
        batch.breakOff(Failures.of(e, call::named));
    }

    private boolean follows() {
        return request.waitSeconds() > 0;
    }

    private long waitNanos() {
        return TimeUnit.SECONDS.toNanos(request.waitSeconds());
    }

    // --- Between rounds ---

    @Override
    void resume() {
        if (others.feed().newest() > toldUpTo || others.isEnding()) {
            super.resume();
            return;
        }
        call.releaseAnswer();
        waits = true;
        long nowNanos = System.nanoTime();
        long beatNanos = Math.min(Followers.BEAT_NANOS, waitNanos() / BEATS_OF_WAIT);
        if (call.hasInputEnded() && probes < PROBES) {
            probes++;
            beatNanos = Math.min(beatNanos, PROBE_NANOS);
        }
        dueNanos = nowNanos + Math.clamp(newsNanos + waitNanos() - nowNanos, 1, beatNanos);
        others.await(this);
    }

    /// Any thread: there is something to tell.
    void wake() {
        call.mailbox().deliver(this::endWait);
    }

    private void endWait() {
        if (waits) {
            waits = false;
            super.resume();
        }
    }

    @Override
    void inputEnded() {
        endWait();
    }

    /// The version up to which all changes have been sent; any thread may ask.
    long toldUpTo() {
        return toldUpTo;
    }

    /// The latest time at which it must be woken; any thread may ask.
    long dueNanos() {
        return dueNanos;
    }

    @Override
    boolean leave() {
        boolean waited = waits;
        waits = false;
        return waited;
    }

    @Override
    void closeLater() {
        others.left(this);
    }

    @Override
    boolean keepsClaim() {
        return false;
    }
}
