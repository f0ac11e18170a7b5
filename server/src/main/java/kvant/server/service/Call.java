package kvant.server.service;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import kvant.engine.Terms;
import kvant.engine.Write;
import kvant.server.admit.AnswerMemory;
import kvant.server.admit.MemoryBudget;
import kvant.server.admit.RequestKind;
import kvant.server.execute.CallExecutor;
import kvant.server.execute.RunnableCall;
import kvant.server.request.Failures;
import kvant.server.request.Outcome;
import kvant.server.request.Request;
import kvant.server.request.RequestTrace;
import org.jspecify.annotations.Nullable;

/// A request on its way through the handler; a server extends it with the data that its answer needs.
///
///     IDLE --submit, resume--> RUNNING (executor, engine) --mailbox--> settled, on the event loop --> IDLE
///
/// Belongs to its event loop while idle and to the executor while running. The hand-over through the executor's
/// queue and the mailbox publishes the fields, so none of them is synchronised. A call is settled exactly once
/// per round: a second delivery of one round is dropped here.
///
/// The writes of one client reach the engine in their order, although several threads of an executor carry them
/// out:
///
///     [#isTurn] --yes--> handed to the engine --[#passOn]--> the one behind it, if that has come already
///               --no---> left with the one before it, whose thread continues with it
///
/// No thread waits for another: a thread that comes too early leaves its write behind and is free. The event loop
/// sets the order before it submits; from then on a write belongs to the thread that has it. Exactly one thread
/// continues with each write: the link `after` is taken once, from either side.
public abstract class Call implements CompletionQueue.Delivery, RunnableCall {

    public static final long NO_DEADLINE = 0;

    /// Answers up to this length are bounded well enough by the requests in flight.
    protected static final int UNCLAIMED_ANSWER_BYTES = 1024;

    /// The value of `after` when the next write need not wait.
    private static final Object PASSED = new Object();

    private static final VarHandle AFTER;

    static {
        try {
            AFTER = MethodHandles.lookup().findVarHandle(Call.class, "after", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    // Constant.
    final CompletionQueue mailbox;

    // Owned by the event loop.
    private boolean running;
    boolean inputEnded;
    private boolean counted;
    private long readNanos;
    private long settledNanos;

    @Nullable
    RequestEvent event; // for recordings

    /// The engine's step times of a write; null for other requests, and for an engine that does not report them.
    Write.@Nullable Steps steps;

    // Set by the event loop, read by any thread.
    private volatile boolean abandoned;

    // Handed to and fro.
    private @Nullable Request request;
    private @Nullable Outcome outcome;

    @Nullable
    Rounds rounds;

    private @Nullable MemoryBudget answers;
    private long answerBytes;
    private RequestTrace trace;
    long deadlineNanos; // longest wait before it is begun
    private long queuedNanos;
    private long startedNanos;
    private long doneNanos;
    private @Nullable Call before;
    boolean skipped;

    // Atomic: null, the write behind it, or PASSED.
    @SuppressWarnings("unused") // through AFTER
    private volatile @Nullable Object after;

    protected Call(CompletionQueue mailbox) {
        this(mailbox, RequestTrace.NONE);
    }

    /// @param trace the client's ids for it
    protected Call(CompletionQueue mailbox, RequestTrace trace) {
        this.mailbox = mailbox;
        this.trace = trace;
    }

    /// The ids of the request and its trace.
    public final RequestTrace trace() {
        return trace;
    }

    /// Returns the ids of the request; creates an id for it if it has none.
    public final RequestTrace named() {
        trace = trace.named();
        return trace;
    }

    /// The client's limit on the wait before the call is begun, in milliseconds; [#NO_DEADLINE] where the client sets
    /// none.
    protected long deadlineMillis() {
        return NO_DEADLINE;
    }

    /// The port of the client's connection, 0 where there is none. A constant of the call.
    protected int remotePort() {
        return 0;
    }

    /// Handles the outcome of a round. Called on the event loop; not called after the call was abandoned.
    protected abstract void settled(Outcome settledAs);

    /// Handles the end of an abandoned call: the engine and the executor have released it, or soon will (only a
    /// cursor). Called once, on the event loop.
    protected void dropped() {}

    /// Releases the claim for the answer, which has been written, or never will be. Loop only.
    protected final void releaseAnswer() {
        if (answers != null) {
            answers.release(answerBytes);
            answers = null;
            answerBytes = 0;
        }
    }

    /// Claims memory for the present part of an answer, in place of the earlier claim. Executor only, or loop only
    /// for a call that is never submitted.
    ///
    /// @return false where there is none; then nothing more of the answer may be kept
    protected final boolean claimAnswer(AnswerMemory memory, long bytes) {
        if (bytes <= answerBytes) {
            shrinkAnswer(bytes);
            return true;
        }
        if (bytes <= UNCLAIMED_ANSWER_BYTES) {
            return true;
        }
        MemoryBudget budget = memory.budgetFor(bytes);
        long held = answers == budget ? answerBytes : 0;
        if (!budget.claim(bytes - held, held)) {
            return false;
        }
        if (answers != budget) {
            releaseAnswer();
            answers = budget;
        }
        answerBytes = bytes;
        return true;
    }

    /// Releases the rest of the claim for an answer that turned out to be shorter.
    private void shrinkAnswer(long bytes) {
        if ((rounds == null || !rounds.keepsClaim()) && answers != null && answerBytes > bytes) {
            answers.release(answerBytes - bytes);
            answerBytes = bytes;
        }
    }

    /// Loop only, of a settled call: the memory of a budget that its answer holds.
    protected final long heldOf(MemoryBudget budget) {
        return answers == budget ? answerBytes : 0;
    }

    // --- Stages: the nano times at which the call was ... ---

    /// ... read from the socket, as far as it was complete then.
    public final long readNanos() {
        return readNanos;
    }

    protected final void readAt(long nanos) {
        readNanos = nanos;
    }

    /// ... handed to the executor.
    @Override
    public final long queuedNanos() {
        return queuedNanos;
    }

    /// ... begun, by the thread that runs it.
    public final long startedNanos() {
        return startedNanos;
    }

    /// ... answered by the engine; a write: committed.
    public final long doneNanos() {
        return doneNanos;
    }

    /// ... back on its event loop.
    public final long settledNanos() {
        return settledNanos;
    }

    @Override
    public final void threadFree(boolean free) {
        if (event != null) {
            event.threadFree = free;
        }
    }

    final void queuedAt(long nanos) {
        queuedNanos = nanos;
        startedNanos = nanos;
        doneNanos = nanos;
    }

    @Override
    public final void startedAt(long nanos) {
        startedNanos = nanos;
        doneNanos = nanos;
    }

    final void doneNow() {
        doneNanos = System.nanoTime();
    }

    /// Whether it need not be carried out. A write always is: there are clients that send one and disconnect.
    @Override
    public final boolean isUnwanted() {
        return abandoned && !kind().isWrite();
    }

    @Override
    public final boolean isOverdue(long nowNanos) {
        return nowNanos - readNanos > deadlineNanos;
    }

    /// The time left for the engine, as passed to it.
    final long timeoutNanos() {
        return deadlineNanos == Long.MAX_VALUE
                ? Terms.USUAL_TIMEOUT
                : Math.max(1, deadlineNanos - (System.nanoTime() - readNanos));
    }

    /// Loop only: the next round begins.
    final void begin(Request asked) {
        request = asked;
        outcome = null;
        steps = null;
        running = true;
    }

    /// Loop only: asks for the next of several rounds, after a batch that was not the last.
    public final void resume() {
        begin(request());
        Objects.requireNonNull(rounds, "has had no round").resume();
    }

    /// Loop only: the executor has taken it. Whether it runs on beyond that is known now.
    final void submitted() {
        counted = running && mailbox.admission.began(kind());
    }

    /// Loop only: the round is over.
    final void end(Outcome endedAs) {
        if (!running) {
            return; // an engine that both threw and completed: the first answer stands
        }
        running = false;
        settledNanos = Math.max(mailbox.nowNanos, doneNanos);
        if (rounds != null) {
            rounds.settled();
        }
        if (counted) {
            counted = false;
            mailbox.admission.ended(kind(), queuedNanos);
        }
        request = request().spent(); // a cursor has what further rounds need
        if (abandoned) {
            drop();
        } else {
            settled(endedAs);
        }
    }

    @Override
    public final void arrive() {
        end(Objects.requireNonNull(outcome, "delivered without an outcome"));
    }

    @Override
    public final void deliver() {
        mailbox.deliver(this);
    }

    // --- For the executor ---

    @Override
    public final RequestKind kind() {
        return request().kind();
    }

    @Override
    public final Progress tryRun(CallExecutor executor) {
        RequestHandler handler = mailbox.handler;
        return switch (request()) {
            case Request.Get get -> handler.keys.tryGet(this, get);
            case Request.Put put ->
                handler.isCold(put.key(), put.precondition()) ? Progress.WOULD_BLOCK : progress(handler.write(this));
            case Request.Delete delete ->
                handler.isCold(delete.key(), delete.precondition())
                        ? Progress.WOULD_BLOCK
                        : progress(handler.write(this));
            case Request.Update update ->
                handler.isCold(update.key(), update.precondition())
                        ? Progress.WOULD_BLOCK
                        : progress(handler.write(this));
            case Request.Scan scan -> handler.tryScan(this, scan, executor);
            case Request.Changes _ -> Progress.TAKES_LONG;
            // A batch does not block, but reading a long one keeps a thread busy.
            case Request.Record _,
                    Request.Entries _,
                    Request.Batch _,
                    Request.Probe _,
                    Request.ReadOnly _,
                    Request.Page _ -> Progress.WOULD_BLOCK;
        };
    }

    private static Progress progress(boolean done) {
        return done ? Progress.DONE : Progress.UNDER_WAY;
    }

    @Override
    public final boolean run(CallExecutor executor) {
        RequestHandler handler = mailbox.handler;
        try {
            return switch (request()) {
                case Request.Get get -> handler.keys.get(this, get);
                case Request.Record record -> done(handler.keys.record(this, record));
                case Request.Entries entries -> done(handler.keys.entries(this, entries.keys()));
                case Request.Put put -> handler.warmAndWrite(this, put.key(), put.precondition());
                case Request.Delete delete -> handler.warmAndWrite(this, delete.key(), delete.precondition());
                case Request.Update update -> handler.warmAndWrite(this, update.key(), update.precondition());
                case Request.Batch _ -> handler.write(this);
                case Request.Scan scan -> handler.scan(this, scan, executor);
                case Request.Changes changes -> handler.changes(this, changes, executor);
                case Request.Probe probe -> done(handler.probe(probe));
                case Request.Page page -> done(page.source().page(page.accept()));
                case Request.ReadOnly _ -> throw new IllegalStateException("it is answered at once");
            };
        } catch (Throwable e) { // also an OutOfMemoryError or a StackOverflowError: the client gets its answer
            return failed(e);
        }
    }

    /// Sets the outcome, if there is one.
    ///
    /// @return whether there is, for the caller to bring back
    final boolean done(@Nullable Outcome reached) {
        if (reached == null) {
            return false;
        }
        outcome = reached;
        doneNow();
        return true;
    }

    final boolean failed(Throwable e) {
        return done(Failures.of(e, this::named));
    }

    @Override
    public final void refuse(Refusal reason) {
        outcome = switch (reason) {
            case OVERLOADED -> Failures.OVERLOADED;
            case DEADLINE_PASSED -> Failures.DEADLINE_PASSED;
        };
        mailbox.handler.skip(this);
        deliver();
    }

    /// Loop only: abandons the call, because the client has gone. It will not be settled any more, and is dropped
    /// once the engine and the executor have released it.
    public void abandon() {
        abandoned = true;
        if (rounds != null && rounds.leave()) {
            running = false;
        }
        if (!running) {
            drop();
        }
    }

    /// Loop only: reports that the client sends nothing more, and may have gone. May be called repeatedly.
    public final void inputEnded() {
        if (!inputEnded) {
            inputEnded = true;
            if (rounds != null) {
                rounds.inputEnded();
            }
        }
    }

    private void drop() {
        if (rounds != null) {
            rounds.closeLater();
        }
        releaseAnswer();
        dropped();
    }

    final Request request() {
        return Objects.requireNonNull(request, "not submitted");
    }

    // --- The order of the writes of one client ---

    /// Loop only, before it is submitted: the write that is to reach the engine before this one.
    public final void follow(@Nullable Call earlier) {
        before = earlier;
    }

    /// Whether all writes before this one have been handed over. Called once, by the thread that was to carry
    /// it out. If false, the thread that hands over the write before it continues with this one.
    final boolean isTurn() {
        Call earlier = before;
        before = null;
        return earlier == null || !AFTER.compareAndSet(earlier, null, this);
    }

    /// Passes the turn on, because the write has been handed over, or never will be.
    ///
    /// @return the waiting write behind it, with which the caller continues; or null
    final @Nullable Call passOn() {
        return (Call) AFTER.getAndSet(this, PASSED);
    }
}
