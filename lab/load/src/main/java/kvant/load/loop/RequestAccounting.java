package kvant.load.loop;

import kvant.load.keys.ValueSizes;
import kvant.load.plan.LoadPlan;
import kvant.load.record.Failure;
import kvant.load.record.PhaseRecorder;
import kvant.load.record.RequestCounts.Count;
import kvant.load.workload.Operation;
import kvant.load.workload.RequestSource;

/// Determines and records the outcome of each request. Each request that was due is counted exactly once.
///
/// Owned by the loop.
final class RequestAccounting {

    private static final int NOT_FOUND = 404;
    private static final int FIRST_ERROR = 400;
    private static final int NO_STATUS = 0;

    // Constant.
    private final LoopFigures figures;
    private final RequestSource requests;
    private final ValueSizes values;
    private final boolean verify;
    private final boolean closed;

    RequestAccounting(LoopFigures figures, RequestSource requests, LoadPlan plan) {
        this.figures = figures;
        this.requests = requests;
        this.values = plan.workload().values();
        this.verify = plan.verify();
        this.closed = plan.pace().isClosed();
    }

    PhaseRecorder recorder(boolean measured) {
        return measured ? figures.measured : figures.warmup;
    }

    /// Records that the drawn request is sent.
    void sent(LoadConnection connection, long due, long now, boolean measured) {
        connection.push(due, now, requests, measured);
        sent(recorder(measured), connection, due, now);
    }

    /// Records that the oldest follow-up put is sent.
    void sentFollow(LoadConnection connection, long now) {
        PhaseRecorder recorder = recorder(connection.follows.oldest().measured);
        long due = closed ? now : connection.follows.oldest().intended;
        connection.pushFollow(due, now, requests);
        recorder.counts().add(Count.FOLLOW_UPS, 1);
        sent(recorder, connection, due, now);
    }

    private void sent(PhaseRecorder recorder, LoadConnection connection, long due, long now) {
        recorder.counts().add(Count.SENT, 1);
        if (!closed) {
            recorder.lag(Math.max(0, now - Math.max(due, connection.ableSince)));
        }
    }

    /// Records the answer to the oldest request of a connection, which its parser has completed.
    ///
    /// @param inTime whether it arrived within the measured time
    void answered(LoadConnection connection, long now, long readyAt, boolean inTime) {
        int status = connection.parser.status();
        RequestRing.Cell request = connection.inFlight.oldest();
        boolean expected = status < FIRST_ERROR || (request.missing && status == NOT_FOUND);
        boolean wrong = verify && expected && isWrong(connection, request, status);
        PhaseRecorder recorder = recorder(request.measured);
        recorder.counts().answered(status);
        if (!expected) {
            recorder.counts().add(Count.UNEXPECTED, 1);
        } else if (wrong) {
            recorder.counts().add(Count.WRONG_BODIES, 1);
        }
        boolean good = expected && !wrong;
        recorder.answered(request.operation, now - request.intended, now - request.sent, good);
        recorder.punctual(now - request.intended - request.charged());
        if (inTime) {
            figures.measured.counts().inTime(request.followUp);
        }
        keepIfSlow(connection, now, Math.min(readyAt, now), status);
        requests.settled(request.isNew, request.key, good);
        if (request.operation == Operation.RMW) {
            connection.follow(Math.max(request.sent, readyAt));
        }
        if (connection.inFlight.isFull()) {
            connection.ableSince = readyAt;
            connection.ableLate = request.late;
        }
        connection.pop();
        connection.answeredSinceOpen = true;
        figures.lastAnswerNanos = now;
    }

    private void keepIfSlow(LoadConnection connection, long now, long readyAt, int status) {
        RequestRing.Cell request = connection.inFlight.oldest();
        if (request.measured && figures.slow.isSlow(now - request.intended)) {
            figures.slow.keep(
                    request.intended,
                    request.free,
                    request.sent,
                    Math.max(readyAt, request.sent),
                    now,
                    connection.localPort,
                    request.operation,
                    status);
        }
    }

    private boolean isWrong(LoadConnection connection, RequestRing.Cell request, int status) {
        if (request.operation != Operation.GET && request.operation != Operation.RMW) {
            return false;
        }
        if (request.missing) {
            return status != NOT_FOUND;
        }
        return connection.isBodyWrong() || !values.allows(connection.parser.bodyBytes());
    }

    /// Records that all requests in flight on a connection have failed.
    void failed(LoadConnection connection, Failure failure, long now) {
        while (!connection.inFlight.isEmpty()) {
            RequestRing.Cell request = connection.inFlight.oldest();
            PhaseRecorder recorder = recorder(request.measured);
            recorder.counts().failed(failure);
            recorder.charged(request.operation, now - request.intended);
            recorder.punctual(now - request.intended);
            keepIfSlow(connection, now, now, NO_STATUS);
            requests.settled(request.isNew, request.key, false);
            connection.pop();
        }
    }

    /// Abandons the backlog at the end of the warm-up.
    void abandoned(LoadConnection connection, long measureFrom) {
        figures.warmup.counts().add(Count.UNSENT, connection.arrivals.skipTo(measureFrom));
    }

    /// Records the end of the run: unanswered and unsent requests are charged with the time they have waited.
    ///
    /// @param endAt requests due later are not part of the run
    void rest(LoadConnection connection, long now, long measureFrom, long endAt) {
        failed(connection, Failure.UNANSWERED, now);
        for (; !connection.follows.isEmpty(); connection.follows.pop()) {
            RequestRing.Cell put = connection.follows.oldest();
            recorder(put.measured).counts().add(Count.FOLLOW_UPS, 1);
            unsent(connection, Operation.PUT, put.intended, now, put.measured);
        }
        long end = Math.min(now, endAt);
        while (!connection.arrivals.isClosed() && connection.arrivals.next() < end) {
            long due = connection.arrivals.next();
            connection.arrivals.advance();
            unsent(connection, Operation.PLAIN, due, now, due >= measureFrom); // never drawn: no operation yet
        }
    }

    private void unsent(LoadConnection connection, Operation operation, long due, long now, boolean measured) {
        PhaseRecorder recorder = recorder(measured);
        if (measured && figures.slow.isSlow(now - due)) {
            figures.slow.keep(due, now, now, now, now, connection.localPort, operation, NO_STATUS);
        }
        recorder.counts().add(Count.UNSENT, 1);
        recorder.charged(operation, now - due);
        recorder.punctual(now - due);
    }
}
