package kvant.server.resp;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import kvant.server.request.Outcome;
import kvant.server.request.Request;
import org.jspecify.annotations.Nullable;

/// One [Transaction] on its way. It stands in the line of each key that it reads, so that of one event loop no other
/// changes them meanwhile; the guards of its batch see to the rest.
///
///     [in each line] --> read as of one moment --> carry out --write if unchanged--> reply
///                         ^---------- a key has changed meanwhile ----------/
///
/// Owned by the event loop.
final class TransactionRun implements ReadModifyWrite.Asker {

    private static final Logger LOGGER = System.getLogger(TransactionRun.class.getName());

    // Constant.
    private final ReadModifyWrite updates;
    private final ReadModifyWrite.Asker asker;
    private final Transaction transaction;
    private final List<byte[]> keys;

    // Owned by the event loop.
    private final List<ReadModifyWrite.Line> lines = new ArrayList<>();
    private int awaited; // lines in which others come first
    private int rounds;
    private ReadModifyWrite.@Nullable Step read;
    private Reply reply = Reply.Plain.NIL;

    TransactionRun(ReadModifyWrite updates, ReadModifyWrite.Asker asker, Transaction transaction) {
        this.updates = updates;
        this.asker = asker;
        this.transaction = transaction;
        Set<ByteBuffer> distinct = new LinkedHashSet<>();
        transaction.keys().get().forEach(key -> distinct.add(ByteBuffer.wrap(key)));
        this.keys = distinct.stream().map(ByteBuffer::array).toList();
    }

    void begin() {
        awaited = keys.size() + 1;
        for (byte[] key : keys) {
            lines.add(updates.stand(this, key));
        }
        reached();
    }

    /// It is the first in another one of its lines.
    void reached() {
        if (--awaited == 0) {
            updates.due(this::read);
        }
    }

    private void read() {
        if (keys.isEmpty()) {
            carryOut(List.of());
            return;
        }
        ReadModifyWrite.Step step = updates.step(this::wasRead);
        hold(step);
        step.submit(new Request.Entries(keys));
    }

    private void wasRead(Outcome outcome) {
        switch (outcome) {
            case Outcome.Entries(List<Outcome.@Nullable Entry> all) -> carryOut(all);
            case Outcome.Failed failed -> tell(updates.error(failed));
            default -> throw new IllegalStateException("a read came to " + outcome);
        }
    }

    private void carryOut(List<Outcome.@Nullable Entry> found) {
        View view = updates.view(keys, found);
        Executor worker = transaction.worker();
        if (worker == null) {
            ran(view, run(view));
            return;
        }
        try {
            worker.execute(() -> {
                Ran ran = runWhole(view);
                updates.onLoop(() -> ran(view, ran));
            });
        } catch (RejectedExecutionException _) {
            tell(Errors.OVERLOADED);
        }
    }

    /// How the body has ended.
    private record Ran(Reply reply, boolean failed) {}

    private Ran run(View view) {
        try {
            return new Ran(transaction.body().run(view), false);
        } catch (WrongCommandException e) {
            return new Ran(e.reply(), true);
        }
    }

    /// Its client is told, whatever happens.
    private Ran runWhole(View view) {
        try {
            return run(view);
        } catch (RuntimeException | Error e) {
            LOGGER.log(Level.ERROR, "a transaction failed", e);
            return new Ran(Errors.error("ERR internal error, nothing was written; see the log of the node"), true);
        }
    }

    private void ran(View view, Ran ran) {
        reply = ran.reply;
        if (ran.failed) {
            tell(reply);
            return;
        }
        Request write = view.write();
        if (!asker.claims(reply.heldBytes())) {
            tell(Errors.OVERLOADED);
        } else if (write == null) {
            tell(reply);
        } else {
            updates.step(this::wasWritten).submit(write);
        }
    }

    private void wasWritten(Outcome outcome) {
        switch (outcome) {
            case Outcome.Stored _ -> tell(reply);
            case Outcome.Plain.DELETED -> tell(reply);
            case Outcome.Plain.PRECONDITION_FAILED -> {
                if (++rounds < ReadModifyWrite.MAX_ROUNDS) {
                    read();
                } else {
                    tell(Errors.CONTENDED);
                }
            }
            case Outcome.Failed failed -> tell(updates.error(failed));
            default -> throw new IllegalStateException("a write came to " + outcome);
        }
    }

    private void tell(Reply told) {
        hold(null);
        asker.claims(told.heldBytes());
        asker.updated(told);
        lines.forEach(ReadModifyWrite.Line::passOn);
    }

    private void hold(ReadModifyWrite.@Nullable Step next) {
        if (read != null) {
            read.letGo();
        }
        read = next;
    }

    // --- In the lines ---

    @Override
    public Action action() {
        return transaction;
    }

    @Override
    public boolean isGone() {
        return false;
    }

    @Override
    public boolean claims(long bytes) {
        return true;
    }

    @Override
    public void updated(Reply told) {
        throw new IllegalStateException("it tells its asker itself");
    }
}
