package kvant.server.http;

import kvant.server.service.Call;
import kvant.server.service.Outcome;
import kvant.server.service.RequestFigures;
import org.jspecify.annotations.Nullable;

/// One request of a connection and its answer.
///
///     PENDING --settled, refused--> READY --written--> gone
///                  ^-- scan: next round --/
///
/// Owned by the connection's event loop, but for what [Call] hands to the executor.
final class Exchange extends Call {

    // Constant.
    private final Connection connection;
    private final boolean headOnly;
    private final boolean http10;
    private final boolean ndjson;
    private final boolean verbose;

    private final long deadlineMillis;

    // Owned by the event loop.
    private @Nullable Exchange nextFinished;
    private boolean waits;
    private boolean cutOff;
    private @Nullable Outcome outcome;
    private @Nullable Problem problem;
    private boolean submitted;
    private boolean continues;
    private boolean closes;
    private long claimedBytes;

    Exchange(Connection connection, LoopContext loop, RequestHead head) {
        super(loop.mailbox());
        this.connection = connection;
        this.headOnly = head.method == Method.HEAD;
        this.http10 = head.http10;
        this.ndjson = head.ndjson;
        this.verbose = head.verbose;
        this.deadlineMillis = head.deadlineMillis;
        this.closes = !head.keepAlive();
    }

    @Override
    protected long deadlineMillis() {
        return deadlineMillis;
    }

    @Override
    protected int remotePort() {
        return connection.remotePort();
    }

    /// Its last byte arrived with what was read at this time.
    void completeAt(long nanos) {
        readAt(nanos);
    }

    /// Whether it counts among the reads of its connection that wait.
    boolean waits() {
        return waits;
    }

    void waits(boolean counted) {
        waits = counted;
    }

    /// Whether the answer broke off in a way that its framing cannot tell.
    boolean cutOff() {
        return cutOff;
    }

    void markCutOff() {
        cutOff = true;
    }

    /// The one that was finished before it, in the same write.
    @Nullable
    Exchange nextFinished() {
        return nextFinished;
    }

    void nextFinished(@Nullable Exchange next) {
        nextFinished = next;
    }

    boolean headOnly() {
        return headOnly;
    }

    boolean http10() {
        return http10;
    }

    boolean ndjson() {
        return ndjson;
    }

    boolean verbose() {
        return verbose;
    }

    /// What to answer, unless [#problem] says it; null while the service has the call.
    @Nullable
    Outcome outcome() {
        return outcome;
    }

    /// Why the request never reached the service.
    @Nullable
    Problem problem() {
        return problem;
    }

    boolean isReady() {
        return outcome != null || problem != null;
    }

    void refuse(Problem reason) {
        problem = reason;
        closes |= reason.closes();
    }

    /// Whether this is the last answer of its connection.
    boolean closes() {
        return closes;
    }

    void close() {
        closes = true;
    }

    /// Whether the client waits for a `100 Continue` that has not been written.
    boolean continues() {
        return continues;
    }

    void continues(boolean waits) {
        continues = waits;
    }

    boolean submitted() {
        return submitted;
    }

    /// Goes to the service, with the claim on the memory of its body.
    void submitted(long bodyBytes) {
        submitted = true;
        claimedBytes = bodyBytes;
    }

    /// The next round of a scan begins: there is nothing to write until it is settled.
    void nextRound() {
        outcome = null;
    }

    /// The claim on the memory of the body, to be released; once.
    long takeClaim() {
        long claimed = claimedBytes;
        claimedBytes = 0;
        return claimed;
    }

    /// All of the answer has been written.
    void answered() {
        releaseAnswer();
    }

    void countWritten(RequestFigures figures, long nowNanos) {
        if (problem == Problem.OVERLOADED) {
            figures.refusedAtOnce();
        } else if (submitted && outcome != null) {
            figures.written(this, outcome, nowNanos);
        }
    }

    @Override
    protected void settled(Outcome settledAs) {
        outcome = settledAs;
        connection.settled(this);
    }

    @Override
    protected void dropped() {
        connection.dropped(this);
    }
}
