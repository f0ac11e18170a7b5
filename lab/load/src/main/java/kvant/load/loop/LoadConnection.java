package kvant.load.loop;

import kvant.load.http.AnswerReader;
import kvant.load.keys.Values;
import kvant.load.schedule.Arrivals;
import kvant.load.workload.Operation;
import kvant.load.workload.RequestSource;

/// One connection of a loop: its schedule, and what is in flight on it.
///
///     CLOSED -> CONNECTING -> OPEN -> CLOSED
///
/// Owned by the loop.
final class LoadConnection implements AnswerReader.BodyListener {

    enum State {
        CLOSED,
        CONNECTING,
        OPEN
    }

    private static final int OK = 200;
    private static final byte[] NOTHING = new byte[0];

    // Constant.
    final int slot;
    final Arrivals arrivals;
    final AnswerReader parser;
    final RequestRing inFlight;
    /// The puts that follow from answered gets and are not sent yet.
    final RequestRing follows;

    private final boolean verify;

    // Owned by the loop.
    State state = State.CLOSED;
    boolean scheduled;
    boolean answeredSinceOpen;
    long ableSince;
    long ableLate;
    int localPort;
    long reconnectAt;
    long connectingSince;
    long openedAt;
    long failedAt;
    long pausedNanos; // how long the generator let it be before the attempt that made it
    byte[] pending = NOTHING;
    int pendingLength;

    private boolean bodyWrong;

    LoadConnection(int slot, int depth, boolean verify, Arrivals arrivals, AnswerReader parser) {
        this.slot = slot;
        this.verify = verify;
        this.arrivals = arrivals;
        this.parser = parser;
        inFlight = new RequestRing(depth);
        follows = new RequestRing(depth);
    }

    /// A request of the schedule was sent.
    void push(long intendedNanos, long sentNanos, RequestSource drawn, boolean isMeasured) {
        long able = Math.min(ableSince, sentNanos);
        RequestRing.Cell request = push(intendedNanos, sentNanos, drawn);
        request.late = Math.max(0, sentNanos - Math.max(intendedNanos, able - ableLate));
        request.inherited = 0;
        request.measured = isMeasured;
        request.followUp = false;
    }

    /// The oldest put that follows was sent. It was due when the answer to its get was there, and that may have been
    /// late already.
    void pushFollow(long intendedNanos, long sentNanos, RequestSource drawn) {
        RequestRing.Cell follow = follows.oldest();
        RequestRing.Cell request = push(intendedNanos, sentNanos, drawn);
        request.late = sentNanos - request.free + follow.late;
        request.inherited = follow.late;
        request.measured = follow.measured;
        request.followUp = true;
        follows.pop();
    }

    private RequestRing.Cell push(long intendedNanos, long sentNanos, RequestSource drawn) {
        RequestRing.Cell request = inFlight.add();
        request.intended = intendedNanos;
        request.free = Math.max(intendedNanos, Math.min(ableSince, sentNanos));
        request.sent = sentNanos;
        request.key = drawn.key();
        request.operation = drawn.operation();
        request.missing = drawn.isMissing();
        request.isNew = drawn.isNew();
        return request;
    }

    /// A put follows from the oldest request, which was answered.
    ///
    /// @param dueNanos when its answer was there
    void follow(long dueNanos) {
        RequestRing.Cell get = inFlight.oldest();
        RequestRing.Cell put = follows.add();
        put.key = get.key;
        put.intended = dueNanos;
        put.late = get.late; // how much earlier that answer would have been there, had the generator never been late
        put.measured = get.measured;
    }

    /// Forgets the oldest request.
    void pop() {
        inFlight.pop();
        bodyWrong = false;
    }

    boolean isBodyWrong() {
        return bodyWrong;
    }

    /// Keeps what the socket did not take.
    void stash(byte[] outbox, int from, int length) {
        int rest = length - from;
        if (pending.length < rest) {
            pending = new byte[rest];
        }
        System.arraycopy(outbox, from, pending, 0, rest);
        pendingLength = rest;
    }

    @Override
    public void body(byte[] bytes, int from, int to) {
        if (verify && !bodyWrong && parser.status() == OK && isRead()) {
            bodyWrong = !Values.matches(inFlight.oldest().key, parser.bodyBytes(), bytes, from, to);
        }
    }

    @Override
    public boolean isRead() {
        Operation operation = inFlight.oldest().operation;
        return operation == Operation.GET || operation == Operation.RMW;
    }
}
