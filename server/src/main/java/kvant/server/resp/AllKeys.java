package kvant.server.resp;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import kvant.engine.Mutation;
import kvant.engine.Range;
import kvant.engine.WriteBatch;
import kvant.server.request.Outcome;
import kvant.server.request.Precondition;
import kvant.server.request.RecordBatch;
import kvant.server.request.Request;
import kvant.server.resp.CommandSpec.Right;
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

    private static final byte[] START = {};
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
    private final Step step;
    private byte[] from;
    private boolean ended;
    private long looked;
    private @Nullable Reply reply;

    /// What is held for the reply that is being made.
    private long bytes;

    private AllKeys(Commands commands, byte[] prefix, Step step) {
        this.commands = commands;
        this.step = step;
        this.from = prefix;
        this.to = Range.prefix(prefix).to();
    }

    static List<CommandSpec> specs() {
        return List.of(
                CommandSpec.plain("scan", -2, Right.READ, (c, _, words) -> Scanning.of(c, words)),
                CommandSpec.plain("keys", 2, Right.READ, (c, _, words) -> keys(c, words.get(1))),
                CommandSpec.plain("dbsize", 1, Right.READ, (c, _, _) -> new AllKeys(c, START, AllKeys::count)),
                CommandSpec.plain("randomkey", 1, Right.READ, (c, _, _) -> random(c)),
                CommandSpec.plain("flushdb", -1, Right.ADMIN, (c, _, words) -> remove(c, words)),
                CommandSpec.plain("flushall", -1, Right.ADMIN, (c, _, words) -> remove(c, words)));
    }

    Request scan() {
        return Request.Scan.between(from, to, KEYS);
    }

    /// @param outcome no failure; a batch of records belongs to the service again after this call
    /// @return null if there is a reply
    @Nullable
    Request next(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Count(long records) -> tell(new Reply.Number(Math.max(COUNTED, records)));
            case Outcome.Records(RecordBatch batch) -> read(batch);
            default -> ended ? tell(Reply.Plain.OK) : scan(); // keys were removed
        };
    }

    private @Nullable Request read(RecordBatch batch) {
        if (batch.failure() != null) {
            return tell(Errors.of(Objects.requireNonNull(batch.failure()), commands.paths()));
        }
        List<byte[]> keys = keysOf(batch);
        if (!keys.isEmpty()) {
            from = Scanning.behind(keys.getLast());
            looked += keys.size();
        }
        ended = batch.last() && batch.count() < KEYS;
        return step.shown(this, keys);
    }

    static List<byte[]> keysOf(RecordBatch batch) {
        List<byte[]> keys = new ArrayList<>(batch.count());
        for (int i = 0; i < batch.count(); i++) {
            keys.add(batch.key(i));
        }
        return keys;
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

    private static Action keys(Commands commands, byte[] pattern) throws WrongCommandException {
        Glob glob = Scanning.glob(pattern);
        List<Reply> found = new ArrayList<>();
        if (glob.prefix().length > commands.maxKeyBytes()) {
            return Reply.Sequence.array(found);
        }
        return new AllKeys(commands, glob.prefix(), (walk, keys) -> {
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

    /// Counts, or has the engine estimate if there are many.
    private static @Nullable Request count(AllKeys walk, List<byte[]> keys) {
        if (walk.ended) {
            return walk.tell(new Reply.Number(walk.looked));
        }
        return walk.looked <= COUNTED ? walk.scan() : Request.Probe.RECORDS;
    }

    /// `ASYNC` and `SYNC` are one here: the reply comes when all is done.
    private static AllKeys remove(Commands commands, List<byte[]> words) throws WrongCommandException {
        if (words.size() > 2
                || words.size() == 2 && !Words.is(words.get(1), "async") && !Words.is(words.get(1), "sync")) {
            throw new WrongCommandException(Errors.SYNTAX);
        }
        return new AllKeys(commands, START, (walk, keys) -> {
            if (keys.isEmpty()) {
                return walk.ended ? walk.tell(Reply.Plain.OK) : walk.scan();
            }
            List<Mutation> deletions = new ArrayList<>(keys.size());
            keys.forEach(key -> deletions.add(new Mutation.Delete(key)));
            return new Request.Update(WriteBatch.of(deletions), Precondition.Plain.NONE);
        });
    }

    /// A random key. Of few keys, each with the same probability; of many, one near a random position.
    private static AllKeys random(Commands commands) {
        List<byte[]> first = new ArrayList<>();
        return new AllKeys(commands, START, (walk, keys) -> {
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
}
