package kvant.server.http;

import io.netty.channel.Channel;
import io.netty.channel.WriteBufferWaterMark;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.List;
import kvant.server.admit.MemoryBudget;
import kvant.server.admit.RequestKind;
import kvant.server.http.answer.AnswerWriter;
import kvant.server.http.contract.HttpLimits;
import kvant.server.http.contract.Problem;
import kvant.server.http.parse.PendingRequest;
import kvant.server.http.parse.RequestHead;
import kvant.server.http.parse.RequestSink;
import kvant.server.request.Outcome;
import kvant.server.request.Request;
import kvant.server.service.StageClock;
import org.jspecify.annotations.Nullable;

/// The requests of one connection that have not been answered, in the order in which they were sent: when each of them
/// goes to the service, and how their answers get into the channel.
///
///     RequestReader --begin--> [unanswered, in order] --complete--> service
///                                                     <--settled---
///     channel <-- ResponseWriter <-- the oldest
///
/// Owned by the connection's event loop; settled calls come back through the loop's mailbox. Invariants:
/// - a request goes to the service when it is complete and those before it let it ([RequestOrder]; [#hand] is the one
///   place where it goes); the answers leave in the order of the requests;
/// - one that waits for those before it has its place and its claims as if it were with the service;
/// - there is room for no more while there are as many unanswered requests as there may be, or as many reads that wait
///   for a worker, or while the turn of the connection is over;
/// - what a request claimed for its body is released when it is settled, what it claimed for its answer when that has
///   been written, or never will be.
final class Pipeline implements RequestSink, Exchange.Owner {

    // Constant.
    private final LoopContext loop;
    private final HttpLimits limits;
    private final Channel channel;
    private final AnswerWriter writer;
    private final Runnable onSettled;
    private final int remotePort;
    private final @Nullable AccessNotes notes;
    private final ArrayDeque<Exchange> unanswered = new ArrayDeque<>(4);
    private final RequestOrder<Exchange> order = new RequestOrder<>();

    // Owned by the event loop.
    private @Nullable Exchange newestWrite;
    private @Nullable Exchange finished;
    private boolean handing;
    private boolean lastWritten;
    private boolean cutOff;
    private int turnRequests;
    private long turnBytes;
    private int waitingReads;
    private long readNanos;
    private long movedTicks;
    private long takenBytes;
    private int highWaterBytes;

    /// @param writer of its protocol
    /// @param onSettled told when a request has something to write
    Pipeline(Channel channel, LoopContext loop, AnswerWriter writer, Runnable onSettled) {
        this.loop = loop;
        this.limits = loop.limits();
        this.channel = channel;
        this.writer = writer;
        this.onSettled = onSettled;
        this.remotePort = channel.remoteAddress() instanceof InetSocketAddress remote ? remote.getPort() : 0;
        this.notes = AccessNotes.of(loop.accessLog(), channel, writer);
        this.movedTicks = loop.clock().ticks();
    }

    // --- From the reader ---

    /// What is read next was received at this time.
    void received(int bytes, long nanos) {
        turnBytes += bytes;
        readNanos = nanos;
    }

    @Override
    public boolean hasRoom() {
        return !isTurnOver() && hasPlaces();
    }

    /// Whether another request may be taken, now or in the next turn.
    boolean hasPlaces() {
        return unanswered.size() < limits.maxPipelined() && waitingReads < limits.maxWaitingReads();
    }

    /// Whether the connection has had as many requests as others may wait for.
    boolean isTurnOver() {
        return turnRequests >= limits.turnRequests();
    }

    /// Whether it has had as many bytes.
    boolean isTurnFull() {
        return turnBytes >= limits.turnBytes();
    }

    void beginTurn() {
        turnRequests = 0;
        turnBytes = 0;
    }

    @Override
    public PendingRequest begin(RequestHead head) {
        Exchange exchange = new Exchange(loop.mailbox(), this, head);
        if (notes != null) {
            notes.begin(exchange, head, readNanos);
        }
        Problem refusal = head.refusal();
        if (refusal != null) {
            exchange.refuse(refusal);
        }
        if (refusal != null || head.isAdministrative()) {
            Auditor.tell(loop.access(), head, channel);
        }
        add(exchange);
        return exchange;
    }

    /// The same of a command of RESP.
    ///
    /// @param token the name of its token, or `-`
    /// @param words none where it has not arrived
    void begin(RespExchange exchange, String token, List<byte[]> words) {
        if (notes != null) {
            notes.begin(exchange, token, words, readNanos);
        }
        add(exchange);
    }

    /// It has its place in the order from now on.
    private void add(Exchange exchange) {
        turnRequests++;
        unanswered.add(exchange);
    }

    /// The client sends nothing more, and may have gone.
    void inputEnded() {
        unanswered.forEach(Exchange::inputEnded);
    }

    // --- From the exchanges ---

    @Override
    public void complete(Exchange exchange, Request request, long claimedBytes) {
        if (!loop.enter()) {
            loop.bodies().release(claimedBytes);
            exchange.refuse(Problem.OVERLOADED);
            return;
        }
        exchange.submitted(request, claimedBytes, readNanos);
        if (order.admits(exchange)) {
            hand(exchange, request);
        } else {
            exchange.hold(request);
            order.hold(exchange);
        }
        if (!exchange.isReady() && (request.kind() == RequestKind.READ || request.kind() == RequestKind.RANGE)) {
            exchange.waits(true);
            waitingReads++;
        }
    }

    private void hand(Exchange exchange, Request request) {
        exchange.underWay(true);
        if (!exchange.isSafe()) {
            exchange.behind(newestWrite);
        }
        exchange.hand(loop.service(), request);
        if (!exchange.isSafe() && !exchange.isReady()) {
            newestWrite = exchange;
        }
    }

    @Override
    public void settled(Exchange exchange) {
        loop.bodies().release(exchange.takeClaim());
        if (exchange.waits()) {
            exchange.waits(false);
            waitingReads--;
        }
        if (exchange.isUnderWay() && isFixed(exchange)) {
            exchange.underWay(false);
            order.ended();
            goOn();
        }
        onSettled.run();
    }

    /// Whether what it was answered cannot be changed by writes that begin now: a range over a network goes on to read
    /// what is there.
    private boolean isFixed(Exchange exchange) {
        return !(exchange.outcome() instanceof Outcome.Records records)
                || records.batch().last()
                || loop.service().rangesAreSnapshots();
    }

    /// Hands over those that waited for others to be settled.
    private void goOn() {
        if (order.isQuiet()) {
            newestWrite = null;
        }
        if (handing) {
            return; // settled within the call that handed it over: the one who did that goes on
        }
        handing = true;
        try {
            for (Exchange next = order.next(); next != null; next = order.next()) {
                Request request = next.takeHeld();
                if (request != null) {
                    hand(next, request);
                }
            }
        } finally {
            handing = false;
        }
    }

    @Override
    public void dropped(Exchange exchange) {
        loop.bodies().release(exchange.takeClaim());
        loop.leave();
    }

    @Override
    public int remotePort() {
        return remotePort;
    }

    // --- To the channel ---

    boolean isEmpty() {
        return unanswered.isEmpty();
    }

    boolean hasOne() {
        return unanswered.size() == 1;
    }

    /// The next to be answered, or null.
    @Nullable
    Exchange next() {
        return unanswered.peek();
    }

    /// Whether the client of the newest request waits to be told to send its body.
    boolean isContinueDue() {
        Exchange newest = unanswered.peekLast();
        return newest != null && newest.continues();
    }

    /// Whether the connection ends with what has been written.
    boolean isLastWritten() {
        return lastWritten;
    }

    /// Whether that broke off in a way that its framing cannot tell.
    boolean isCutOff() {
        return cutOff;
    }

    /// When something was last written, or the client last took something.
    long movedTicks() {
        return movedTicks;
    }

    void moved() {
        movedTicks = loop.clock().ticks();
    }

    /// Looks whether the client has taken anything since it was looked at last.
    void look() {
        long taken = writer.takenBytes();
        if (taken > takenBytes) {
            takenBytes = taken;
            moved();
        }
    }

    /// What the client has taken, as was seen at the last look.
    long takenBytes() {
        return takenBytes;
    }

    /// What answers that wait for the client hold of a budget.
    long heldOf(MemoryBudget budget) {
        long bytes = 0;
        for (Exchange exchange : unanswered) {
            bytes += exchange.isReady() ? exchange.held(budget) : 0;
        }
        return bytes;
    }

    /// Writes the answers whose turn it is, as far as the client takes them.
    ///
    /// @param ends whether the connection ends with the newest of the requests
    /// @return whether an answer was finished, so that there is room for another request
    boolean writeReady(boolean ends) {
        boolean any = false;
        while (!unanswered.isEmpty() && !lastWritten && writer.hasRoom()) {
            Exchange exchange = unanswered.getFirst();
            if (exchange.continues()) {
                writer.writeContinue();
                exchange.continued();
            }
            if (!exchange.isReady()) {
                break;
            }
            if (ends && !writer.inMiddle() && unanswered.size() == 1) {
                exchange.close();
            }
            moved();
            limitUnsent();
            if (!writer.write(exchange)) {
                break;
            }
            if (exchange.outcome() instanceof Outcome.Records records
                    && !records.batch().last()) {
                exchange.nextRound();
                loop.service().resume(exchange);
                continue;
            }
            finish(exchange);
            any = true;
        }
        return any;
    }

    /// Has everything sent that was written.
    void flush() {
        writer.flush();
        Exchange exchange = finished;
        if (exchange == null) {
            return;
        }
        finished = null;
        long nowNanos = StageClock.RUNS || notes != null ? System.nanoTime() : 0;
        if (notes != null) {
            notes.flushed(nowNanos);
        }
        while (exchange != null) {
            exchange.countWritten(loop.figures(), nowNanos);
            exchange = exchange.nextFinished();
        }
    }

    /// Nothing more will be answered.
    void abandon() {
        order.clear();
        if (notes != null) {
            long nowNanos = System.nanoTime();
            for (Exchange exchange : unanswered) {
                notes.abandoned(exchange, nowNanos);
            }
        }
        for (Exchange exchange = unanswered.poll(); exchange != null; exchange = unanswered.poll()) {
            if (exchange.takeHeld() != null) {
                dropped(exchange); // the service has never had it
            } else if (exchange.submitted()) {
                exchange.abandon(loop.service());
            }
        }
    }

    /// The channel is closed.
    void release() {
        writer.release();
    }

    private void finish(Exchange exchange) {
        unanswered.removeFirst();
        if (notes != null) {
            notes.answered(exchange);
        }
        if (exchange.submitted()) {
            exchange.answered();
            loop.leave();
        }
        exchange.nextFinished(finished);
        finished = exchange;
        lastWritten = exchange.closes();
        cutOff = exchange.cutOff();
    }

    /// The more connections, the less each may have unsent.
    private void limitUnsent() {
        int high = loop.writeHighWaterBytes();
        if (high != highWaterBytes) {
            highWaterBytes = high;
            channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(high / 2, high));
        }
    }
}
