package kvant.load.loop;

import kvant.load.http.AnswerReader;
import kvant.load.keys.Values;
import kvant.load.schedule.Arrivals;
import kvant.load.workload.Operation;

/// One connection of a loop: its schedule, and what is in flight on it, in rings of primitives.
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
    final FollowUps follows;
    private final boolean verify;
    private final int depth;

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

    // The ring of requests in flight, the oldest at `head`.
    private final long[] intended;
    private final long[] free;
    private final long[] sent;
    private final long[] late;
    private final long[] inherited;
    private final long[] keys;
    private final Operation[] operations;
    private final boolean[] missing;
    private final boolean[] isNew;
    private final boolean[] measured;
    private final boolean[] followUp;
    private int head;
    private int inFlight;

    private boolean bodyWrong;

    LoadConnection(int slot, int depth, boolean verify, Arrivals arrivals, AnswerReader parser) {
        this.slot = slot;
        this.depth = depth;
        this.verify = verify;
        this.arrivals = arrivals;
        this.parser = parser;
        intended = new long[depth];
        free = new long[depth];
        sent = new long[depth];
        late = new long[depth];
        inherited = new long[depth];
        keys = new long[depth];
        operations = new Operation[depth];
        missing = new boolean[depth];
        isNew = new boolean[depth];
        measured = new boolean[depth];
        followUp = new boolean[depth];
        follows = new FollowUps(depth);
    }

    boolean isFull() {
        return inFlight == depth;
    }

    int inFlight() {
        return inFlight;
    }

    /// A request of the schedule was sent.
    void push(long intendedNanos, long sentNanos, Requests drawn, boolean isMeasured) {
        long able = Math.min(ableSince, sentNanos);
        long own = Math.max(0, sentNanos - Math.max(intendedNanos, able - ableLate));
        push(intendedNanos, sentNanos, drawn, isMeasured, own, 0, false);
    }

    /// The oldest put that follows was sent. It was due when the answer to its get was there, and that may have been
    /// late already.
    void pushFollow(long intendedNanos, long sentNanos, Requests drawn) {
        long own = sentNanos - Math.max(intendedNanos, Math.min(ableSince, sentNanos));
        push(intendedNanos, sentNanos, drawn, follows.isMeasured(), own, follows.late(), true);
        follows.pop();
    }

    private void push(
            long intendedNanos,
            long sentNanos,
            Requests drawn,
            boolean isMeasured,
            long ownLateness,
            long inheritedLateness,
            boolean isFollow) {
        int at = (head + inFlight) % depth;
        intended[at] = intendedNanos;
        free[at] = Math.max(intendedNanos, Math.min(ableSince, sentNanos));
        sent[at] = sentNanos;
        late[at] = ownLateness + inheritedLateness;
        inherited[at] = inheritedLateness;
        followUp[at] = isFollow;
        keys[at] = drawn.key();
        operations[at] = drawn.operation();
        missing[at] = drawn.isMissing();
        isNew[at] = drawn.isNew();
        measured[at] = isMeasured;
        inFlight++;
    }

    /// Forgets the oldest request.
    void pop() {
        head = head + 1 == depth ? 0 : head + 1;
        inFlight--;
        bodyWrong = false;
    }

    long intended() {
        return intended[head];
    }

    /// When there was room for it, and it was due.
    long free() {
        return free[head];
    }

    long sent() {
        return sent[head];
    }

    /// How much earlier a generator that is never late would have sent it: by its own delay, and by that of the request
    /// whose answer made room for it, because that answer would have been there earlier by as much.
    long late() {
        return late[head];
    }

    /// How much of [#late()] is in its response time: a put that follows is due when its get was answered, so that
    /// what delayed the get is not.
    long charged() {
        return late[head] - inherited[head];
    }

    boolean isFollowUp() {
        return followUp[head];
    }

    long key() {
        return keys[head];
    }

    Operation operation() {
        return operations[head];
    }

    boolean isMissing() {
        return missing[head];
    }

    boolean isNew() {
        return isNew[head];
    }

    boolean isMeasured() {
        return measured[head];
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
            bodyWrong = !Values.matches(keys[head], parser.bodyBytes(), bytes, from, to);
        }
    }

    @Override
    public boolean isRead() {
        Operation operation = operations[head];
        return operation == Operation.GET || operation == Operation.RMW;
    }
}
