package kvant.server.http;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import kvant.server.admit.MemoryBudget;
import kvant.server.http.contract.Problem;
import kvant.server.request.Outcome;
import kvant.server.request.Request;
import kvant.server.resp.Action;
import kvant.server.resp.AllKeys;
import kvant.server.resp.Command;
import kvant.server.resp.Errors;
import kvant.server.resp.ReadModifyWrite;
import kvant.server.resp.Reply;
import kvant.server.resp.RespWriter;
import kvant.server.service.Call;
import kvant.server.service.CompletionQueue;
import org.jspecify.annotations.Nullable;

/// One command of RESP and its reply. A command of one request is a call itself. A command of several has a [Part]
/// for each, with a bound on the parts in the service at a time, and on those in a row before the other connections
/// of the loop get their turn. An update joins the queue of its key. Once the reply is complete, nothing else is kept
/// of the command, and the memory of the reply is claimed: its client may not read it.
///
/// Owned by the connection's event loop, but for what [Call] hands to the executor.
final class RespExchange extends Pipeline.Exchange
        implements RespWriter.RespAnswer, ReadModifyWrite.Asker, CompletionQueue.Member {

    private static final Logger LOGGER = System.getLogger(RespExchange.class.getName());

    /// Requests of one command that are with the service side by side.
    private static final int SIDE_BY_SIDE = 16;

    /// Bytes claimed at a time for short values.
    private static final int CLAIM_STEP_BYTES = 16 << 10;

    private static final int VALUE_OVERHEAD_BYTES = 32;

    /// Replies up to this length are bounded well enough by the requests that a connection may have: that of `HELLO`
    /// is one, because the session has changed by then.
    private static final int SMALL_REPLY_BYTES = 256;

    /// For the pipeline, of a command that has no request of its own, or several.
    static final Request NO_REQUEST = Request.Probe.ALIVE;

    // Constant.
    private final LoopContext loop;
    private final ReadModifyWrite updates;
    private final boolean single;
    private final boolean resp3;

    // Owned by the event loop.
    private Action action;
    private @Nullable Reply reply;
    private Set<Part> parts = Set.of();
    private int next;
    private int underWay;
    private int undropped;
    private long shortBytes;
    private boolean issuing;
    private boolean turnDue;
    private boolean overloaded;
    private boolean gone;
    private boolean over;

    RespExchange(LoopContext loop, Pipeline pipeline, ReadModifyWrite updates, Action action, boolean resp3) {
        super(pipeline);
        this.loop = loop;
        this.updates = updates;
        this.action = action;
        this.single = action instanceof Command command && command.requests() == 1;
        this.resp3 = resp3;
        this.reply = action instanceof Reply told ? told : null;
    }

    // --- In the order of its connection ---

    @Override
    public RequestOrder.Lane lane() {
        return switch (action) {
            case Action.Update _ -> RequestOrder.Lane.UPDATE;
            case Action.Transaction _, AllKeys _ -> RequestOrder.Lane.ALONE;
            case Command command when command.requests() > 1 -> RequestOrder.Lane.ALONE;
            case Command _, Reply _ -> super.lane();
        };
    }

    @Override
    boolean beginsItself() {
        switch (action) {
            case Action.Change _, AllKeys _ -> updates.join(this);
            case Command command
            when command.requests() > 1 -> {
                parts = new HashSet<>();
                shortBytes = (long) command.requests() * Reply.SLOT_BYTES;
                overloaded = !claimsShort();
                issue(command);
            }
            case Command _, Reply _ -> {
                return false;
            }
        }
        return true;
    }

    @Override
    public void abandon() {
        gone = true;
        if (action instanceof Action.Change || action instanceof AllKeys) {
            releaseAnswer();
            dropped();
        } else if (parts.isEmpty()) {
            super.abandon();
        } else {
            releaseAnswer();
            undropped = parts.size();
            List.copyOf(parts).forEach(Call::abandon);
        }
    }

    // --- One request ---

    @Override
    protected void settled(Outcome outcome) {
        if (action instanceof Command command) {
            command.answered(0, outcome);
            tell(command.reply());
        }
        super.settled(outcome);
    }

    /// The reply has all of it.
    @Override
    public @Nullable Outcome outcome() {
        return null;
    }

    @Override
    boolean hasStages() {
        return super.hasStages() && single;
    }

    // --- The reply ---

    private void tell(Reply told) {
        reply = told;
        action = told;
    }

    @Override
    public void refuse(Problem reason) {
        super.refuse(reason);
        tell(Errors.of(reason));
    }

    /// Bounds a long reply that is there at once like any other answer, because its client may not read it.
    void boundReply() {
        long bytes = reply == null ? 0 : reply.heldBytes();
        if (bytes <= SMALL_REPLY_BYTES) {
            return;
        }
        boolean entered = loop.enter();
        if (entered) {
            submitted(NO_REQUEST, 0, System.nanoTime());
        }
        if (!entered || !claims(bytes)) {
            refuse(Problem.OVERLOADED);
        }
    }

    // --- Several requests ---

    private void issue(Command command) {
        if (issuing || turnDue || gone) {
            return;
        }
        issuing = true;
        int requests = command.requests();
        int turnEnd = next + loop.limits.turnRequests(); // reads from memory are settled at once
        while (next < requests && next < turnEnd && underWay < SIDE_BY_SIDE && !overloaded) {
            Part part = new Part(next);
            parts.add(part);
            underWay++;
            loop.handler.submit(part, command.request(next++));
        }
        issuing = false;
        if (next == turnEnd && next < requests && !overloaded) {
            turnDue = true;
            loop.later(this);
        } else if (underWay == 0) {
            tell(overloaded ? Errors.of(Problem.OVERLOADED) : command.reply());
            if (!(action instanceof Reply.Sequence)) { // else it still has the array and its values
                releaseAnswer();
                parts.forEach(Part::letGo);
                parts.clear();
            }
            pipeline.settled(this);
        }
    }

    @Override
    public void turn() {
        turnDue = false;
        try {
            if (action instanceof Command command) {
                issue(command);
            }
        } catch (RuntimeException | Error e) { // other connections wait for their turns
            LOGGER.log(Level.ERROR, "a turn failed", e);
        }
    }

    private void partSettled(Part part, Outcome outcome) {
        underWay--;
        if (!(action instanceof Command command)) {
            throw new IllegalStateException("a part of nothing");
        }
        command.answered(part.index, outcome);
        if (!part.holdsAnswer()) { // thousands of them may wait for a client that does not read
            parts.remove(part);
        }
        if (outcome instanceof Outcome.Found(byte[] value, long _) && value.length <= UNCLAIMED_ANSWER_BYTES) {
            shortBytes += value.length + VALUE_OVERHEAD_BYTES;
            overloaded |= !claimsShort();
        }
        issue(command);
    }

    private boolean claimsShort() {
        return claimAnswer(loop.memory.answers(), (shortBytes / CLAIM_STEP_BYTES + 1) * CLAIM_STEP_BYTES);
    }

    private void partDropped() {
        undropped--;
        if (undropped == 0) {
            pipeline.dropped(this);
        }
    }

    /// One of the requests of a command.
    private final class Part extends Call {

        private final int index;

        Part(int index) {
            super(loop.mailbox);
            this.index = index;
            readAt(RespExchange.this.readNanos());
        }

        @Override
        protected int remotePort() {
            return RespExchange.this.remotePort();
        }

        @Override
        protected void settled(Outcome outcome) {
            loop.figures.written(this, outcome, System.nanoTime());
            partSettled(this, outcome);
        }

        @Override
        protected void dropped() {
            partDropped();
        }

        void letGo() {
            releaseAnswer();
        }

        long holds(MemoryBudget budget) {
            return heldOf(budget);
        }

        boolean holdsAnswer() {
            return holds(loop.memory.answers().shared()) > 0
                    || holds(loop.memory.answers().longest()) > 0;
        }
    }

    // --- An update or a transaction ---

    @Override
    public Action action() {
        return action;
    }

    @Override
    public boolean isGone() {
        return gone;
    }

    @Override
    public boolean claims(long bytes) {
        return gone || claimAnswer(loop.memory.answers(), bytes);
    }

    @Override
    public void updated(Reply told) {
        if (!gone) {
            tell(told);
            pipeline.settled(this);
        }
    }

    // --- While it is answered ---

    @Override
    boolean isReady() {
        return reply != null;
    }

    @Override
    public Reply reply() {
        return Objects.requireNonNull(reply, "nothing to write yet");
    }

    @Override
    public boolean isResp3() {
        return resp3;
    }

    @Override
    long held(MemoryBudget budget) {
        long bytes = super.held(budget);
        for (Part part : parts) {
            bytes += part.holds(budget);
        }
        return bytes;
    }

    @Override
    void answered() {
        over = true;
        releaseAnswer();
        parts.forEach(Part::letGo);
    }

    /// After its reply there is nothing left to release.
    @Override
    protected void dropped() {
        if (!over) {
            super.dropped();
        }
    }
}
