package kvant.server.resp;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import kvant.server.request.Outcome;
import kvant.server.request.Request;
import kvant.server.service.Call;
import kvant.server.service.CompletionQueue;
import kvant.server.service.RequestFigures;
import kvant.server.service.RequestHandler;
import org.jspecify.annotations.Nullable;

/// The changes of one event loop, in a line of rounds for each key:
///
///     [waiting] --read, or the remembered entry--> carry out --write if unchanged--> each has its reply
///                      ^---------- a key has changed meanwhile -----------/
///
/// Waiting updates of a key are one round: each is applied to the result of the one before, and the last result is
/// written. So a counter of many clients costs one commit for all updates that came during the last one. A
/// transaction is a round of its own, in the line of each key that it reads, so that nothing else of this loop
/// changes them meanwhile. Other loops, HTTP and plain writes may change a key; a round that meets such a change
/// begins again, 64 times at most. A write takes part in the group commit as any other does. Owned by the event loop.
public final class ReadModifyWrite {

    private static final Logger LOGGER = System.getLogger(ReadModifyWrite.class.getName());

    /// Conflicting attempts before the clients get `TRYAGAIN`.
    private static final int MAX_TRIES = 64;

    /// Most updates of one round, so that its write is no longer than others.
    private static final int MAX_TOGETHER = 512;

    /// Keys whose state is remembered after their line has ended: a counter needs no read then.
    private static final int MOST_KNOWN = 1024;

    /// Keys and values that are longer are not remembered.
    private static final int LONGEST_KNOWN_BYTES = 512;

    private static final Reply INTERNAL =
            Errors.error("ERR internal error, nothing was written; see the log of the node");

    /// The command that has asked for a change.
    public interface Asker {

        /// A change or a walk through all keys, as long as it has no reply.
        Action action();

        /// Whether its client has gone: then an update is not begun.
        boolean isGone();

        /// Claims memory for a reply that is being prepared, instead of what was claimed before.
        ///
        /// @return false if there is none
        boolean claims(long bytes);

        /// Handles the reply, which is also that of a failure.
        void updated(Reply reply);
    }

    // Constant.
    private final Commands commands;
    private final RequestHandler handler;
    private final CompletionQueue mailbox;
    private final RequestFigures figures;

    // Owned by the event loop.
    private final Queue<Runnable> due = new ArrayDeque<>();
    private boolean begins;
    private final Map<ByteBuffer, Deque<Round>> lines = new HashMap<>();
    private final Recent<ByteBuffer, Known> known = new Recent<>(MOST_KNOWN, Long.MAX_VALUE);

    /// What a key had when it was last written or read.
    private record Known(Outcome.@Nullable Entry entry) {}

    public ReadModifyWrite(Commands commands, RequestHandler handler, CompletionQueue mailbox, RequestFigures figures) {
        this.commands = commands;
        this.handler = handler;
        this.mailbox = mailbox;
        this.figures = figures;
    }

    /// Has a change or a walk carried out; the asker may have its reply from within this method.
    public void join(Asker asker) {
        switch (asker.action()) {
            case Action.Update update -> {
                ByteBuffer name = ByteBuffer.wrap(update.key());
                Deque<Round> line = lines.get(name);
                if (line == null || !line.getLast().takes(asker)) {
                    new Round(asker, List.of(name), true, null).lineUp();
                }
            }
            case Action.Transaction transaction -> {
                List<ByteBuffer> names = transaction.keys().get().stream()
                        .map(ByteBuffer::wrap)
                        .distinct()
                        .toList();
                new Round(asker, names, false, transaction.worker()).lineUp();
            }
            case AllKeys walk -> walk(asker, walk, walk.scan());
            case Reply _, Command _ -> throw new IllegalStateException("no change");
        }
    }

    private Deque<Round> line(ByteBuffer name) {
        return Objects.requireNonNull(lines.get(name));
    }

    /// Takes a step, but not from within another one: thousands may follow each other at once.
    private void due(Runnable step) {
        due.add(step);
        if (begins) {
            return;
        }
        begins = true;
        try {
            for (Runnable next = due.poll(); next != null; next = due.poll()) {
                next.run();
            }
        } finally {
            begins = false;
        }
    }

    /// Takes a step of a walk through all keys. Between two steps others get their turn.
    private void walk(Asker asker, AllKeys walk, Request request) {
        new Step((step, outcome) -> {
                    Request next = walk.next(outcome);
                    step.abandon(); // the next range begins behind the last key, in a snapshot of its own
                    if (next != null && !asker.isGone() && asker.claims(walk.heldBytes())) {
                        due(() -> walk(asker, walk, next));
                    } else {
                        Reply reply = next == null ? walk.reply() : Errors.OVERLOADED;
                        asker.updated(asker.claims(reply.heldBytes()) ? reply : Errors.OVERLOADED);
                    }
                })
                .submit(request);
    }

    /// Updates of one key, or a transaction: keys as of one moment, the commands that ask for a change of them, and
    /// the one write that comes of it.
    private final class Round implements Runnable {

        // Constant.
        private final List<ByteBuffer> names;
        private final boolean shared;
        private final @Nullable Executor worker;

        private final List<Asker> together = new ArrayList<>();
        private final List<Reply> replies = new ArrayList<>();
        private int awaited; // lines in which it is not the first
        private boolean begun;
        private int tries;
        private @Nullable View view;
        private @Nullable Step held; // the read whose values are being changed

        /// @param shared whether it takes further updates until it begins
        Round(Asker asker, List<ByteBuffer> names, boolean shared, @Nullable Executor worker) {
            this.names = names;
            this.shared = shared;
            this.worker = worker;
            this.awaited = names.size() + 1;
            together.add(asker);
        }

        boolean takes(Asker asker) {
            return shared && !begun && together.size() < MAX_TOGETHER && together.add(asker);
        }

        void lineUp() {
            for (ByteBuffer name : names) {
                Deque<Round> line = lines.computeIfAbsent(name, _ -> new ArrayDeque<>(2));
                line.add(this);
                if (line.size() == 1) {
                    reached();
                }
            }
            reached();
        }

        /// It is the first in another one of its lines.
        private void reached() {
            if (--awaited == 0) {
                due(this);
            }
        }

        @Override
        public void run() {
            begun = true;
            if (shared) {
                together.removeIf(Asker::isGone);
            }
            Known last = null;
            for (ByteBuffer name : names) {
                last = known.remove(name);
            }
            if (together.isEmpty()) {
                passOn();
            } else if (shared && last != null) {
                carryOut(Collections.singletonList(last.entry()), false);
            } else {
                read();
            }
        }

        /// Reads the keys again: a value read before the last command arrived may be older than that command.
        private void read() {
            hold(null);
            if (names.isEmpty()) {
                carryOut(List.of(), true);
                return;
            }
            Step step = new Step((_, outcome) -> answered(outcome));
            hold(step);
            byte[] first = names.getFirst().array();
            step.submit(
                    names.size() == 1
                            ? new Request.Record(first)
                            : new Request.Entries(
                                    names.stream().map(ByteBuffer::array).toList()));
        }

        private void hold(@Nullable Step read) {
            if (held != null) {
                held.abandon();
            }
            held = read;
        }

        /// Continues after the read or the write.
        private void answered(Outcome outcome) {
            switch (outcome) {
                case Outcome.Entry entry -> carryOut(List.of(entry), true);
                case Outcome.Entries(List<Outcome.@Nullable Entry> all) -> carryOut(all, true);
                case Outcome.Plain.ABSENT -> carryOut(Collections.singletonList(null), true);
                case Outcome.Stored(long version) -> end(true, version);
                case Outcome.Plain.DELETED -> end(true, View.ABSENT);
                case Outcome.Plain.PRECONDITION_FAILED -> {
                    if (++tries < MAX_TRIES) {
                        read();
                    } else {
                        fail(Errors.CONTENDED);
                    }
                }
                case Outcome.Failed failed -> fail(Errors.of(failed, commands.paths()));
                default -> throw new IllegalStateException("a change came to " + outcome);
            }
        }

        /// @param fresh whether it was read after all of these commands had come; otherwise only a write confirms it
        private void carryOut(List<Outcome.@Nullable Entry> found, boolean fresh) {
            View now = new View(commands, names, found);
            view = now;
            replies.clear();
            if (worker == null) {
                for (Asker asker : together) {
                    settle(asker, attempt(asker, now), now);
                }
                write(now, fresh);
                return;
            }
            Asker asker = together.getFirst();
            try {
                worker.execute(() -> {
                    Reply reply = attempt(asker, now);
                    mailbox.deliver(() -> {
                        settle(asker, reply, now);
                        write(now, fresh);
                    });
                });
            } catch (RejectedExecutionException _) {
                fail(Errors.OVERLOADED);
            }
        }

        /// Its client has a reply, whatever happens.
        private Reply attempt(Asker asker, View now) {
            try {
                return ((Action.Change) asker.action()).body().run(now);
            } catch (WrongCommandException e) {
                now.undo(0);
                return e.reply();
            } catch (RuntimeException | Error e) {
                LOGGER.log(Level.ERROR, "a change failed", e);
                now.undo(0);
                return INTERNAL;
            }
        }

        private void settle(Asker asker, Reply reply, View now) {
            boolean fits = asker.claims(reply.heldBytes());
            if (!fits) {
                now.undo(0);
            }
            now.next();
            replies.add(fits ? reply : Errors.OVERLOADED);
        }

        private void write(View now, boolean fresh) {
            Request write = now.write();
            if (write != null) {
                new Step((_, outcome) -> answered(outcome)).submit(write);
            } else if (fresh) {
                end(false, View.ABSENT);
            } else {
                read();
            }
        }

        /// Sends the replies, and remembers the entry of the key for the next round.
        private void end(boolean written, long version) {
            View now = Objects.requireNonNull(view);
            tell();
            if (shared) {
                ByteBuffer name = names.getFirst();
                Outcome.Entry entry = written ? now.written(name, version) : now.found(name);
                int bytes = name.capacity() + (entry == null ? 0 : entry.value().length);
                if (bytes <= LONGEST_KNOWN_BYTES || line(name).size() > 1) {
                    known.put(name, new Known(entry), 0);
                }
            }
            passOn();
        }

        /// Fails the round. As far as is known, nothing was written.
        private void fail(Reply error) {
            together.forEach(asker -> asker.claims(error.heldBytes()));
            replies.clear();
            replies.addAll(Collections.nCopies(together.size(), error));
            tell();
            passOn();
        }

        private void tell() {
            view = null;
            hold(null);
            for (int i = 0; i < together.size(); i++) {
                together.get(i).updated(replies.get(i));
            }
        }

        private void passOn() {
            for (ByteBuffer name : names) {
                Deque<Round> line = line(name);
                line.remove();
                Round next = line.peek();
                if (next == null) {
                    lines.remove(name);
                } else {
                    if (!next.shared) {
                        known.remove(name); // a transaction reads its keys again
                    }
                    next.reached();
                }
            }
        }
    }

    /// One request. It belongs to no connection: the connections that wait for it may close.
    private final class Step extends Call {

        private final BiConsumer<Step, Outcome> next;

        Step(BiConsumer<Step, Outcome> next) {
            super(mailbox);
            this.next = next;
        }

        void submit(Request request) {
            readAt(System.nanoTime());
            handler.submit(this, request);
        }

        @Override
        protected void settled(Outcome outcome) {
            figures.written(this, outcome, System.nanoTime());
            next.accept(this, outcome);
        }
    }
}
