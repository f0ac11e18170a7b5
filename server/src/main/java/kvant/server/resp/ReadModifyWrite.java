package kvant.server.resp;

import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Consumer;
import kvant.server.http.contract.HiddenPaths;
import kvant.server.request.Outcome;
import kvant.server.request.Precondition;
import kvant.server.request.Request;
import kvant.server.service.Call;
import kvant.server.service.CompletionQueue;
import kvant.server.service.RequestFigures;
import kvant.server.service.RequestHandler;
import org.jspecify.annotations.Nullable;

/// The updates of one event loop, in a line for each key. Those that wait are applied one after the other to what was
/// read, and what comes of all of them is one write, guarded by the version that was read: so a key that many count in
/// costs one commit for all that came during the last one.
///
///     [waiting] --read, or what was there last--> apply each --write if unchanged--> each has its reply
///                      ^---------- changed meanwhile ----------/
///
/// The write takes part in the group commit as any other does. Other loops, HTTP and plain writes are what a key may
/// change under; a round that meets them begins anew, so many times at most. Owned by the event loop.
public final class ReadModifyWrite {

    /// Rounds that others may spoil before the clients are told to try again.
    static final int MAX_ROUNDS = 64;

    /// Of one round, so that one write is no longer than others.
    private static final int MAX_TOGETHER = 512;

    /// Keys whose state is remembered when nobody waits any more: a counter needs no read then.
    private static final int MOST_KNOWN = 1024;

    /// Keys and values that are longer are not remembered.
    private static final int LONGEST_KNOWN_BYTES = 512;

    /// Who has asked for an update.
    public interface Asker {

        /// An update or a transaction, as long as it has not been told.
        Action action();

        /// Whether nobody waits for it any more: then it is not begun.
        boolean isGone();

        /// Claims so much memory for a reply that is being prepared, instead of what was claimed before.
        ///
        /// @return false where there is none
        boolean claims(long bytes);

        /// It has been carried out, or it has not, as the reply says.
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

    /// Has an update or a transaction carried out; the asker may be told from within this method.
    public void join(Asker asker) {
        if (asker.action() instanceof Transaction transaction) {
            new TransactionRun(this, asker, transaction).begin();
            return;
        } else if (asker.action() instanceof Series series) {
            new SeriesRun(this, asker, series).ask(series.first());
            return;
        }
        ByteBuffer key = ByteBuffer.wrap(updateOf(asker).key());
        Line line = lines.get(key);
        if (line != null) {
            line.waiting.add(asker);
            return;
        }
        Line begun = new Line(key);
        lines.put(key, begun);
        begun.waiting.add(asker);
        Known last = known.remove(key);
        if (last == null) {
            begun.read();
        } else {
            begun.goOn(last.entry(), last.unchanged());
        }
    }

    private static Update updateOf(Asker asker) {
        if (asker.action() instanceof Update update) {
            return update;
        }
        throw new IllegalStateException("no update");
    }

    // --- For transactions and series ---

    /// Has a transaction take its place in the line of a key, which says when it is the first.
    Line stand(TransactionRun run, byte[] key) {
        ByteBuffer name = ByteBuffer.wrap(key);
        known.remove(name);
        Line line = lines.get(name);
        if (line != null) {
            line.waiting.add(run);
            return line;
        }
        Line begun = new Line(name);
        lines.put(name, begun);
        begun.waiting.add(run);
        run.reached();
        return begun;
    }

    /// Takes a step, but not from within another one: thousands may follow each other at once.
    void due(Runnable step) {
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

    Step step(Consumer<Outcome> next) {
        return new Step(next);
    }

    /// From any thread: has it run by the event loop.
    void onLoop(CompletionQueue.Delivery task) {
        mailbox.deliver(task);
    }

    View view(List<byte[]> keys, List<Outcome.@Nullable Entry> found) {
        return new View(keys, found, clock.millis(), maxBytes);
    }

    Reply error(Outcome.Failed failed) {
        return Errors.of(failed, paths);
    }

    /// Keys that are being updated; for tests.
    int lines() {
        return lines.size();
    }

    /// What was there last.
    private record Known(Update.@Nullable Entry entry, Precondition unchanged) {}

    /// One of the asked, and what it will be told.
    private record Applied(Asker asker, Reply reply) {}

    /// Those who update one key.
    final class Line {

        private final ByteBuffer name;
        private final byte[] key;
        private final Queue<Asker> waiting = new ArrayDeque<>();
        private List<Asker> together = List.of();
        private List<Applied> applied = List.of();
        private Update.@Nullable Entry after;
        private @Nullable Step held; // the read whose value is being changed
        private int rounds;

        Line(ByteBuffer name) {
            this.name = name;
            this.key = name.array();
        }

        /// Begins a round with those who wait: who comes later is not to be told of what was there before.
        void read() {
            if (!takeSome()) {
                end();
                return;
            }
            Step step = new Step(this::wasRead);
            hold(step);
            step.submit(new Request.Record(key));
        }

        private void wasRead(Outcome outcome) {
            switch (outcome) {
                case Outcome.Entry(byte[] value, long version, long expiresAtMillis) ->
                    apply(new Update.Entry(value, expiresAtMillis), versionIs(version), true);
                case Outcome.Plain.ABSENT -> apply(null, Precondition.Plain.ABSENT, true);
                case Outcome.Failed failed -> failed(Errors.of(failed, paths));
                default -> throw new IllegalStateException("a read came to " + outcome);
            }
        }

        /// @param fresh whether it was read after all of them had come; what is written shows that it is still so
        private void apply(Update.@Nullable Entry found, Precondition unchanged, boolean fresh) {
            long now = clock.millis();
            boolean over = found != null && found.expiresAtMillis() != 0 && found.expiresAtMillis() <= now;
            Update.Entry present = over ? null : found;
            boolean writes = false;
            List<Applied> each = new ArrayList<>(together.size());
            for (Asker asker : together) {
                Update.Result result = updateOf(asker).change().apply(present, now);
                if (!asker.claims(result.reply().heldBytes())) {
                    each.add(new Applied(asker, Errors.OVERLOADED));
                } else {
                    each.add(new Applied(asker, result.reply()));
                    writes |= result.writes();
                    present = result.after();
                }
            }
            applied = each;
            after = present;
            if (writes && (present != null || found != null)) {
                write(present, unchanged);
            } else if (fresh) {
                tell();
                goOn(found, unchanged);
            } else {
                read();
            }
        }

        private void write(Update.@Nullable Entry entry, Precondition unchanged) {
            Request request = entry == null
                    ? Request.Update.delete(key, unchanged)
                    : Request.Update.put(key, entry.value(), entry.expiresAtMillis(), unchanged);
            new Step(this::wasWritten).submit(request);
        }

        private void wasWritten(Outcome outcome) {
            switch (outcome) {
                case Outcome.Stored(long version) -> {
                    tell();
                    goOn(after, versionIs(version));
                }
                case Outcome.Plain.DELETED -> {
                    tell();
                    goOn(null, Precondition.Plain.ABSENT);
                }
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

        /// Nothing was written, for all that is known.
        private void failed(Reply error) {
            List<Applied> told = new ArrayList<>(together.size());
            for (Asker asker : together) {
                asker.claims(error.heldBytes());
                told.add(new Applied(asker, error));
            }
            applied = told;
            tell();
            read();
        }

        private void tell() {
            rounds = 0;
            List<Applied> told = applied;
            applied = List.of();
            together = List.of();
            hold(null);
            for (Applied each : told) {
                each.asker().updated(each.reply());
            }
        }

        /// Who came meanwhile goes on with what is known of the key.
        private void goOn(Update.@Nullable Entry present, Precondition unchanged) {
            if (takeSome()) {
                apply(present, unchanged, false);
                return;
            }
            if (!end()) {
                return;
            }
            int bytes = key.length + (present == null ? 0 : present.value().length);
            if (bytes <= LONGEST_KNOWN_BYTES) {
                known.put(name, new Known(present, unchanged));
            }
        }

        /// Those of a round that was spoiled stay in it.
        ///
        /// @return false where nobody waits
        private boolean takeSome() {
            List<Asker> all = new ArrayList<>(together);
            while (all.size() < MAX_TOGETHER && !waiting.isEmpty() && !(waiting.peek() instanceof TransactionRun)) {
                Asker next = waiting.remove();
                if (!next.isGone()) {
                    all.add(next);
                }
            }
            together = all;
            return !all.isEmpty();
        }

        /// @return false where a transaction is the next: then the line is its own until [#passOn]
        private boolean end() {
            if (waiting.peek() instanceof TransactionRun run) {
                run.reached();
                return false;
            }
            lines.remove(name);
            return true;
        }

        /// The transaction that had the line is over.
        void passOn() {
            waiting.remove();
            read();
        }

        private void hold(@Nullable Step read) {
            if (held != null) {
                held.letGo();
            }
            held = read;
        }

        private static Precondition versionIs(long version) {
            return new Precondition.VersionIn(new long[] {version});
        }
    }

    /// One request of a line or a transaction. It belongs to no connection: who waits for it may come and go.
    final class Step extends Call {

        private final Consumer<Outcome> next;

        private Step(Consumer<Outcome> next) {
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
