package kvant.server.http;

import io.netty.channel.Channel;
import io.netty.channel.WriteBufferWaterMark;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.List;
import kvant.server.accesslog.AccessNote;
import kvant.server.admit.MemoryBudget;
import kvant.server.admit.RequestKind;
import kvant.server.http.answer.Answer;
import kvant.server.http.answer.Answer.AnswerForm;
import kvant.server.http.answer.AnswerWriter;
import kvant.server.http.contract.ByteRange;
import kvant.server.http.contract.HttpLimits;
import kvant.server.http.contract.Problem;
import kvant.server.http.parse.RequestHead;
import kvant.server.http.parse.RequestSink;
import kvant.server.http.parse.RequestSink.PendingRequest;
import kvant.server.request.Outcome;
import kvant.server.request.Request;
import kvant.server.service.Call;
import kvant.server.service.RequestFigures;
import org.jspecify.annotations.Nullable;

/// The unanswered requests of one connection, in the order in which they were sent. It decides when each of them is
/// carried out, and writes their answers to the channel.
///
///     RequestReader --begin--> [unanswered, in order] --complete--> RequestHandler
///                                                     <--settled---
///     channel <-- ResponseWriter <-- the oldest
///
/// Owned by the connection's event loop; settled calls come back through the loop's mailbox. Invariants:
/// - a request goes to the handler when it is complete and [RequestOrder] admits it, and only through [#hand]; the
///   answers leave in the order of the requests;
/// - a request that waits for earlier ones has its place and its claims as if it were with the handler;
/// - there is no room for more requests while the bound on unanswered requests, or on reads that wait for a worker,
///   is reached, or while the turn of the connection is over;
/// - the claim for a request's body is released when the request is settled, the claim for its answer when that has
///   been written, or never will be.
final class Pipeline implements RequestSink {

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
    private @Nullable Exchange firstFinished;
    private @Nullable Exchange lastFinished;
    private boolean handing;
    private boolean lastWritten;
    boolean cutOff; // the last answer broke off in a way that its framing cannot show
    private int turnRequests;
    private long turnBytes;
    private int waitingReads;
    private long readNanos;
    long movedTicks; // of the last write, or of the last progress of the client
    long takenBytes; // by the client, at the last check
    private int highWaterBytes;

    /// @param writer of its protocol
    /// @param onSettled called when a request has something to write
    Pipeline(Channel channel, LoopContext loop, AnswerWriter writer, Runnable onSettled) {
        this.loop = loop;
        this.limits = loop.limits;
        this.channel = channel;
        this.writer = writer;
        this.onSettled = onSettled;
        this.remotePort = channel.remoteAddress() instanceof InetSocketAddress remote ? remote.getPort() : 0;
        this.notes = AccessNotes.of(loop.accessLog, channel, writer);
        this.movedTicks = loop.clock.ticks;
    }

    // --- From the reader ---

    /// Sets the time at which the next input was received.
    void received(int bytes, long nanos) {
        turnBytes += bytes;
        readNanos = nanos;
    }

    @Override
    public boolean hasRoom() {
        return !isTurnOver() && hasPlaces();
    }

    /// Whether another request may be accepted, now or in the next turn.
    boolean hasPlaces() {
        return unanswered.size() < limits.maxPipelined() && waitingReads < limits.maxWaitingReads();
    }

    /// Whether the connection has used up its requests of this turn.
    boolean isTurnOver() {
        return turnRequests >= limits.turnRequests();
    }

    /// Whether the connection has used up its bytes of this turn.
    boolean isTurnFull() {
        return turnBytes >= limits.turnBytes();
    }

    void beginTurn() {
        turnRequests = 0;
        turnBytes = 0;
    }

    @Override
    public PendingRequest begin(RequestHead head) {
        Exchange exchange = new Exchange(this, head);
        if (notes != null) {
            exchange.named(); // the answer carries the id that the log has
            exchange.note = notes.begin(head, readNanos);
        }
        Problem refusal = head.refusal();
        if (refusal != null) {
            exchange.refuse(refusal);
        }
        if (refusal != null || head.isAdministrative()) {
            AccessNotes.audit(loop.access, head, channel);
        }
        turnRequests++;
        unanswered.add(exchange); // it has its place in the order from now on
        return exchange;
    }

    /// The same of a command of RESP.
    ///
    /// @param token the name of its token, or `-`
    /// @param words none where it has not arrived
    void begin(Exchange exchange, String token, List<byte[]> words, boolean resp3) {
        if (notes != null) {
            exchange.named();
            exchange.note = notes.begin(token, words, resp3, readNanos);
        }
        turnRequests++;
        unanswered.add(exchange);
    }

    /// The client sends nothing more, and may have gone.
    void inputEnded() {
        unanswered.forEach(Exchange::inputEnded);
    }

    @Override
    public void complete(PendingRequest read, Request request, long claimedBytes) {
        Exchange exchange = (Exchange) read;
        if (!loop.enter()) {
            loop.memory.bodies().release(claimedBytes);
            exchange.refuse(Problem.OVERLOADED);
            return;
        }
        exchange.submitted(request, claimedBytes, readNanos);
        if (order.admits(exchange)) {
            hand(exchange, request);
        } else {
            exchange.held = request;
            order.hold(exchange);
        }
        if (!exchange.isReady() && (request.kind() == RequestKind.READ || request.kind() == RequestKind.RANGE)) {
            exchange.waits = true;
            waitingReads++;
        }
    }

    private void hand(Exchange exchange, Request request) {
        exchange.underWay = true;
        if (!exchange.safe) {
            exchange.follow(newestWrite);
        }
        if (!exchange.beginsItself()) {
            loop.handler.submit(exchange, request);
        }
        if (!exchange.safe && !exchange.isReady()) {
            newestWrite = exchange;
        }
    }

    // --- From the exchanges ---

    /// Called when an exchange has something to write.
    void settled(Exchange exchange) {
        releaseBody(exchange);
        if (exchange.waits) {
            exchange.waits = false;
            waitingReads--;
        }
        if (exchange.underWay && isFixed(exchange)) {
            exchange.underWay = false;
            order.ended();
            goOn();
        }
        onSettled.run();
    }

    private void releaseBody(Exchange exchange) {
        loop.memory.bodies().release(exchange.claimedBytes);
        exchange.claimedBytes = 0;
    }

    /// Whether its answer can no longer be changed by writes that begin now: a range over a network continues to read
    /// the current records.
    private boolean isFixed(Exchange exchange) {
        return !(exchange.outcome() instanceof Outcome.Records records)
                || records.batch().last()
                || loop.handler.rangesAreSnapshots();
    }

    /// Hands over the requests that waited for others to be settled.
    private void goOn() {
        if (order.isQuiet()) {
            newestWrite = null;
        }
        if (handing) {
            return; // settled within the call that handed it over, which continues
        }
        handing = true;
        try {
            for (Exchange next = order.next(); next != null; next = order.next()) {
                Request request = next.held;
                next.held = null;
                if (request != null) {
                    hand(next, request);
                }
            }
        } finally {
            handing = false;
        }
    }

    /// Releases the request of an abandoned call; no client waits for it any more.
    void dropped(Exchange exchange) {
        releaseBody(exchange);
        loop.leave();
    }

    // --- To the channel ---

    boolean isEmpty() {
        return unanswered.isEmpty() && !writer.hasWaiting();
    }

    boolean hasOne() {
        return unanswered.size() == 1;
    }

    /// The next to be answered, or null.
    @Nullable
    Exchange next() {
        return unanswered.peek();
    }

    /// Whether the client of the newest request waits for `100 Continue` before it sends the body.
    boolean isContinueDue() {
        Exchange newest = unanswered.peekLast();
        return newest != null && newest.continues;
    }

    /// Whether the last answer of the connection has been written.
    boolean isLastWritten() {
        return lastWritten && !writer.hasWaiting();
    }

    void moved() {
        movedTicks = loop.clock.ticks;
    }

    /// Checks whether the client has taken anything since the last check.
    void look() {
        long taken = writer.takenBytes();
        if (taken > takenBytes) {
            takenBytes = taken;
            moved();
        }
    }

    /// The memory of a budget that answers hold while they wait for the client.
    long heldOf(MemoryBudget budget) {
        long bytes = 0;
        for (Exchange exchange : unanswered) {
            bytes += exchange.isReady() ? exchange.held(budget) : 0;
        }
        return bytes;
    }

    /// Writes the answers that are next, as far as the client takes them.
    ///
    /// @param ends whether the connection ends with the newest of the requests
    /// @return whether an answer was finished, so that there is room for another request
    boolean writeReady(boolean ends) {
        boolean any = false;
        writer.resume();
        while (!unanswered.isEmpty() && !lastWritten && writer.hasRoom()) {
            Exchange exchange = unanswered.getFirst();
            if (exchange.continues) {
                writer.writeContinue();
                exchange.continues = false;
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
                exchange.outcome = null; // nothing to write until the next round is settled
                exchange.resume();
                continue;
            }
            finish(exchange);
            any = true;
        }
        return any;
    }

    /// Sends all written bytes.
    void flush() {
        writer.flush();
        tellSent();
    }

    /// Counts the answers sent, as far as the kernel has taken them, and records them in the access log.
    private void tellSent() {
        Exchange exchange = firstFinished;
        long nowNanos = exchange != null ? System.nanoTime() : 0;
        firstFinished = null;
        lastFinished = null;
        for (; exchange != null; exchange = exchange.nextFinished) {
            if (notes != null && exchange.note != null) {
                notes.sent(exchange.note, exchange, exchange.hasStages(), nowNanos);
            }
            exchange.countWritten(loop.figures, nowNanos);
        }
    }

    /// Abandons all requests, because nothing more will be answered.
    void abandon() {
        order.clear();
        if (notes != null && !unanswered.isEmpty()) {
            tellSent();
        }
        for (Exchange exchange = unanswered.poll(); exchange != null; exchange = unanswered.poll()) {
            if (notes != null && exchange.note != null) {
                notes.ended(exchange.note, exchange, System.nanoTime());
            }
            if (exchange.held != null) {
                exchange.held = null;
                dropped(exchange); // the handler has never had it
            } else if (exchange.submitted) {
                exchange.abandon();
            }
        }
    }

    /// Releases everything after the close of the channel.
    void release() {
        writer.release();
    }

    private void finish(Exchange exchange) {
        unanswered.removeFirst();
        if (notes != null && exchange.note != null) {
            notes.answered(exchange.note, exchange);
        }
        if (exchange.submitted) {
            exchange.answered();
            loop.leave();
        }
        if (lastFinished == null) {
            firstFinished = exchange;
        } else {
            lastFinished.nextFinished = exchange;
        }
        lastFinished = exchange;
        lastWritten = exchange.closes;
        cutOff = exchange.cutOff;
    }

    /// The more connections, the less each may have unsent.
    private void limitUnsent() {
        int high = loop.writeHighWaterBytes();
        if (high != highWaterBytes) {
            highWaterBytes = high;
            channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(high / 2, high));
        }
    }

    /// A request of a connection and its answer: pending while it is read, a call while it is carried out, an answer
    /// while it is written. A command of RESP is one without a head ([RespExchange]).
    ///
    ///     PENDING --[HELD]--> with the handler --settled, refused--> READY --written--> gone
    ///                                 ^-- scan: next round --/
    ///
    /// Owned by the connection's event loop, but for what [Call] hands to the executor.
    static class Exchange extends Call implements PendingRequest, Answer, RequestOrder.Member {

        private static final byte[] NO_LINES = {};

        // Constant.
        final Pipeline pipeline;
        private final byte[] corsLines;
        private final AnswerForm form;
        private final long deadlineMillis;
        private final @Nullable ByteRange range;

        // Owned by the event loop.
        private @Nullable Exchange nextFinished; // in the same write
        private @Nullable Request held; // while it waits for earlier ones to be settled
        private @Nullable AccessNote note; // where there is an access log
        private boolean waits; // counts among the reads of its connection that wait
        private boolean underWay; // counts in the order of its connection
        private boolean safe;
        private boolean cutOff;
        private @Nullable Outcome outcome;
        private @Nullable Problem problem;
        private boolean submitted;
        private boolean continues; // the client waits for a `100 Continue` that has not been written
        private boolean closes;
        private long claimedBytes; // of the memory of bodies

        private Exchange(Pipeline pipeline, RequestHead head) {
            super(pipeline.loop.mailbox, head.trace());
            this.pipeline = pipeline;
            this.corsLines = head.corsLines();
            this.form = AnswerForm.of(head.isHeadOnly(), head.isHttp10(), head.acceptsNdjson(), head.isVerbose());
            this.deadlineMillis = head.deadlineMillis();
            this.range = head.range();
            this.closes = !head.keepAlive();
        }

        /// Of a request without a head.
        Exchange(Pipeline pipeline) {
            super(pipeline.loop.mailbox);
            this.pipeline = pipeline;
            this.corsLines = NO_LINES;
            this.form = AnswerForm.PLAIN;
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

        // --- While it is carried out ---

        /// Counts it among the requests in flight from now on.
        ///
        /// @param bodyBytes claim on the memory of its body
        /// @param receivedNanos when its last byte was received
        final void submitted(Request request, long bodyBytes, long receivedNanos) {
            submitted = true;
            safe = !request.kind().isWrite();
            claimedBytes = bodyBytes;
            readAt(receivedNanos);
        }

        /// Starts a command of several calls when its turn comes.
        ///
        /// @return false where it is a single call
        boolean beginsItself() {
            return false;
        }

        /// Whether it was a single call of the handler, which records its own stages.
        boolean hasStages() {
            return submitted;
        }

        @Override
        public boolean isSafe() {
            return safe;
        }

        @Override
        protected long deadlineMillis() {
            return deadlineMillis;
        }

        @Override
        protected int remotePort() {
            return pipeline.remotePort;
        }

        @Override
        protected void settled(Outcome settledAs) {
            outcome = range == null ? settledAs : range.of(settledAs);
            pipeline.settled(this);
        }

        @Override
        protected void dropped() {
            pipeline.dropped(this);
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
        public AnswerForm form() {
            return form;
        }

        @Override
        public void markCutOff() {
            cutOff = true;
        }

        /// The memory of a budget that it holds; valid once it is ready.
        long held(MemoryBudget budget) {
            return heldOf(budget);
        }

        /// Releases the claims after the whole answer has been written.
        void answered() {
            releaseAnswer();
        }

        private void countWritten(RequestFigures figures, long nowNanos) {
            if (problem == Problem.OVERLOADED) {
                figures.refusedAtOnce();
            } else if (submitted && outcome != null) {
                figures.written(this, outcome, nowNanos);
            }
        }
    }
}
