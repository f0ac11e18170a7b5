package kvant.lab.load;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import kvant.lab.LabException;
import kvant.lab.http.ResponseParser;
import kvant.lab.keys.ValueSizes;
import kvant.lab.net.Sockets;
import kvant.lab.record.Failure;
import kvant.lab.record.Tape;
import kvant.lab.schedule.DueHeap;
import kvant.lab.workload.Operation;

/// One event loop of the generator: sends what is due, reads what comes, records both.
///
/// The schedule is never moved by the server: a connection that is busy, or gone, has its requests waiting in its
/// [kvant.lab.schedule.Arrivals], and they are sent late and charged from when they were due. Nothing is allocated per
/// request.
///
/// Runs on one thread, which owns everything here but [Control] and what [LoopFigures] says.
final class LoadLoop implements Runnable {

    private static final long CHORES_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long FIRST_BACKOFF_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long LONGEST_BACKOFF_NANOS = TimeUnit.SECONDS.toNanos(1);

    /// Sends between two looks at the sockets, so that a loop that is behind still reads answers in time.
    private static final int SENDS_PER_LOOK = 64;

    private static final int NOT_FOUND = 404;
    private static final int FIRST_ERROR = 400;

    // Constant.
    private final Control control;
    private final LoopFigures figures;
    private final Sockets sockets;
    private final Requests requests;
    private final ValueSizes values;
    private final boolean verify;
    private final boolean closed;
    private final long timeoutNanos;
    private final long spinNanos;
    private final long connectNanos;
    private final LoadConnection[] connections;
    private final DueHeap heap;

    // Owned by the loop.
    private long measureFrom = Control.NEVER;
    private long endAt = Control.NEVER;
    private long readyAt;
    private int open;

    LoadLoop(
            Control control,
            LoopFigures figures,
            Sockets sockets,
            Requests requests,
            LoadPlan plan,
            List<LoadConnection> connections) {
        this.control = control;
        this.figures = figures;
        this.sockets = sockets;
        this.requests = requests;
        this.values = plan.workload().values();
        this.verify = plan.verify();
        this.closed = plan.pace().isClosed();
        this.timeoutNanos = plan.clients().timeout().toNanos();
        this.spinNanos = plan.clients().spin().toNanos();
        this.connectNanos = plan.clients().connectTimeout().toNanos();
        this.connections = connections.toArray(LoadConnection[]::new);
        this.heap = new DueHeap(this.connections.length);
    }

    @Override
    public void run() {
        try (sockets) {
            connectAll();
            control.connected.countDown();
            awaitStart();
            if (!control.isCancelled()) {
                long cpu = ThreadTime.cpuNanos();
                long began = System.nanoTime();
                load();
                figures.cpuNanos = ThreadTime.cpuNanos() - cpu;
                figures.wallNanos = System.nanoTime() - began;
            }
        } catch (RuntimeException | Error failure) {
            control.fail(failure);
            control.connected.countDown();
        } finally {
            control.finished.countDown();
        }
    }

    // --- the start -------------------------------------------------------------------------------------------------

    private void connectAll() {
        long deadline = System.nanoTime() + connectNanos;
        for (LoadConnection connection : connections) {
            if (!sockets.connect(connection.slot)) {
                throw new LabException(sockets.lastError());
            }
            connection.state = LoadConnection.State.CONNECTING;
        }
        while (open < connections.length) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                throw new LabException("only " + open + " of " + connections.length + " connections stood in time");
            }
            if (control.isCancelled()) {
                return;
            }
            int ready = sockets.await(Math.min(left, CHORES_NANOS));
            for (int i = 0; i < ready; i++) {
                LoadConnection connection = connections[sockets.readySlot(i)];
                if (connection.state == LoadConnection.State.CONNECTING && !finishConnect(connection)) {
                    throw new LabException(sockets.lastError());
                }
            }
        }
    }

    private boolean finishConnect(LoadConnection connection) {
        if (!sockets.finishConnect(connection.slot)) {
            return false;
        }
        connection.state = LoadConnection.State.OPEN;
        connection.ableSince = System.nanoTime();
        connection.answeredSinceOpen = false;
        figures.openConnections = ++open;
        return true;
    }

    private void awaitStart() {
        // Other loops are still connecting; and a schedule has its start ahead, a closed loop has not.
        while (!control.isCancelled()
                && (control.startAt() == Control.NEVER || (closed && System.nanoTime() < control.startAt()))) {
            try {
                TimeUnit.MILLISECONDS.sleep(1);
            } catch (InterruptedException _) {
                control.cancel();
            }
        }
    }

    // --- the loop --------------------------------------------------------------------------------------------------

    private void load() {
        long start = control.startAt();
        for (LoadConnection connection : connections) {
            connection.arrivals.start(start);
            schedule(connection);
        }
        long nextChores = System.nanoTime();
        while (true) {
            measureFrom = control.measureFrom();
            endAt = control.endAt();
            long now = System.nanoTime();
            if (now - nextChores >= 0) {
                if (isOver(now)) {
                    break;
                }
                chores(now);
                nextChores = now + CHORES_NANOS;
            }
            sendDue(now);
            look(nextChores);
        }
        chargeTheRest(System.nanoTime());
    }

    private void look(long nextChores) {
        long until = heap.isEmpty() || nextChores < heap.earliest() ? nextChores : heap.earliest();
        long wait = Math.max(0, until - System.nanoTime());
        int ready = sockets.await(wait <= spinNanos ? 0 : wait);
        readyAt = System.nanoTime();
        for (int i = 0; i < ready; i++) {
            LoadConnection connection = connections[sockets.readySlot(i)];
            switch (connection.state) {
                case OPEN -> serve(connection, sockets.isReadable(i), sockets.isWritable(i));
                case CONNECTING -> finishReconnect(connection);
                case CLOSED -> {} // closed earlier in this pass
            }
            sendDue(System.nanoTime()); // what became due meanwhile must not wait for the rest of the pass
        }
    }

    private void serve(LoadConnection connection, boolean readable, boolean writable) {
        if (writable && connection.pendingLength > 0) {
            writePending(connection);
        }
        if (readable && connection.state == LoadConnection.State.OPEN) {
            read(connection);
        }
    }

    private void schedule(LoadConnection connection) {
        long due = connection.arrivals.next();
        if (!connection.scheduled && due < endAt) {
            heap.add(due, connection.slot);
            connection.scheduled = true;
        }
    }

    private void sendDue(long now) {
        long time = now;
        for (int i = 0; i < SENDS_PER_LOOK && !heap.isEmpty() && heap.earliest() <= time; i++) {
            LoadConnection connection = connections[heap.take()];
            connection.scheduled = false;
            pump(connection, time);
            time = System.nanoTime();
        }
    }

    /// Sends what is due on a connection, as far as its depth allows, in one write.
    private void pump(LoadConnection connection, long now) {
        if (connection.state != LoadConnection.State.OPEN || connection.pendingLength > 0) {
            return;
        }
        byte[] outbox = sockets.outbox();
        int length = 0;
        int most = requests.mostBytes();
        while (!connection.isFull() && outbox.length - length >= most) {
            if (connection.hasFollow()) {
                requests.drawPut(connection.followKey());
                push(connection, now, now, connection.isFollowMeasured())
                        .tally()
                        .followUp();
                connection.popFollow();
            } else if (!drawDue(connection, now)) {
                break;
            }
            length = requests.write(outbox, length);
        }
        if (length > 0) {
            write(connection, length);
        }
        if (!closed && !connection.isFull()) {
            schedule(connection);
        }
    }

    private boolean drawDue(LoadConnection connection, long now) {
        long due = closed ? now : connection.arrivals.next();
        if (due > now || due >= endAt || !requests.draw()) {
            return false;
        }
        connection.arrivals.advance();
        Tape tape = push(connection, due, now, due >= measureFrom);
        if (!closed) {
            tape.lag(now - Math.max(due, connection.ableSince));
        }
        return true;
    }

    private Tape push(LoadConnection connection, long due, long now, boolean measured) {
        connection.push(due, now, requests, measured);
        Tape tape = tape(measured);
        tape.tally().sent();
        return tape;
    }

    private Tape tape(boolean measured) {
        return measured ? figures.measured : figures.warmup;
    }

    private void write(LoadConnection connection, int length) {
        int taken = sockets.write(connection.slot, length);
        if (taken < 0) {
            lose(connection, Failure.RESET, sockets.lastError());
            return;
        }
        figures.measured.tally().transmitted(taken);
        if (taken < length) {
            connection.stash(sockets.outbox(), taken, length);
            sockets.wantWrite(connection.slot, true);
        }
    }

    private void writePending(LoadConnection connection) {
        int length = connection.pendingLength;
        System.arraycopy(connection.pending, 0, sockets.outbox(), 0, length);
        connection.pendingLength = 0;
        sockets.wantWrite(connection.slot, false);
        write(connection, length);
        if (connection.state == LoadConnection.State.OPEN && connection.pendingLength == 0) {
            connection.ableSince = readyAt;
            pump(connection, System.nanoTime());
        }
    }

    // --- answers ---------------------------------------------------------------------------------------------------

    private void read(LoadConnection connection) {
        byte[] inbox = sockets.inbox();
        int got;
        do {
            got = sockets.read(connection.slot);
            if (got == Sockets.END) {
                end(connection);
            } else if (got == Sockets.BROKEN) {
                lose(connection, Failure.RESET, sockets.lastError());
            } else if (got > 0) {
                figures.measured.tally().received(got);
                take(connection, inbox, got, System.nanoTime());
            }
        } while (got == inbox.length && connection.state == LoadConnection.State.OPEN);
    }

    private void take(LoadConnection connection, byte[] inbox, int length, long now) {
        int at = 0;
        while (at < length) {
            if (connection.inFlight() == 0) {
                lose(connection, Failure.GARBAGE, "bytes that nobody asked for");
                return;
            }
            at = connection.parser.feed(inbox, at, length, connection);
            if (at == ResponseParser.GARBAGE) {
                lose(connection, Failure.GARBAGE, connection.parser.complaint());
                return;
            }
            if (connection.parser.isDone()) {
                answered(connection, now);
                if (connection.parser.closes()) {
                    lose(connection, Failure.CLOSED, "");
                    return;
                }
            }
        }
        pump(connection, System.nanoTime());
    }

    private void answered(LoadConnection connection, long now) {
        int status = connection.parser.status();
        Operation operation = connection.operation();
        boolean expected = status < FIRST_ERROR || (connection.isMissing() && status == NOT_FOUND);
        boolean wrong = verify && expected && isWrong(connection, operation, status);
        Tape tape = tape(connection.isMeasured());
        tape.tally().answered(status);
        if (!expected) {
            tape.tally().unexpected();
        } else if (wrong) {
            tape.tally().wrongBody();
        }
        boolean good = expected && !wrong;
        tape.answered(operation, now - connection.intended(), now - connection.sent(), good);
        requests.settled(connection.key(), good);
        if (operation == Operation.RMW) {
            connection.follow(connection.key(), connection.isMeasured());
        }
        if (connection.isFull()) {
            connection.ableSince = readyAt;
        }
        connection.pop();
        connection.answeredSinceOpen = true;
        connection.backoffNanos = 0;
        figures.lastAnswerNanos = now;
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

    // --- lost connections ------------------------------------------------------------------------------------------

    private void end(LoadConnection connection) {
        if (connection.parser.end()) {
            answered(connection, System.nanoTime());
        }
        lose(connection, Failure.CLOSED, "the server closed the connection");
    }

    /// Everything in flight has failed; what is due later waits for the next connection.
    private void lose(LoadConnection connection, Failure failure, String trouble) {
        long now = System.nanoTime();
        if (!trouble.isEmpty()) {
            figures.lastTrouble = trouble;
        }
        while (connection.inFlight() > 0) {
            Tape tape = tape(connection.isMeasured());
            tape.tally().failed(failure);
            tape.charged(connection.operation(), now - connection.intended());
            requests.settled(connection.key(), false);
            connection.pop();
        }
        sockets.close(connection.slot);
        connection.state = LoadConnection.State.CLOSED;
        connection.pendingLength = 0;
        connection.parser.reset();
        figures.openConnections = --open;
        if (connection.answeredSinceOpen) {
            reconnect(connection, now);
        } else {
            backOff(connection, now); // a server that closes what it accepts is not to be stormed
        }
    }

    private void reconnect(LoadConnection connection, long now) {
        figures.reconnects++;
        if (sockets.connect(connection.slot)) {
            connection.state = LoadConnection.State.CONNECTING;
            connection.reconnectAt = now + connectNanos;
        } else {
            refused(connection, now);
        }
    }

    private void finishReconnect(LoadConnection connection) {
        if (finishConnect(connection)) {
            pump(connection, System.nanoTime());
        } else {
            refused(connection, System.nanoTime());
        }
    }

    private void refused(LoadConnection connection, long now) {
        figures.refusedConnects++;
        figures.lastTrouble = sockets.lastError();
        sockets.close(connection.slot);
        connection.state = LoadConnection.State.CLOSED;
        backOff(connection, now);
    }

    private void backOff(LoadConnection connection, long now) {
        connection.backoffNanos = Math.clamp(2 * connection.backoffNanos, FIRST_BACKOFF_NANOS, LONGEST_BACKOFF_NANOS);
        connection.reconnectAt = now + connection.backoffNanos;
    }

    // --- now and then ----------------------------------------------------------------------------------------------

    private void chores(long now) {
        for (LoadConnection connection : connections) {
            switch (connection.state) {
                case OPEN -> {
                    if (connection.inFlight() > 0 && now - connection.sent() > timeoutNanos) {
                        lose(connection, Failure.TIMEOUT, timeout());
                    } else if (closed && connection.inFlight() == 0) {
                        pump(connection, now); // the start of a closed loop, and requests that come back
                    }
                }
                case CONNECTING -> {
                    if (now - connection.reconnectAt > 0) {
                        refused(connection, now);
                    }
                }
                case CLOSED -> {
                    if (now - connection.reconnectAt >= 0 && now < control.drainUntil()) {
                        reconnect(connection, now);
                    }
                }
            }
        }
    }

    private String timeout() {
        return String.format(Locale.ROOT, "no answer within %.3g s", timeoutNanos / 1e9);
    }

    private boolean isOver(long now) {
        if (control.isCancelled() || now >= control.drainUntil() || (requests.isExhausted() && isQuiet())) {
            return true;
        }
        return now >= endAt && isQuiet();
    }

    /// Whether nothing is in flight, and nothing that was due is left.
    private boolean isQuiet() {
        for (LoadConnection connection : connections) {
            boolean backlog = !closed && connection.arrivals.next() < endAt;
            if (connection.inFlight() > 0 || connection.hasFollow() || backlog) {
                return false;
            }
        }
        return true;
    }

    /// The end: whoever was not answered, or not even sent, is charged with the time that it waited so far.
    private void chargeTheRest(long now) {
        long end = Math.min(now, endAt);
        for (LoadConnection connection : connections) {
            while (connection.inFlight() > 0) {
                Tape tape = tape(connection.isMeasured());
                tape.tally().failed(Failure.UNANSWERED);
                tape.charged(connection.operation(), now - connection.intended());
                connection.pop();
            }
            while (!closed && connection.arrivals.next() < end) {
                long due = connection.arrivals.next();
                connection.arrivals.advance();
                Tape tape = tape(due >= measureFrom);
                tape.tally().unsent();
                tape.charged(Operation.PLAIN, now - due); // it was never drawn, and has no operation yet
            }
        }
    }
}
