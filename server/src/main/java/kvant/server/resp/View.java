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

    /// No version, of a key without a value.
    static final long ABSENT = -1;

    /// The state of one key.
    private static final class Slot {
        private final byte[] key;
        private final Outcome.@Nullable Entry found;
        private Outcome.@Nullable Entry now; // its version means nothing
        private boolean counts; // the found entry has influenced a result
        private boolean written;

        Slot(byte[] key, Outcome.@Nullable Entry found, Outcome.@Nullable Entry now) {
            this.key = key;
            this.found = found;
            this.now = now;
        }
    }

    /// A slot before it was written.
    private record Before(Slot slot, Outcome.@Nullable Entry entry, boolean written) {}

    // Constant.
    private final Map<ByteBuffer, Slot> slots = new HashMap<>();
    private final long nowMillis;
    private final long maxBytes; // of all values that are written and all replies together

    private final List<Before> undo = new ArrayList<>();
    private @Nullable LuaMeter meter;
    private long bytes;

    /// @param keys that were read
    /// @param found their entries
    View(Commands commands, List<ByteBuffer> keys, List<Outcome.@Nullable Entry> found) {
        this.nowMillis = commands.clock().millis();
        this.maxBytes =
                (long) commands.limits().maxBodyBytes() + commands.limits().maxKeyBytes();
        for (int i = 0; i < keys.size(); i++) {
            slots.put(keys.get(i), new Slot(keys.get(i).array(), found.get(i), living(found.get(i))));
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
        Slot slot = slot(ByteBuffer.wrap(key));
        slot.counts = true;
        Outcome.Entry living = living(slot.found);
        return living == null ? ABSENT : living.version();
    }

    Outcome.@Nullable Entry found(ByteBuffer key) {
        return slot(key).found;
    }

    /// What a key has after it was written.
    Outcome.@Nullable Entry written(ByteBuffer key, long version) {
        Outcome.Entry now = slot(key).now;
        return now == null ? null : new Outcome.Entry(now.value(), version, now.expiresAtMillis());
    }

    /// The present entry of a key.
    Outcome.@Nullable Entry get(byte[] key) {
        Slot slot = slot(ByteBuffer.wrap(key));
        slot.counts |= !slot.written;
        return slot.now;
    }

    /// @param expiresAtMillis wall-clock time in milliseconds since the epoch, or 0 for a value that stays
    void put(byte[] key, byte[] value, long expiresAtMillis) throws WrongCommandException {
        Outcome.Entry living = living(new Outcome.Entry(value, ABSENT, expiresAtMillis));
        write(key, living);
        charge(living == null ? 0 : value.length);
    }

    void remove(byte[] key) {
        write(key, null);
    }

    private void write(byte[] key, Outcome.@Nullable Entry entry) {
        Slot slot = slots.computeIfAbsent(ByteBuffer.wrap(key), _ -> new Slot(key, null, null));
        undo.add(new Before(slot, slot.now, slot.written));
        slot.written = true;
        slot.now = entry;
    }

    /// Gives a key another value, whose life time stays.
    void replace(byte[] key, byte[] value) throws WrongCommandException {
        Outcome.Entry before = get(key);
        put(key, value, before == null ? 0 : before.expiresAtMillis());
    }

    /// @return null for an entry whose time has come
    private Outcome.@Nullable Entry living(Outcome.@Nullable Entry entry) {
        long expires = entry == null ? 0 : entry.expiresAtMillis();
        return expires != 0 && expires <= nowMillis ? null : entry;
    }

    private Slot slot(ByteBuffer key) {
        Slot slot = slots.get(key);
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

    /// Carries out one command. The error of one that fails is its reply, and nothing of it is written.
    ///
    /// @throws WrongCommandException if there is no room for more
    Reply attempt(Action action) throws WrongCommandException {
        int mark = undo.size();
        try {
            Reply reply = carryOut(action);
            charge(reply.heldBytes());
            return reply;
        } catch (WrongCommandException e) {
            undo(mark);
            if (bytes > maxBytes) {
                throw e;
            }
            return e.reply();
        }
    }

    private Reply carryOut(Action action) throws WrongCommandException {
        return switch (action) {
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
    }

    /// The outcome that the node would answer.
    private Outcome outcome(Request request) throws WrongCommandException {
        byte[] read = keyRead(request);
        Outcome.Entry entry = read == null ? null : get(read);
        if (request instanceof Request.Update(WriteBatch batch, Precondition precondition)) {
            if (precondition != Precondition.Plain.NONE
                    && (entry == null) != (precondition == Precondition.Plain.ABSENT)) {
                return Outcome.Plain.PRECONDITION_FAILED;
            }
            for (Mutation mutation : batch.mutations()) {
                if (mutation instanceof Mutation.Put(byte[] key, byte[] value, long expiresAtMillis)) {
                    put(key, value, expiresAtMillis);
                } else {
                    remove(mutation.key());
                }
            }
            return new Outcome.Stored(0);
        } else if (entry == null) {
            return Outcome.Plain.ABSENT;
        } else if (request instanceof Request.Get get) {
            return get.describes()
                    ? new Outcome.Described(0, entry.value().length)
                    : new Outcome.Found(entry.value(), 0);
        }
        return entry;
    }

    /// The key that a request reads, or null if it reads none.
    private static byte @Nullable [] keyRead(Request request) {
        return switch (request) {
            case Request.Get get -> get.key();
            case Request.Record(byte[] key) -> key;
            case Request.Update update -> update.precondition() == Precondition.Plain.NONE ? null : update.key();
            default -> throw new IllegalStateException("not in a transaction: " + request.kind());
        };
    }

    /// Adds the keys that a command may read when it is carried out.
    static void reads(Action action, List<byte[]> keys) {
        switch (action) {
            case Reply _, AllKeys _ -> {}
            case Action.Update update -> keys.add(update.key());
            case Action.Transaction transaction ->
                keys.addAll(transaction.keys().get());
            case Command command -> {
                for (int i = 0; i < command.requests(); i++) {
                    byte[] key = keyRead(command.request(i));
                    if (key != null) {
                        keys.add(key);
                    }
                }
            }
        }
    }

    /// What is to be written, or null if nothing has changed.
    Request.@Nullable Update write() {
        List<Mutation> mutations = new ArrayList<>();
        List<WriteBatch.Guard> guards = new ArrayList<>();
        for (Slot slot : slots.values()) {
            Outcome.Entry found = slot.found;
            Outcome.Entry now = slot.now;
            if (slot.written && now != null) {
                mutations.add(new Mutation.Put(slot.key, now.value(), now.expiresAtMillis()));
            } else if (slot.written && !(slot.counts && found == null)) {
                mutations.add(new Mutation.Delete(slot.key));
            }
            if (slot.counts) {
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
