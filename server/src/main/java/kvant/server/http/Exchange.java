package kvant.server.http;

import kvant.server.accesslog.AccessNote;
import kvant.server.admit.MemoryBudget;
import kvant.server.http.answer.Answer;
import kvant.server.http.contract.ByteRange;
import kvant.server.http.contract.Problem;
import kvant.server.http.parse.PendingRequest;
import kvant.server.http.parse.RequestHead;
import kvant.server.request.Outcome;
import kvant.server.request.Request;
import kvant.server.service.Call;
import kvant.server.service.LoopMailbox;
import kvant.server.service.RequestFigures;
import kvant.server.service.Service;
import org.jspecify.annotations.Nullable;

/// One request of a connection and its answer: pending while it is read, a call while the service has it, an answer
/// while it is written. A command of RESP is one without a head ([RespExchange]).
///
///     PENDING --[HELD]--> with the service --settled, refused--> READY --written--> gone
///                                 ^-- scan: next round --/
///
/// Owned by the connection's event loop, but for what [Call] hands to the executor.
class Exchange extends Call implements PendingRequest, Answer, RequestOrder.Member {

    /// Who is told of each step.
    interface Owner {

        /// All of the request was read.
        void complete(Exchange exchange, Request request, long claimedBytes);

        /// It has something to write.
        void settled(Exchange exchange);

        /// The service has let go of it, and nobody waits for it any more.
        void dropped(Exchange exchange);

        /// The port of the client.
        int remotePort();
    }

    private static final byte[] NO_LINES = {};

    // Constant.
    private final Owner owner;
    private final byte[] corsLines;
    private final boolean headOnly;
    private final boolean http10;
    private final boolean ndjson;
    private final boolean verbose;
    private final long deadlineMillis;
    private final @Nullable ByteRange range;

    // Owned by the event loop.
    private @Nullable Exchange nextFinished;
    private @Nullable Request held;
    private @Nullable AccessNote note;
    private boolean waits;
    private boolean underWay;
    private boolean safe;
    private boolean cutOff;
    private @Nullable Outcome outcome;
    private @Nullable Problem problem;
    private boolean submitted;
    private boolean continues;
    private boolean closes;
    private long claimedBytes;

    Exchange(LoopMailbox mailbox, Owner owner, RequestHead head) {
        super(mailbox, head.trace());
        this.owner = owner;
        this.corsLines = head.corsLines();
        this.headOnly = head.isHeadOnly();
        this.http10 = head.isHttp10();
        this.ndjson = head.acceptsNdjson();
        this.verbose = head.isVerbose();
        this.deadlineMillis = head.deadlineMillis();
        this.range = head.range();
        this.closes = !head.keepAlive();
    }

    /// Of a request without a head.
    Exchange(LoopMailbox mailbox, Owner owner) {
        super(mailbox);
        this.owner = owner;
        this.corsLines = NO_LINES;
        this.headOnly = false;
        this.http10 = false;
        this.ndjson = false;
        this.verbose = false;
        this.deadlineMillis = NO_DEADLINE;
        this.range = null;
    }

    // --- While it is read ---

    @Override
    public boolean isRefused() {
        return problem != null;
    }

    @Override
    public void refuse(Problem reason) {
        problem = reason;
        closes |= reason.closes();
    }

    @Override
    public boolean closes() {
        return closes;
    }

    @Override
    public void close() {
        closes = true;
    }

    @Override
    public void awaitContinue() {
        continues = true;
    }

    @Override
    public void complete(Request request, long bodyBytes) {
        owner.complete(this, request, bodyBytes);
    }

    /// What the access log will tell of it.
    void note(AccessNote begun) {
        note = begun;
    }

    /// The same, where there is an access log.
    AccessNote note() {
        AccessNote begun = note;
        if (begun == null) {
            throw new IllegalStateException("no access log");
        }
        return begun;
    }

    /// Whether the client waits for a `100 Continue` that has not been written.
    boolean continues() {
        return continues;
    }

    /// That was written.
    void continued() {
        continues = false;
    }

    // --- While the service has it ---

    /// Goes to the service, at once or when its turn comes.
    ///
    /// @param bodyBytes claim on the memory of its body
    /// @param receivedNanos when its last byte was received
    void submitted(Request request, long bodyBytes, long receivedNanos) {
        submitted = true;
        safe = !request.kind().isWrite();
        claimedBytes = bodyBytes;
        readAt(receivedNanos);
    }

    boolean submitted() {
        return submitted;
    }

    /// Whether the service had it as a whole, so that its stages are those of one call.
    boolean hasStages() {
        return submitted;
    }

    /// Its turn has come.
    void hand(Service service, Request request) {
        service.submit(this, request);
    }

    /// Nobody waits for an answer any more: it is dropped once the service has let go of it.
    void abandon(Service service) {
        service.abandon(this);
    }

    @Override
    public boolean isSafe() {
        return safe;
    }

    /// It waits until those before it are settled.
    void hold(Request request) {
        held = request;
    }

    /// What it was to ask for, if it waits; it no longer does.
    @Nullable
    Request takeHeld() {
        Request request = held;
        held = null;
        return request;
    }

    /// Whether it counts in the order of its connection.
    boolean isUnderWay() {
        return underWay;
    }

    void underWay(boolean counted) {
        underWay = counted;
    }

    /// It is a write, to reach the engine after this one.
    void behind(@Nullable Exchange earlier) {
        follow(earlier);
    }

    /// The claim on the memory of the body, to be released; once.
    long takeClaim() {
        long claimed = claimedBytes;
        claimedBytes = 0;
        return claimed;
    }

    /// Whether it counts among the reads of its connection that wait.
    boolean waits() {
        return waits;
    }

    void waits(boolean counted) {
        waits = counted;
    }

    @Override
    protected long deadlineMillis() {
        return deadlineMillis;
    }

    @Override
    protected int remotePort() {
        return owner.remotePort();
    }

    @Override
    protected void settled(Outcome settledAs) {
        outcome = range == null ? settledAs : range.of(settledAs);
        owner.settled(this);
    }

    @Override
    protected void dropped() {
        owner.dropped(this);
    }

    // --- While it is answered ---

    boolean isReady() {
        return outcome != null || problem != null;
    }

    @Override
    public @Nullable Outcome outcome() {
        return outcome;
    }

    @Override
    public @Nullable Problem problem() {
        return problem;
    }

    @Override
    public byte[] corsLines() {
        return corsLines;
    }

    @Override
    public byte[] requestId() {
        return trace().id();
    }

    @Override
    public void name() {
        named();
    }

    @Override
    public boolean headOnly() {
        return headOnly;
    }

    @Override
    public boolean http10() {
        return http10;
    }

    @Override
    public boolean ndjson() {
        return ndjson;
    }

    @Override
    public boolean verbose() {
        return verbose;
    }

    @Override
    public void markCutOff() {
        cutOff = true;
    }

    /// Whether the answer broke off in a way that its framing cannot tell.
    boolean cutOff() {
        return cutOff;
    }

    /// The next round of a scan begins: there is nothing to write until it is settled.
    void nextRound() {
        outcome = null;
    }

    /// What it holds of a budget; once it is ready.
    long held(MemoryBudget budget) {
        return heldOf(budget);
    }

    /// All of the answer has been written.
    void answered() {
        releaseAnswer();
    }

    /// The one that was finished before it, in the same write.
    @Nullable
    Exchange nextFinished() {
        return nextFinished;
    }

    void nextFinished(@Nullable Exchange next) {
        nextFinished = next;
    }

    void countWritten(RequestFigures figures, long nowNanos) {
        if (problem == Problem.OVERLOADED) {
            figures.refusedAtOnce();
        } else if (submitted && outcome != null) {
            figures.written(this, outcome, nowNanos);
        }
    }
}
