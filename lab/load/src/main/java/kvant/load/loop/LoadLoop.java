package kvant.load.loop;

import java.util.List;
import java.util.concurrent.TimeUnit;
import kvant.load.http.AnswerReader;
import kvant.load.net.Realtime;
import kvant.load.net.Sockets;
import kvant.load.plan.LoadPlan;
import kvant.load.record.Failure;
import kvant.load.record.RequestCounts;
import kvant.load.record.RequestCounts.Count;
import kvant.load.workload.RequestSource;
import kvant.text.Units;

/// An event loop of the generator: sends requests when they are due, reads answers, and records both.
///
/// The server never shifts the schedule. Requests of a busy or lost connection wait in its
/// [kvant.load.plan.Arrivals], are sent late, and their latency counts from their due time. Nothing is allocated
/// per request.
///
/// Runs on one thread, which owns everything here except [Control] and the shared parts of [LoopFigures].
final class LoadLoop implements Runnable {

    private static final long CHORES_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /// Maximum sends between two polls of the sockets, so that a loop with a backlog still reads answers in time.
    private static final int SENDS_PER_LOOK = 64;

    /// Processor time for a TLS handshake at the start, in addition to the time limit for all connections.
    private static final long HANDSHAKE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /// Maximum full inboxes read from one connection before other connections are served.
    private static final int READS_PER_TURN = 16;

    // Constant.
    private final Control control;
    private final LoopFigures figures;
    private final Sockets sockets;
    private final RequestSource requests;
    private final RequestAccounting accounting;
    private final Connector connector;
    private final boolean closed;
    private final boolean realtime;
    private final long handshakeNanos;
    private final long timeoutNanos;
    private final long spinNanos;
    private final LoadConnection[] connections;
    private final DueHeap heap;

    // Owned by the loop.
    private long measureFrom = Control.NEVER;
    private long endAt = Control.NEVER;
    private long readyAt;

    LoadLoop(
            Control control,
            LoopFigures figures,
            Sockets sockets,
            RequestSource requests,
            LoadPlan plan,
            List<LoadConnection> connections) {
        this.control = control;
        this.figures = figures;
        this.sockets = sockets;
        this.requests = requests;
        this.accounting = new RequestAccounting(figures, requests, plan);
        this.connector =
                new Connector(sockets, figures, plan.clients().connectTimeout().toNanos());
        this.handshakeNanos = plan.target().isSecure() ? HANDSHAKE_NANOS : 0;
        this.closed = plan.pace().isClosed();
        this.realtime = plan.isRealtime();
        this.timeoutNanos = plan.clients().timeout().toNanos();
        this.spinNanos = plan.clients().spin().toNanos();
        this.connections = connections.toArray(LoadConnection[]::new);
        this.heap = new DueHeap(this.connections.length);
    }

    @Override
    public void run() {
        try (sockets) {
            String obstacle = realtime ? Realtime.enter() : "";
            if (!obstacle.isEmpty()) {
                throw new IllegalStateException(obstacle); // nothing was received before the threads started
            }
            connector.connectAll(connections, handshakeNanos, control);
            control.connected.countDown();
            awaitStart();
            if (!control.cancelled) {
                long cpu = ThreadTime.cpuNanos();
                long waited = ThreadTime.waitedNanos();
                long began = System.nanoTime();
                load();
                figures.cpuNanos = ThreadTime.cpuNanos() - cpu;
                figures.wallNanos = System.nanoTime() - began;
                figures.waitedNanos = ThreadTime.waitedNanos() - waited;
            }
        } catch (RuntimeException | Error failure) {
            control.fail(failure);
            control.connected.countDown();
        } finally {
            control.finished.countDown();
        }
    }

    // --- the start -------------------------------------------------------------------------------------------------

    private void awaitStart() {
        // Other loops are still connecting. A schedule starts in the future, a closed loop does not.
        while (!control.cancelled
                && (control.startAt == Control.NEVER || (closed && System.nanoTime() < control.startAt))) {
            try {
                TimeUnit.MILLISECONDS.sleep(1);
            } catch (InterruptedException _) {
                control.cancelled = true;
            }
        }
    }

    // --- the loop --------------------------------------------------------------------------------------------------

    private void load() {
        long start = control.startAt;
        for (LoadConnection connection : connections) {
            connection.arrivals.start(start);
            schedule(connection);
        }
        long nextChores = System.nanoTime();
        measureFrom = control.measureFrom;
        endAt = control.endAt;
        look(nextChores); // discards unsolicited bytes, which must not count as an answer
        while (true) {
            measureFrom = control.measureFrom;
            endAt = control.endAt;
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
        long now = System.nanoTime();
        for (LoadConnection connection : connections) {
            accounting.rest(connection, now, measureFrom, endAt);
        }
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
                case CONNECTING -> {
                    // An event from before the attempt belongs to the previous connection.
                    if (connection.connectingSince - readyAt < 0 && connector.reconnected(connection, readyAt)) {
                        serve(connection, sockets.isReadable(i), false); // the server may send unsolicited bytes
                        pump(connection, System.nanoTime());
                    }
                }
                case CLOSED -> {} // closed earlier in this pass
            }
            sendDue(System.nanoTime()); // newly due requests must not wait for the rest of the pass
        }
    }

    private void serve(LoadConnection connection, boolean readable, boolean writable) {
        if (readable) {
            read(connection); // first: a failing write must not lose an answer that has arrived
        }
        if (writable && connection.state == LoadConnection.State.OPEN && connection.pendingLength > 0) {
            writePending(connection);
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

    /// Sends the due requests of a connection, up to its depth, in as few writes as the outbox allows.
    private void pump(LoadConnection connection, long now) {
        if (connection.state != LoadConnection.State.OPEN || connection.pendingLength > 0) {
            return;
        }
        byte[] outbox = sockets.outbox();
        int most = requests.mostBytes();
        long time = now;
        boolean more;
        do {
            int length = 0;
            more = !connection.inFlight.isFull();
            while (more && outbox.length - length >= most) {
                if (drawNext(connection, time)) {
                    length = requests.write(outbox, length);
                    more = !connection.inFlight.isFull();
                } else {
                    more = false;
                }
            }
            if (length > 0) {
                write(connection, length, time);
                time = more ? System.nanoTime() : time; // includes the duration of the write
            }
        } while (more && connection.state == LoadConnection.State.OPEN && connection.pendingLength == 0);
        if (!closed && !connection.inFlight.isFull()) {
            schedule(connection);
        }
    }

    private boolean drawNext(LoadConnection connection, long now) {
        if (connection.follows.isEmpty()) {
            return drawDue(connection, now);
        }
        requests.drawPut(connection.follows.oldest().key);
        accounting.sentFollow(connection, now);
        return true;
    }

    private boolean drawDue(LoadConnection connection, long now) {
        long due = closed ? now : connection.arrivals.next();
        if (due < measureFrom && now >= measureFrom) {
            accounting.abandoned(connection, measureFrom); // a backlog of the warm-up would delay measured requests
            due = connection.arrivals.next();
        }
        if (due > now || due >= endAt || !requests.draw()) {
            return false;
        }
        connection.arrivals.advance();
        accounting.sent(connection, due, now, due >= measureFrom);
        return true;
    }

    private void write(LoadConnection connection, int length, long now) {
        int taken = sockets.write(connection.slot, length);
        if (taken < 0) {
            lose(connection, Failure.RESET, sockets.lastError());
            return;
        }
        countsAt(now).add(Count.BYTES_OUT, taken);
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
        write(connection, length, System.nanoTime());
        if (connection.state == LoadConnection.State.OPEN && connection.pendingLength == 0) {
            connection.ableSince = readyAt;
            connection.ableLate = 0; // it waited for the server, regardless of earlier lateness
            pump(connection, System.nanoTime());
        }
    }

    /// Bytes are counted for the phase in which they are sent or received, not for a request.
    private RequestCounts countsAt(long now) {
        return (now < measureFrom ? figures.warmup : figures.measured).counts();
    }

    private boolean isMeasuring(long now) {
        return now >= measureFrom && now < endAt;
    }

    // --- answers ---------------------------------------------------------------------------------------------------

    private void read(LoadConnection connection) {
        byte[] inbox = sockets.inbox();
        int got;
        int turns = 0;
        do {
            got = sockets.read(connection.slot);
            if (got == Sockets.END) {
                end(connection);
            } else if (got == Sockets.BROKEN) {
                lose(connection, Failure.RESET, sockets.lastError());
            } else if (got > 0) {
                long now = System.nanoTime();
                countsAt(now).add(Count.BYTES_IN, got);
                take(connection, inbox, got, now);
            }
            // The rest is reported again: a server that sends continuously must not block other connections.
        } while (got == inbox.length && ++turns < READS_PER_TURN && connection.state == LoadConnection.State.OPEN);
    }

    private void take(LoadConnection connection, byte[] inbox, int length, long now) {
        int at = 0;
        while (at < length) {
            if (connection.inFlight.isEmpty()) {
                spokeUnasked(connection, inbox, at, length);
                return;
            }
            at = connection.parser.feed(inbox, at, length, connection);
            if (at == AnswerReader.GARBAGE) {
                lose(connection, Failure.GARBAGE, connection.parser.complaint());
                return;
            }
            if (connection.parser.isDone()) {
                accounting.answered(connection, now, readyAt, isMeasuring(now));
                if (connection.parser.closes()) {
                    lose(connection, Failure.CLOSED, "");
                    return;
                }
            }
        }
        pump(connection, System.nanoTime());
    }

    private void spokeUnasked(LoadConnection connection, byte[] inbox, int from, int to) {
        if (connection.parser.isIdleTimeout(inbox, from, to)) {
            lose(connection, Failure.CLOSED, "the server closed a connection that was idle (408)");
        } else {
            figures.strays++;
            lose(connection, Failure.GARBAGE, "bytes without a request");
        }
    }

    // --- lost connections ------------------------------------------------------------------------------------------

    private void end(LoadConnection connection) {
        if (connection.inFlight.isEmpty()) {
            lose(connection, Failure.CLOSED, "the server closed a connection that was idle");
            return;
        }
        AnswerReader parser = connection.parser;
        String cut = parser.cut();
        Failure failure = parser.isForeign() ? Failure.GARBAGE : Failure.CLOSED;
        if (parser.end()) {
            long now = System.nanoTime();
            accounting.answered(connection, now, readyAt, isMeasuring(now));
        }
        boolean answered = connection.inFlight.isEmpty();
        lose(connection, failure, answered ? "" : cut.isEmpty() ? "the server closed without an answer" : cut);
    }

    /// Fails all requests in flight. Later requests wait for the next connection.
    private void lose(LoadConnection connection, Failure failure, String trouble) {
        long now = System.nanoTime();
        if (!trouble.isEmpty()) {
            figures.lastTrouble = trouble;
        }
        accounting.failed(connection, failure, now);
        connector.lost(connection, now);
    }

    // --- now and then ----------------------------------------------------------------------------------------------

    private void chores(long now) {
        connector.tend(connections, now, control.drainUntil);
        for (LoadConnection connection : connections) {
            if (connection.state != LoadConnection.State.OPEN) {
                continue;
            }
            if (!connection.inFlight.isEmpty() && now - connection.inFlight.oldest().sent > timeoutNanos) {
                lose(connection, Failure.TIMEOUT, timeout());
            } else if (closed && connection.inFlight.isEmpty()) {
                pump(connection, now); // start of a closed loop, and requests to be repeated
            }
        }
    }

    private String timeout() {
        return Units.format("no answer within %.3g s", timeoutNanos / 1e9);
    }

    private boolean isOver(long now) {
        if (control.cancelled || now >= control.drainUntil || (requests.isExhausted() && isQuiet())) {
            return true;
        }
        return now >= endAt && isQuiet();
    }

    /// True if no request is in flight and no due request is unsent.
    private boolean isQuiet() {
        for (LoadConnection connection : connections) {
            boolean backlog = !closed && connection.arrivals.next() < endAt;
            if (!connection.inFlight.isEmpty() || !connection.follows.isEmpty() || backlog) {
                return false;
            }
        }
        return true;
    }
}
