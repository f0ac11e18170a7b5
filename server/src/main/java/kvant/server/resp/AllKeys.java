package kvant.server.resp;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import kvant.engine.Mutation;
import kvant.engine.Range;
import kvant.engine.WriteBatch;
import kvant.server.request.Outcome;
import kvant.server.request.Precondition;
import kvant.server.request.RecordBatch;
import kvant.server.request.Request;
import kvant.server.resp.parse.Glob;
import org.jspecify.annotations.Nullable;

/// The commands that go through the keys of the store, some hundred at a time, each time from a snapshot of its own.
abstract class AllKeys extends Series {

    /// Keys of one step.
    private static final int STEP = 500;

    /// What `KEYS` looks at, at most, and what its reply may take.
    private static final long MOST_LOOKED_AT = 1_000_000;

    private static final long MOST_BYTES = 8 << 20;
    private static final int KEY_OVERHEAD_BYTES = 32;

    /// Up to so many keys `DBSIZE` counts.
    static final int COUNTED = 10_000;

    private static final byte[] START = {};
    private static final Reply TOO_MANY = Errors.error("ERR KEYS looks at " + MOST_LOOKED_AT + " keys and answers "
            + (MOST_BYTES >> 20) + " MiB at most; use SCAN");

    private final Commands commands;
    private final byte @Nullable [] to;
    private byte[] from;
    private long looked;
    private @Nullable Reply reply;

    private AllKeys(Commands commands, byte[] from, byte @Nullable [] to) {
        this.commands = commands;
        this.from = from;
        this.to = to;
    }

    @Override
    Request first() {
        return scan();
    }

    final Request scan() {
        return Request.Scan.between(from, to, STEP);
    }

    @Override
    @Nullable
    Request next(Outcome outcome) {
        if (!(outcome instanceof Outcome.Records(RecordBatch batch))) {
            return scan();
        }
        if (batch.failure() != null) {
            reply = Errors.of(batch.failure(), commands.paths());
            return null;
        }
        List<byte[]> keys = new ArrayList<>(batch.count());
        for (int i = 0; i < batch.count(); i++) {
            keys.add(batch.key(i));
        }
        boolean ended = batch.last() && batch.count() < STEP;
        if (!keys.isEmpty()) {
            from = Cursors.behind(keys.getLast());
            looked += keys.size();
        }
        return shown(keys, ended);
    }

    /// Some keys were read.
    ///
    /// @return what is asked next, null where there is a reply
    abstract @Nullable Request shown(List<byte[]> keys, boolean ended);

    final @Nullable Request tell(Reply told) {
        reply = told;
        return null;
    }

    @Override
    Reply reply() {
        if (reply == null) {
            throw new IllegalStateException("no reply yet");
        }
        return reply;
    }

    @Override
    long heldBytes() {
        return 0;
    }

    static Action keys(Commands commands, byte[] pattern) throws WrongCommandException {
        Glob glob = Scanning.glob(pattern);
        if (glob.prefix().length > commands.maxKeyBytes()) {
            return Reply.Sequence.array(List.of());
        }
        return new AllKeys(commands, glob.prefix(), Range.prefix(glob.prefix()).to()) {
            private final List<Reply> found = new ArrayList<>();
            private long bytes;

            @Override
            @Nullable
            Request shown(List<byte[]> keys, boolean ended) {
                for (byte[] key : keys) {
                    if (glob.matches(key)) {
                        found.add(new Reply.Bulk(key));
                        bytes += key.length + KEY_OVERHEAD_BYTES;
                    }
                }
                if (bytes > MOST_BYTES || super.looked > MOST_LOOKED_AT) {
                    return tell(TOO_MANY);
                }
                return ended ? tell(Reply.Sequence.array(found)) : scan();
            }

            @Override
            long heldBytes() {
                return bytes;
            }
        };
    }

    /// Counts, or has the engine estimate where there are many.
    static Series count(Commands commands) {
        return new AllKeys(commands, START, null) {
            @Override
            @Nullable
            Request next(Outcome outcome) {
                return outcome instanceof Outcome.Count(long records)
                        ? tell(new Reply.Number(Math.max(COUNTED, records)))
                        : super.next(outcome);
            }

            @Override
            @Nullable
            Request shown(List<byte[]> keys, boolean ended) {
                if (ended) {
                    return tell(new Reply.Number(super.looked));
                }
                return super.looked <= COUNTED ? scan() : Request.Probe.RECORDS;
            }
        };
    }

    static Series remove(Commands commands) {
        return new AllKeys(commands, START, null) {
            private boolean last;

            @Override
            @Nullable
            Request next(Outcome outcome) {
                return last ? tell(Reply.Plain.OK) : super.next(outcome);
            }

            @Override
            @Nullable
            Request shown(List<byte[]> keys, boolean ended) {
                last = ended;
                if (keys.isEmpty()) {
                    return ended ? tell(Reply.Plain.OK) : scan();
                }
                List<Mutation> deletions = new ArrayList<>(keys.size());
                keys.forEach(key -> deletions.add(new Mutation.Delete(key)));
                return new Request.Update(WriteBatch.of(deletions), Precondition.Plain.NONE);
            }
        };
    }

    /// One of few keys, each as likely as the others; of many, one near a place that is made up.
    static Series random(Commands commands) {
        return new AllKeys(commands, START, null) {
            private List<byte[]> firstKeys = List.of();

            @Override
            @Nullable
            Request shown(List<byte[]> keys, boolean ended) {
                boolean again = !firstKeys.isEmpty();
                if (keys.isEmpty() && !again) {
                    return ended ? tell(Reply.Plain.NIL) : scan();
                } else if (ended || again) {
                    return tell(new Reply.Bulk(oneOf(keys.isEmpty() ? firstKeys : keys)));
                }
                firstKeys = keys;
                byte[] place = oneOf(keys).clone();
                int at = ThreadLocalRandom.current().nextInt(place.length);
                place[at] = (byte) ThreadLocalRandom.current().nextInt(' ', 0x7f);
                super.from = Arrays.copyOf(place, at + 1);
                return scan();
            }
        };
    }

    private static byte[] oneOf(List<byte[]> keys) {
        return keys.get(ThreadLocalRandom.current().nextInt(keys.size()));
    }
}
