package kvant.server.resp;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import kvant.engine.Condition;
import kvant.engine.Mutation;
import kvant.engine.WriteBatch;
import kvant.server.request.Outcome;
import kvant.server.request.Precondition;
import kvant.server.request.Request;
import org.jspecify.annotations.Nullable;

/// The keys of an [Action.Change] as of one moment, and what its commands have made of them so far. Time stands still.
/// Belongs to the thread that runs the change.
public final class View {

    /// The version of a key without a value.
    static final long ABSENT = -1;

    /// What is there.
    ///
    /// @param expiresAtMillis wall-clock time in milliseconds since the epoch, or 0 for a value that stays
    record Entry(byte[] value, long expiresAtMillis) {}

    /// The state of one key.
    private static final class Slot {
        private final byte[] key;
        private final Outcome.@Nullable Entry found;
        private @Nullable Entry now;
        private boolean counts; // the found entry has influenced a result
        private boolean written;

        Slot(byte[] key, Outcome.@Nullable Entry found, @Nullable Entry now) {
            this.key = key;
            this.found = found;
            this.now = now;
        }
    }

    /// A slot before it was written.
    private record Before(Slot slot, @Nullable Entry entry, boolean written) {}

    // Constant.
    private final Map<ByteBuffer, Slot> slots = new HashMap<>();
    private final long nowMillis;
    private final long maxBytes;

    private final List<Before> undo = new ArrayList<>();
    private @Nullable LuaMeter meter;
    private long bytes;

    /// @param keys that were read
    /// @param found their entries
    /// @param maxBytes of all values that are written and all replies together
    View(List<byte[]> keys, List<Outcome.@Nullable Entry> found, long nowMillis, long maxBytes) {
        this.nowMillis = nowMillis;
        this.maxBytes = maxBytes;
        for (int i = 0; i < keys.size(); i++) {
            Outcome.Entry entry = found.get(i);
            Entry now = entry == null || isOver(entry.expiresAtMillis())
                    ? null
                    : new Entry(entry.value(), entry.expiresAtMillis());
            slots.put(ByteBuffer.wrap(keys.get(i)), new Slot(keys.get(i), entry, now));
        }
    }

    long nowMillis() {
        return nowMillis;
    }

    /// Bounds all scripts that run on it together.
    LuaMeter meter(ScriptLimits limits) {
        LuaMeter known = meter == null ? new LuaMeter(limits) : meter;
        meter = known;
        return known;
    }

    /// The version that a key was read with, or [#ABSENT]. It stays so until what the change makes is written.
    long version(byte[] key) {
        Slot slot = slot(key);
        slot.counts = true;
        return slot.found == null || isOver(slot.found.expiresAtMillis()) ? ABSENT : slot.found.version();
    }

    Outcome.@Nullable Entry found(byte[] key) {
        return slot(key).found;
    }

    /// What a key has after it was written.
    Outcome.@Nullable Entry written(byte[] key, long version) {
        Entry now = slot(key).now;
        return now == null ? null : new Outcome.Entry(now.value(), version, now.expiresAtMillis());
    }

    /// The present entry of a key.
    @Nullable
    Entry get(byte[] key) {
        Slot slot = slot(key);
        slot.counts |= !slot.written;
        return slot.now;
    }

    /// @param entry null removes the key
    void put(byte[] key, @Nullable Entry entry) throws WrongCommandException {
        Slot slot = slots.computeIfAbsent(ByteBuffer.wrap(key), _ -> new Slot(key, null, null));
        undo.add(new Before(slot, slot.now, slot.written));
        slot.written = true;
        slot.now = entry == null || isOver(entry.expiresAtMillis()) ? null : entry;
        charge(slot.now == null ? 0 : slot.now.value().length);
    }

    /// Gives a key another value, whose life time stays.
    void replace(byte[] key, byte[] value) throws WrongCommandException {
        Entry before = get(key);
        put(key, new Entry(value, before == null ? 0 : before.expiresAtMillis()));
    }

    /// Whether a time has come.
    boolean isOver(long expiresAtMillis) {
        return expiresAtMillis != 0 && expiresAtMillis <= nowMillis;
    }

    private Slot slot(byte[] key) {
        Slot slot = slots.get(ByteBuffer.wrap(key));
        if (slot == null) {
            throw new IllegalStateException("a key that was not read");
        }
        return slot;
    }

    private void charge(long more) throws WrongCommandException {
        bytes += more;
        if (bytes > maxBytes) {
            throw new WrongCommandException(
                    Errors.tooLong("transaction with more than " + maxBytes + " bytes of values and replies"));
        }
    }

    /// Takes back all but the first so many writes.
    void undo(int mark) {
        while (undo.size() > mark) {
            Before before = undo.removeLast();
            before.slot.now = before.entry;
            before.slot.written = before.written;
        }
    }

    /// Another change begins, on what those before it have left.
    void next() {
        undo.clear();
        bytes = 0;
    }

    /// Carries out one command.
    Reply carryOut(Action action) throws WrongCommandException {
        Reply reply = switch (action) {
            case Reply told -> told;
            case Action.Change change -> change.body().run(this);
            case AllKeys _ -> throw new IllegalStateException("not in a transaction");
            case Command command -> {
                for (int i = 0; i < command.requests(); i++) {
                    command.answered(i, outcome(command.request(i)));
                }
                yield command.reply();
            }
        };
        charge(reply.heldBytes());
        return reply;
    }

    /// The same; the error of a command that fails is its reply, and nothing of it is written.
    ///
    /// @throws WrongCommandException if there is no room for more
    Reply attempt(Action action) throws WrongCommandException {
        int mark = undo.size();
        try {
            return carryOut(action);
        } catch (WrongCommandException e) {
            undo(mark);
            if (bytes > maxBytes) {
                throw e;
            }
            return e.reply();
        }
    }

    /// The outcome that the node would answer.
    private Outcome outcome(Request request) throws WrongCommandException {
        if (request instanceof Request.Update(WriteBatch batch, Precondition precondition)) {
            return write(batch, precondition);
        }
        Entry entry = get(keyRead(request));
        if (entry == null) {
            return Outcome.Plain.ABSENT;
        } else if (request instanceof Request.Record) {
            return new Outcome.Entry(entry.value(), 0, entry.expiresAtMillis());
        }
        return request instanceof Request.Get get && get.describes()
                ? new Outcome.Described(0, entry.value().length)
                : new Outcome.Found(entry.value(), 0);
    }

    private Outcome write(WriteBatch batch, Precondition precondition) throws WrongCommandException {
        byte[] first = batch.mutations().getFirst().key();
        if (precondition != Precondition.Plain.NONE
                && (get(first) == null) != (precondition == Precondition.Plain.ABSENT)) {
            return Outcome.Plain.PRECONDITION_FAILED;
        }
        for (Mutation mutation : batch.mutations()) {
            put(
                    mutation.key(),
                    mutation instanceof Mutation.Put(byte[] _, byte[] value, long expiresAtMillis)
                            ? new Entry(value, expiresAtMillis)
                            : null);
        }
        return new Outcome.Stored(0);
    }

    /// The key of a request that reads one.
    private static byte[] keyRead(Request request) {
        return switch (request) {
            case Request.Get get -> get.key();
            case Request.Record(byte[] key) -> key;
            default -> throw new IllegalStateException("not in a transaction: " + request.kind());
        };
    }

    /// The keys that a command may read when it is carried out.
    static List<byte[]> reads(Action action) {
        return switch (action) {
            case Reply _, AllKeys _ -> List.of();
            case Action.Update update -> List.of(update.key());
            case Action.Transaction transaction -> transaction.keys().get();
            case Command command -> {
                List<byte[]> keys = new ArrayList<>();
                for (int i = 0; i < command.requests(); i++) {
                    Request request = command.request(i);
                    if (!(request instanceof Request.Update update)) {
                        keys.add(keyRead(request));
                    } else if (update.precondition() != Precondition.Plain.NONE) {
                        keys.add(update.key());
                    }
                }
                yield keys;
            }
        };
    }

    /// What is to be written, or null if nothing has changed.
    Request.@Nullable Update write() {
        List<Mutation> mutations = new ArrayList<>();
        List<WriteBatch.Guard> guards = new ArrayList<>();
        for (Slot slot : slots.values()) {
            Entry now = slot.now;
            if (slot.written && now != null) {
                mutations.add(new Mutation.Put(slot.key, now.value(), now.expiresAtMillis()));
            } else if (slot.written && !(slot.counts && slot.found == null)) {
                mutations.add(new Mutation.Delete(slot.key));
            }
            if (slot.counts) {
                Outcome.Entry found = slot.found;
                guards.add(new WriteBatch.Guard(
                        slot.key, found == null ? new Condition.Absent() : new Condition.VersionIs(found.version())));
            }
        }
        if (mutations.isEmpty()) {
            return null;
        }
        WriteBatch batch = WriteBatch.of(mutations);
        boolean ofOneKey = guards.size() == 1
                && guards.getFirst().key() == mutations.getFirst().key();
        return new Request.Update(
                ofOneKey ? batch.when(guards.getFirst().condition()) : batch.guardedBy(guards),
                Precondition.Plain.NONE);
    }
}
