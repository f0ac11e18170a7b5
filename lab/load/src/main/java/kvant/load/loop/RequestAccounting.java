package kvant.load.loop;

import kvant.load.keys.ValueSizes;
import kvant.load.plan.LoadPlan;
import kvant.load.record.Failure;
import kvant.load.record.PhaseRecorder;
import kvant.load.workload.Operation;

/// Decides what became of a request, and writes it down: each request that was due ends in exactly one place.
///
/// Owned by the loop.
final class RequestAccounting {

    private static final int NOT_FOUND = 404;
    private static final int FIRST_ERROR = 400;
    private static final int NO_STATUS = 0;

    // Constant.
    private final LoopFigures figures;
    private final Requests requests;
    private final ValueSizes values;
    private final boolean verify;
    private final boolean closed;

    RequestAccounting(LoopFigures figures, Requests requests, LoadPlan plan) {
        this.figures = figures;
        this.requests = requests;
        this.values = plan.workload().values();
        this.verify = plan.verify();
        this.closed = plan.pace().isClosed();
    }

    PhaseRecorder recorder(boolean measured) {
        return measured ? figures.measured : figures.warmup;
    }

    /// The drawn request goes out.
    void sent(LoadConnection connection, long due, long now, boolean measured) {
        connection.push(due, now, requests, measured);
        sent(recorder(measured), connection, due, now);
    }

    /// The oldest put that follows from a get goes out.
    void sentFollow(LoadConnection connection, long now) {
        PhaseRecorder recorder = recorder(connection.follows.isMeasured());
        long due = closed ? now : connection.follows.due();
        connection.pushFollow(due, now, requests);
        recorder.counts().followUp();
        sent(recorder, connection, due, now);
    }

    private void sent(PhaseRecorder recorder, LoadConnection connection, long due, long now) {
        recorder.counts().sent();
        if (!closed) {
            recorder.lag(Math.max(0, now - Math.max(due, connection.ableSince)));
        }
    }

    /// The answer to the oldest request of a connection is complete, and stands in its parser.
    ///
    /// @param inTime whether this is within the measured time
    void answered(LoadConnection connection, long now, long readyAt, boolean inTime) {
        int status = connection.parser.status();
        Operation operation = connection.operation();
        boolean expected = status < FIRST_ERROR || (connection.isMissing() && status == NOT_FOUND);
        boolean wrong = verify && expected && isWrong(connection, operation, status);
        PhaseRecorder recorder = recorder(connection.isMeasured());
        recorder.counts().answered(status);
        if (!expected) {
            recorder.counts().unexpected();
        } else if (wrong) {
            recorder.counts().wrongBody();
        }
        boolean good = expected && !wrong;
        recorder.answered(operation, now - connection.intended(), now - connection.sent(), good);
        recorder.punctual(now - connection.intended() - connection.charged());
        if (inTime) {
            figures.measured.counts().inTime(connection.isFollowUp());
        }
        keepIfSlow(connection, now, Math.min(readyAt, now), status);
        requests.settled(connection.isNew(), connection.key(), good);
        if (operation == Operation.RMW) {
            long due = Math.max(connection.sent(), readyAt);
            connection.follows.add(connection.key(), due, connection.late(), connection.isMeasured());
        }
        if (connection.isFull()) {
            connection.ableSince = readyAt;
            connection.ableLate = connection.late();
        }
        connection.pop();
        connection.answeredSinceOpen = true;
        figures.lastAnswerNanos = now;
    }

    private void keepIfSlow(LoadConnection connection, long now, long readyAt, int status) {
        if (connection.isMeasured() && figures.slow.isSlow(now - connection.intended())) {
            figures.slow.keep(
                    connection.intended(),
                    connection.free(),
                    connection.sent(),
                    Math.max(readyAt, connection.sent()),
                    now,
                    connection.localPort,
                    connection.operation(),
                    status);
        }
    }

    private boolean isWrong(LoadConnection connection, Operation operation, int status) {
        if (operation != Operation.GET && operation != Operation.RMW) {
            return false;
        }
        if (connection.isMissing()) {
            return status != NOT_FOUND;
        }
        return connection.isBodyWrong() || !values.allows(connection.parser.bodyBytes());
    }

    /// Everything in flight on a connection has failed.
    void failed(LoadConnection connection, Failure failure, long now) {
        while (connection.inFlight() > 0) {
            PhaseRecorder recorder = recorder(connection.isMeasured());
            recorder.counts().failed(failure);
            recorder.charged(connection.operation(), now - connection.intended());
            recorder.punctual(now - connection.intended());
            keepIfSlow(connection, now, now, NO_STATUS);
            requests.settled(connection.isNew(), connection.key(), false);
            connection.pop();
        }
    }

    /// The warm-up is over, and what it did not get to send is given up.
    void abandoned(LoadConnection connection, long measureFrom) {
        figures.warmup.counts().unsent(connection.arrivals.skipTo(measureFrom));
    }

    /// The end: whoever was not answered, or not even sent, is charged with the time that it waited so far.
    ///
    /// @param endAt what is due later is no part of the run
    void rest(LoadConnection connection, long now, long measureFrom, long endAt) {
        failed(connection, Failure.UNANSWERED, now);
        for (; !connection.follows.isEmpty(); connection.follows.pop()) {
            boolean measured = connection.follows.isMeasured();
            recorder(measured).counts().followUp();
            unsent(connection, Operation.PUT, connection.follows.due(), now, measured);
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
        recorder.counts().unsent(1);
        recorder.charged(operation, now - due);
        recorder.punctual(now - due);
    }
}
