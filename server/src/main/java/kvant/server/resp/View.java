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

/// The keys of a [Transaction] as of one moment, and what its commands have made of them so far. Time stands still.
/// Belongs to the thread that runs the transaction.
public final class View {

    /// Of a key that has no value.
    static final long ABSENT = -1;

    /// One key.
    private static final class Slot {
        private final byte[] key;
        private final Outcome.@Nullable Entry found;
        private Update.@Nullable Entry now;
        private boolean counts; // something follows from what was found
        private boolean written;

        Slot(byte[] key, Outcome.@Nullable Entry found, Update.@Nullable Entry now) {
            this.key = key;
            this.found = found;
            this.now = now;
        }
    }

    // Constant.
    private final Map<ByteBuffer, Slot> slots = new HashMap<>();
    private final long nowMillis;
    private final long maxBytes;

    private long bytes;

    /// @param keys that were read
    /// @param found what each of them has
    /// @param maxBytes of all values that are written and all replies together
    View(List<byte[]> keys, List<Outcome.@Nullable Entry> found, long nowMillis, long maxBytes) {
        this.nowMillis = nowMillis;
        this.maxBytes = maxBytes;
        for (int i = 0; i < keys.size(); i++) {
            Outcome.Entry entry = found.get(i);
            boolean there = entry != null && !isOver(entry.expiresAtMillis());
            Update.Entry now = there ? new Update.Entry(entry.value(), entry.expiresAtMillis()) : null;
            slots.put(ByteBuffer.wrap(keys.get(i)), new Slot(keys.get(i), entry, now));
        }
    }

    long nowMillis() {
        return nowMillis;
    }

    /// Whether a key was read.
    boolean has(byte[] key) {
        return slots.containsKey(ByteBuffer.wrap(key));
    }

    /// The version that a key was read with, or [#ABSENT]. It stays so until what the transaction changes is written.
    long version(byte[] key) {
        Slot slot = slot(key);
        slot.counts = true;
        return slot.found == null || isOver(slot.found.expiresAtMillis()) ? ABSENT : slot.found.version();
    }

    /// What a key has now.
    Update.@Nullable Entry get(byte[] key) {
        Slot slot = slot(key);
        slot.counts |= !slot.written;
        return slot.now;
    }

    /// @param entry null removes the key
    void put(byte[] key, Update.@Nullable Entry entry) throws WrongCommandException {
        Slot slot = slots.computeIfAbsent(ByteBuffer.wrap(key), _ -> new Slot(key, null, null));
        boolean stays = entry != null && !isOver(entry.expiresAtMillis());
        charge(stays ? entry.value().length : 0);
        slot.written = true;
        slot.now = stays ? entry : null;
    }

    private boolean isOver(long expiresAtMillis) {
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

    /// Carries out one command.
    Reply carryOut(Action action) throws WrongCommandException {
        Reply reply = switch (action) {
            case Reply told -> told;
            case Update update -> changed(update);
            case Transaction transaction -> transaction.body().run(this);
            case Series _ -> throw new IllegalStateException("not in a transaction");
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

    private Reply changed(Update update) throws WrongCommandException {
        Update.Result result = update.change().apply(get(update.key()), nowMillis);
        if (result.writes()) {
            put(update.key(), result.after());
        }
        return result.reply();
    }

    /// What the node would answer.
    private Outcome outcome(Request request) throws WrongCommandException {
        return switch (request) {
            case Request.Get(byte[] key, Precondition _, int _, boolean describes) -> {
                Update.Entry entry = get(key);
                yield entry == null
                        ? Outcome.Plain.ABSENT
                        : describes
                                ? new Outcome.Described(0, entry.value().length)
                                : new Outcome.Found(entry.value(), 0);
            }
            case Request.Record(byte[] key) -> {
                Update.Entry entry = get(key);
                yield entry == null
                        ? Outcome.Plain.ABSENT
                        : new Outcome.Entry(entry.value(), 0, entry.expiresAtMillis());
            }
            case Request.Update(WriteBatch batch, Precondition precondition) -> write(batch, precondition);
            default -> throw new IllegalStateException("not in a transaction: " + request.kind());
        };
    }

    private Outcome write(WriteBatch batch, Precondition precondition) throws WrongCommandException {
        byte[] first = batch.mutations().getFirst().key();
        if (precondition != Precondition.Plain.NONE
                && (get(first) == null) != (precondition == Precondition.Plain.ABSENT)) {
            return Outcome.Plain.PRECONDITION_FAILED;
        }
        for (Mutation mutation : batch.mutations()) {
            switch (mutation) {
                case Mutation.Put(byte[] key, byte[] value, long expiresAtMillis) ->
                    put(key, new Update.Entry(value, expiresAtMillis));
                case Mutation.Delete(byte[] key) -> put(key, null);
            }
        }
        return new Outcome.Stored(0);
    }

    /// The keys that a command may read when it is carried out.
    static List<byte[]> reads(Action action) {
        return switch (action) {
            case Reply _, Series _ -> List.of();
            case Update update -> List.of(update.key());
            case Transaction transaction -> transaction.keys().get();
            case Command command -> {
                List<byte[]> keys = new ArrayList<>();
                for (int i = 0; i < command.requests(); i++) {
                    switch (command.request(i)) {
                        case Request.Get get -> keys.add(get.key());
                        case Request.Record(byte[] key) -> keys.add(key);
                        case Request.Update update
                        when update.precondition() != Precondition.Plain.NONE -> keys.add(update.key());
                        default -> {}
                    }
                }
                yield keys;
            }
        };
    }

    /// What is to be written, or null where nothing has changed.
    @Nullable
    Request write() {
        List<Mutation> mutations = new ArrayList<>();
        List<WriteBatch.Guard> guards = new ArrayList<>();
        for (Slot slot : slots.values()) {
            Update.Entry now = slot.now;
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
                && guards.getFirst().key() == batch.mutations().getFirst().key();
        return new Request.Update(
                ofOneKey ? batch.when(guards.getFirst().condition()) : batch.guardedBy(guards),
                Precondition.Plain.NONE);
    }
}
