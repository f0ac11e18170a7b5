package kvant.server.resp;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import kvant.server.http.contract.HiddenPaths;
import kvant.server.request.Outcome;
import kvant.server.request.Request;
import kvant.server.service.Call;
import kvant.server.service.CompletionQueue;
import kvant.server.service.RequestFigures;
import kvant.server.service.RequestHandler;
import org.jspecify.annotations.Nullable;

/// The changes of one event loop, in a line for each key:
///
///     [waiting] --read, or what was there last--> carry out --write if unchanged--> each has its reply
///                      ^---------- a key has changed meanwhile ----------/
///
/// Updates of a key that wait are applied one after the other to what was read, and written once: so a key that many
/// count in costs one commit for all that came during the last one. A transaction stands in the line of each key that
/// it reads, so that nothing else of this loop changes them meanwhile. Other loops, HTTP and plain writes may change a
/// key; a round that meets such a change begins anew, 64 times at most. A write takes part in the group commit as any
/// other does. Owned by the event loop.
public final class ReadModifyWrite {

    private static final Logger LOGGER = System.getLogger(ReadModifyWrite.class.getName());

    /// Rounds that other writers may spoil before the clients are told to try again.
    private static final int MAX_ROUNDS = 64;

    /// Most updates of one round, so that its write is no longer than others.
    private static final int MAX_TOGETHER = 512;

    /// Keys whose state is remembered after their line has ended: a counter needs no read then.
    private static final int MOST_KNOWN = 1024;

    /// Keys and values that are longer are not remembered.
    private static final int LONGEST_KNOWN_BYTES = 512;

    /// In the place of a version.
    private static final long UNWRITTEN = -1;

    private static final long DELETED = -2;

    private static final Reply INTERNAL =
            Errors.error("ERR internal error, nothing was written; see the log of the node");

    /// What waits in a line.
    private interface Turn {}

    /// The command that has asked for a change.
    public interface Asker extends Turn {

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
    private final RequestHandler handler;
    private final CompletionQueue mailbox;
    private final RequestFigures figures;
    private final InstantSource clock;
    private final HiddenPaths paths;
    private final long maxBytes;

    // Owned by the event loop.
    private final Queue<Runnable> due = new ArrayDeque<>();
    private boolean begins;
    private final Map<ByteBuffer, Line> lines = new HashMap<>();
    private final Map<ByteBuffer, Known> known = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<ByteBuffer, Known> eldest) {
            return size() > MOST_KNOWN;
        }
    };

    /// What a key had when it was last written or read.
    private record Known(Outcome.@Nullable Entry entry) {}

    ReadModifyWrite(
            RequestHandler handler,
            CompletionQueue mailbox,
            RequestFigures figures,
            InstantSource clock,
            HiddenPaths paths,
            long maxBytes) {
        this.handler = handler;
        this.mailbox = mailbox;
        this.figures = figures;
        this.clock = clock;
        this.paths = paths;
        this.maxBytes = maxBytes;
    }

    /// Has a change or a walk carried out; the asker may have its reply from within this method.
    public void join(Asker asker) {
        switch (asker.action()) {
            case Action.Update update -> join(asker, update.key());
            case Action.Transaction transaction -> new TransactionRun(asker, transaction).begin();
            case AllKeys walk -> new Walk(asker, walk).ask(walk.scan());
            case Reply _, Command _ -> throw new IllegalStateException("no change");
        }
    }

    private void join(Asker asker, byte[] key) {
        ByteBuffer name = ByteBuffer.wrap(key);
        Line line = lines.get(name);
        if (line != null) {
            line.waiting.add(asker);
            return;
        }
        Line begun = new Line(name);
        lines.put(name, begun);
        begun.waiting.add(asker);
        Known last = known.remove(name);
        if (last == null) {
            begun.read();
        } else {
            begun.goOn(last.entry());
        }
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

    /// Keys as of one moment, those who ask for a change of them, and the one write that comes of it.
    private abstract class Round {

        private final List<byte[]> keys;
        private List<Asker> together = List.of();
        private List<Reply> replies = List.of();
        private @Nullable View view;
        private @Nullable Step held; // the read whose values are being changed
        private int rounds;

        Round(List<byte[]> keys) {
            this.keys = keys;
        }

        abstract void read();

        /// All have their replies.
        ///
        /// @param now null if it has failed
        /// @param version of what was written, or [#UNWRITTEN]
        abstract void over(@Nullable View now, long version);

        final void ask() {
            if (keys.isEmpty()) {
                carryOut(List.of(), true);
                return;
            }
            Step step = new Step(this::wasRead);
            hold(step);
            step.submit(keys.size() == 1 ? new Request.Record(keys.getFirst()) : new Request.Entries(keys));
        }

        private void wasRead(Outcome outcome) {
            switch (outcome) {
                case Outcome.Entry entry -> carryOut(List.of(entry), true);
                case Outcome.Entries(List<Outcome.@Nullable Entry> all) -> carryOut(all, true);
                case Outcome.Plain.ABSENT -> carryOut(Collections.singletonList(null), true);
                case Outcome.Failed failed -> failed(Errors.of(failed, paths));
                default -> throw new IllegalStateException("a read came to " + outcome);
            }
        }

        /// @param fresh whether it was read after all of these updates had come; otherwise only a write confirms it
        final void carryOut(List<Outcome.@Nullable Entry> found, boolean fresh) {
            View now = new View(keys, found, clock.millis(), maxBytes);
            view = now;
            replies = new ArrayList<>(together.size());
            run(now, fresh);
        }

        void run(View now, boolean fresh) {
            for (Asker asker : together) {
                settle(asker, attempt(asker, now), now);
            }
            write(now, fresh);
        }

        final Reply attempt(Asker asker, View now) {
            try {
                return bodyOf(asker).run(now);
            } catch (WrongCommandException e) {
                now.undo(0);
                return e.reply();
            }
        }

        final void settle(Asker asker, Reply reply, View now) {
            boolean fits = asker.claims(reply.heldBytes());
            if (!fits) {
                now.undo(0);
            }
            now.next();
            replies.add(fits ? reply : Errors.OVERLOADED);
        }

        final void write(View now, boolean fresh) {
            Request write = now.write();
            if (write != null) {
                new Step(this::wasWritten).submit(write);
            } else if (fresh) {
                end(now, UNWRITTEN);
            } else {
                read();
            }
        }

        private void wasWritten(Outcome outcome) {
            switch (outcome) {
                case Outcome.Stored(long version) -> end(Objects.requireNonNull(view), version);
                case Outcome.Plain.DELETED -> end(Objects.requireNonNull(view), DELETED);
                case Outcome.Plain.PRECONDITION_FAILED -> {
                    if (++rounds < MAX_ROUNDS) {
                        read();
                    } else {
                        failed(Errors.CONTENDED);
                    }
                }
                case Outcome.Failed failed -> failed(Errors.of(failed, paths));
                default -> throw new IllegalStateException("a write came to " + outcome);
            }
        }

        private void end(View now, long version) {
            tell();
            over(now, version);
        }

        /// Fails the round. As far as is known, nothing was written.
        final void failed(Reply error) {
            together.forEach(asker -> asker.claims(error.heldBytes()));
            replies = Collections.nCopies(together.size(), error);
            tell();
            over(null, UNWRITTEN);
        }

        private void tell() {
            List<Asker> told = together;
            List<Reply> theirs = replies;
            rounds = 0;
            together = List.of();
            replies = List.of();
            view = null;
            hold(null);
            for (int i = 0; i < told.size(); i++) {
                told.get(i).updated(theirs.get(i));
            }
        }

        private void hold(@Nullable Step read) {
            if (held != null) {
                held.letGo();
            }
            held = read;
        }
    }

    private static Action.Body bodyOf(Asker asker) {
        if (asker.action() instanceof Action.Change change) {
            return change.body();
        }
        throw new IllegalStateException("no change");
    }

    /// The changes of one key.
    private final class Line extends Round {

        private final ByteBuffer name;
        private final Queue<Turn> waiting = new ArrayDeque<>();

        Line(ByteBuffer name) {
            super(List.of(name.array()));
            this.name = name;
        }

        /// Begins a round with those who wait: one that comes later is not told what was there before.
        @Override
        void read() {
            if (takeSome()) {
                ask();
            } else {
                end();
            }
        }

        @Override
        void over(@Nullable View now, long version) {
            byte[] key = name.array();
            if (now == null) {
                read();
            } else {
                goOn(version == UNWRITTEN ? now.found(key) : now.written(key, version));
            }
        }

        /// Those that came meanwhile go on with what is known of the key.
        void goOn(Outcome.@Nullable Entry entry) {
            if (takeSome()) {
                carryOut(Collections.singletonList(entry), false);
            } else if (end() && name.capacity() + (entry == null ? 0 : entry.value().length) <= LONGEST_KNOWN_BYTES) {
                known.put(name, new Known(entry));
            }
        }

        /// Those of a round that was spoiled stay in it.
        ///
        /// @return false if none wait
        private boolean takeSome() {
            List<Asker> all = new ArrayList<>(super.together);
            while (all.size() < MAX_TOGETHER && waiting.peek() instanceof Asker next) {
                waiting.remove();
                if (!next.isGone()) {
                    all.add(next);
                }
            }
            super.together = all;
            return !all.isEmpty();
        }

        /// @return false if a transaction is the next: then the line is its own until [#passOn]
        private boolean end() {
            if (waiting.peek() instanceof TransactionRun run) {
                run.reached();
                return false;
            }
            lines.remove(name);
            return true;
        }

        /// Ends the turn of a transaction.
        void passOn() {
            waiting.remove();
            read();
        }
    }

    /// One transaction on its way.
    private final class TransactionRun extends Round implements Turn {

        private final Asker asker;
        private final Action.Transaction transaction;
        private final List<Line> stands = new ArrayList<>();
        private int awaited; // lines in which it is not the first

        TransactionRun(Asker asker, Action.Transaction transaction) {
            super(distinct(transaction.keys().get()));
            this.asker = asker;
            this.transaction = transaction;
        }

        void begin() {
            awaited = super.keys.size() + 1;
            for (byte[] key : super.keys) {
                ByteBuffer name = ByteBuffer.wrap(key);
                known.remove(name);
                boolean first = !lines.containsKey(name);
                Line line = lines.computeIfAbsent(name, Line::new);
                line.waiting.add(this);
                stands.add(line);
                if (first) {
                    reached();
                }
            }
            reached();
        }

        /// It is the first in another one of its lines.
        void reached() {
            if (--awaited == 0) {
                due(this::read);
            }
        }

        @Override
        void read() {
            super.together = List.of(asker);
            ask();
        }

        @Override
        void run(View now, boolean fresh) {
            Executor worker = transaction.worker();
            if (worker == null) {
                super.run(now, fresh);
                return;
            }
            try {
                worker.execute(() -> {
                    Reply reply = attemptWhole(now);
                    mailbox.deliver(() -> {
                        settle(asker, reply, now);
                        write(now, fresh);
                    });
                });
            } catch (RejectedExecutionException _) {
                failed(Errors.OVERLOADED);
            }
        }

        /// Its client has a reply, whatever happens.
        private Reply attemptWhole(View now) {
            try {
                return attempt(asker, now);
            } catch (RuntimeException | Error e) {
                LOGGER.log(Level.ERROR, "a transaction failed", e);
                now.undo(0);
                return INTERNAL;
            }
        }

        @Override
        void over(@Nullable View now, long version) {
            stands.forEach(Line::passOn);
        }
    }

    private static List<byte[]> distinct(List<byte[]> keys) {
        Set<ByteBuffer> names = new LinkedHashSet<>();
        keys.forEach(key -> names.add(ByteBuffer.wrap(key)));
        return names.stream().map(ByteBuffer::array).toList();
    }

    /// A walk through all keys on its way. Between two ranges others get their turn.
    private final class Walk {

        private final Asker asker;
        private final AllKeys walk;
        private @Nullable Step step;

        Walk(Asker asker, AllKeys walk) {
            this.asker = asker;
            this.walk = walk;
        }

        void ask(Request request) {
            Step next = new Step(this::answered);
            step = next;
            next.submit(request);
        }

        private void answered(Outcome outcome) {
            Request next = outcome instanceof Outcome.Failed ? null : walk.next(outcome);
            if (step != null) {
                step.abandon(); // the next range begins behind the last key, in a snapshot of its own
            }
            if (outcome instanceof Outcome.Failed why) {
                tell(Errors.of(why, paths));
            } else if (next == null) {
                tell(walk.reply());
            } else if (asker.isGone() || !asker.claims(walk.heldBytes())) {
                tell(Errors.OVERLOADED);
            } else {
                due(() -> ask(next));
            }
        }

        private void tell(Reply reply) {
            boolean fits = asker.claims(reply.heldBytes());
            asker.updated(fits ? reply : Errors.OVERLOADED);
        }
    }

    /// One request. It belongs to no connection: those who wait for it may come and go.
    private final class Step extends Call {

        private final Consumer<Outcome> next;

        Step(Consumer<Outcome> next) {
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
            next.accept(outcome);
        }

        void letGo() {
            releaseAnswer();
        }
    }
}
