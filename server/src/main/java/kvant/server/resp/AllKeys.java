package kvant.server.resp;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import kvant.engine.Mutation;
import kvant.engine.Range;
import kvant.engine.WriteBatch;
import kvant.server.request.Outcome;
import kvant.server.request.Precondition;
import kvant.server.request.RecordBatch;
import kvant.server.request.Request;
import kvant.server.resp.parse.Glob;
import kvant.server.resp.parse.Words;
import org.jspecify.annotations.Nullable;

/// A walk through the keys of the store, some hundred at a time, each time from a snapshot of its own. Owned by one
/// event loop.
public final class AllKeys implements Action {

    /// Keys of one step.
    private static final int KEYS = 500;

    /// Most keys that `KEYS` examines; [#MOST_BYTES] bounds its reply.
    private static final long MOST_LOOKED_AT = 1_000_000;

    private static final long MOST_BYTES = 8 << 20;
    private static final int KEY_OVERHEAD_BYTES = 32;

    /// Most keys that `DBSIZE` counts.
    private static final int COUNTED = 10_000;

    private static final long MOST_COUNT = 1000;
    private static final String NO_CURSOR = "ERR invalid cursor";
    private static final byte[] START = {};
    private static final Glob ANY = new Glob(new byte[] {'*'});
    private static final Reply TOO_MANY = Errors.error("ERR KEYS looks at " + MOST_LOOKED_AT + " keys and answers "
            + (MOST_BYTES >> 20) + " MiB at most; use SCAN");

    /// What a walk does with some keys.
    @FunctionalInterface
    private interface Step {

        /// @return the next request, null if there is a reply
        @Nullable
        Request shown(AllKeys walk, List<byte[]> keys);
    }

    private final Commands commands;
    private final byte @Nullable [] to;
    private final long most; // keys of a step
    private final Step step;
    private byte[] from;
    private boolean ended;
    private long looked;
    private @Nullable Reply reply;

    /// What is held for the reply that is being made.
    private long bytes;

    private AllKeys(Commands commands, byte[] prefix, byte[] from, long most, Step step) {
        this.commands = commands;
        this.to = Range.prefix(prefix).to();
        this.from = Arrays.compareUnsigned(from, prefix) < 0 ? prefix : from;
        this.most = most;
        this.step = step;
    }

    Request scan() {
        return Request.Scan.between(from, to, most);
    }

    /// @param outcome a batch of records belongs to the service again after this call
    /// @return null if there is a reply
    @Nullable
    Request next(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Failed failed -> tell(Errors.of(failed, commands.paths()));
            case Outcome.Count(long records) -> tell(new Reply.Number(Math.max(COUNTED, records)));
            case Outcome.Records(RecordBatch batch) -> read(batch);
            default -> ended ? tell(Reply.Plain.OK) : scan(); // keys were removed
        };
    }

    private @Nullable Request read(RecordBatch batch) {
        Outcome.Failed failure = batch.failure();
        if (failure != null) {
            return next(failure);
        }
        List<byte[]> keys = new ArrayList<>(batch.count());
        for (int i = 0; i < batch.count(); i++) {
            keys.add(batch.key(i));
        }
        if (!keys.isEmpty()) {
            from = Arrays.copyOf(keys.getLast(), keys.getLast().length + 1); // the least key behind it
            looked += keys.size();
        }
        ended = batch.last() && batch.count() < most;
        return step.shown(this, keys);
    }

    private @Nullable Request tell(Reply told) {
        reply = told;
        return null;
    }

    Reply reply() {
        return Objects.requireNonNull(reply);
    }

    long heldBytes() {
        return bytes;
    }

    // --- The commands ---

    /// One round over the keys from a cursor on, in their order. A key that exists during the whole iteration is shown
    /// once. `COUNT` bounds the keys read; a round also ends when its records reach the memory bound of a round.
    static Action scan(Commands commands, List<byte[]> words) throws WrongCommandException {
        long cursor = Errors.integer(words.get(1), NO_CURSOR);
        if (cursor < 0) {
            throw new WrongCommandException(NO_CURSOR);
        }
        long count = 10;
        Glob match = ANY;
        boolean strings = true;
        for (int i = 2; i < words.size(); i += 2) {
            byte[] value = i + 1 < words.size() ? words.get(i + 1) : START;
            switch (i + 1 < words.size() ? Words.option(words.get(i)) : "") {
                case "count" -> count = Errors.integer(value);
                case "match" -> match = glob(value);
                case "type" -> strings = Words.is(value, "string");
                default -> throw new WrongCommandException(Errors.SYNTAX);
            }
        }
        if (count < 1) {
            throw new WrongCommandException(Errors.SYNTAX);
        }
        Glob glob = match;
        boolean all = strings;
        byte[] from = cursor == 0 ? START : commands.cursors().position(cursor);
        if (glob.prefix().length > commands.maxKeyBytes()) {
            return new ReplyText(false).add("*2 $0 *0").reply();
        } else if (from == null) {
            return Errors.UNKNOWN_CURSOR;
        }
        return new AllKeys(commands, glob.prefix(), from, Math.min(count, MOST_COUNT), (walk, keys) -> {
            keys.removeIf(key -> !all || !glob.matches(key));
            long next = commands.cursors().next(cursor, walk.ended ? null : walk.from);
            ReplyText text = new ReplyText(false).add("*2 $" + next + " *" + keys.size());
            keys.forEach(text::bulk);
            return walk.tell(text.reply());
        });
    }

    static Glob glob(byte[] pattern) throws WrongCommandException {
        Glob glob = new Glob(pattern);
        if (glob.isTooLong()) {
            throw new WrongCommandException(
                    "ERR pattern of more than " + Glob.MAX_BYTES + " bytes after the fixed prefix of the pattern");
        }
        return glob;
    }

    static Action keys(Commands commands, byte[] pattern) throws WrongCommandException {
        Glob glob = glob(pattern);
        List<Reply> found = new ArrayList<>();
        if (glob.prefix().length > commands.maxKeyBytes()) {
            return Reply.Sequence.array(found);
        }
        return new AllKeys(commands, glob.prefix(), START, KEYS, (walk, keys) -> {
            for (byte[] key : keys) {
                if (glob.matches(key)) {
                    found.add(new Reply.Bulk(key));
                    walk.bytes += key.length + KEY_OVERHEAD_BYTES;
                }
            }
            if (walk.bytes > MOST_BYTES || walk.looked > MOST_LOOKED_AT) {
                return walk.tell(TOO_MANY);
            }
            return walk.ended ? walk.tell(Reply.Sequence.array(found)) : walk.scan();
        });
    }

    /// Counts the keys, or has the engine estimate their number if there are many.
    static AllKeys count(Commands commands) {
        return new AllKeys(commands, START, START, KEYS, (walk, _) -> {
            if (walk.ended) {
                return walk.tell(new Reply.Number(walk.looked));
            }
            return walk.looked <= COUNTED ? walk.scan() : Request.Probe.RECORDS;
        });
    }

    /// `ASYNC` and `SYNC` are one here: the reply comes when all is done.
    static AllKeys remove(Commands commands, List<byte[]> words) throws WrongCommandException {
        if (words.size() > 2
                || words.size() == 2 && !Words.is(words.get(1), "async") && !Words.is(words.get(1), "sync")) {
            throw new WrongCommandException(Errors.SYNTAX);
        }
        return new AllKeys(commands, START, START, KEYS, (walk, keys) -> {
            if (keys.isEmpty()) {
                return walk.ended ? walk.tell(Reply.Plain.OK) : walk.scan();
            }
            List<Mutation> deletions = new ArrayList<>(keys.size());
            keys.forEach(key -> deletions.add(new Mutation.Delete(key)));
            return new Request.Update(WriteBatch.of(deletions), Precondition.Plain.NONE);
        });
    }

    /// A random key. Of few keys, each with the same probability; of many, one near a random position.
    static AllKeys random(Commands commands) {
        List<byte[]> first = new ArrayList<>();
        return new AllKeys(commands, START, START, KEYS, (walk, keys) -> {
            if (keys.isEmpty() && first.isEmpty()) {
                return walk.ended ? walk.tell(Reply.Plain.NIL) : walk.scan();
            } else if (walk.ended || !first.isEmpty()) {
                return walk.tell(new Reply.Bulk(oneOf(keys.isEmpty() ? first : keys)));
            }
            first.addAll(keys);
            byte[] place = oneOf(keys).clone();
            int at = ThreadLocalRandom.current().nextInt(place.length);
            place[at] = (byte) ThreadLocalRandom.current().nextInt(' ', 0x7f);
            walk.from = Arrays.copyOf(place, at + 1);
            return walk.scan();
        });
    }

    private static byte[] oneOf(List<byte[]> keys) {
        return keys.get(ThreadLocalRandom.current().nextInt(keys.size()));
    }

    /// The key that each cursor stands for: clients carry numbers. Of an iteration the last two steps are kept, so that
    /// a client whose reply was lost may ask once more. Any thread may call.
    ///
    ///     number = iteration * 2^16 + step
    static final class Cursors {

        private static final int MOST_ITERATIONS = 1024;
        private static final int STEP_BITS = 16;
        private static final long STEP_MASK = (1 << STEP_BITS) - 1;

        /// What a step takes besides its key.
        private static final int OVERHEAD_BYTES = 100;

        private final Recent<Long, byte[]> positions = new Recent<>(2 * MOST_ITERATIONS, MOST_BYTES);
        private final AtomicLong last = new AtomicLong();

        /// The key at which a cursor continues.
        ///
        /// @return null if it is not known, or not any more
        byte @Nullable [] position(long cursor) {
            return positions.get(cursor);
        }

        /// The cursor by which an iteration continues from a key.
        ///
        /// @param cursor the one that it has continued from now, or 0 for a new one
        /// @param position null at its end
        /// @return 0 at its end
        long next(long cursor, byte @Nullable [] position) {
            positions.remove(step(cursor, -1));
            if (position == null) {
                positions.remove(cursor);
                return 0;
            }
            long number = cursor == 0 ? last.incrementAndGet() << STEP_BITS : step(cursor, 1);
            positions.put(number, position, OVERHEAD_BYTES + position.length);
            return number;
        }

        private static long step(long cursor, int by) {
            return cursor & ~STEP_MASK | cursor + by & STEP_MASK;
        }
    }
}
