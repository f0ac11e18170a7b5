package kvant.load.loop;

import kvant.load.http.AnswerReader;
import kvant.load.keys.Values;
import kvant.load.plan.Arrivals;
import kvant.load.workload.Operation;
import kvant.load.workload.RequestSource;

/// A connection of a loop: its schedule and its requests in flight.
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
    /// Puts that follow answered gets and are not sent yet.
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
    long pausedNanos; // delay by the generator before the attempt that opened it
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

    /// Notes that a scheduled request was sent.
    void push(long intendedNanos, long sentNanos, RequestSource drawn, boolean isMeasured) {
        long able = Math.min(ableSince, sentNanos);
        RequestRing.Cell request = push(intendedNanos, sentNanos, drawn);
        request.late = Math.max(0, sentNanos - Math.max(intendedNanos, able - ableLate));
        request.inherited = 0;
        request.measured = isMeasured;
        request.followUp = false;
    }

    /// Notes that the oldest follow-up put was sent. It was due when its get was answered, which may already have been
    /// late.
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

    /// Adds a follow-up put to the oldest request, which was answered.
    ///
    /// @param dueNanos arrival time of the answer
    void follow(long dueNanos) {
        RequestRing.Cell get = inFlight.oldest();
        RequestRing.Cell put = follows.add();
        put.key = get.key;
        put.intended = dueNanos;
        put.late = get.late; // how much earlier the answer would have arrived from a punctual generator
        put.measured = get.measured;
    }

    /// Removes the oldest request.
    void pop() {
        inFlight.pop();
        bodyWrong = false;
    }

    boolean isBodyWrong() {
        return bodyWrong;
    }

    /// Keeps bytes that the socket did not accept.
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
