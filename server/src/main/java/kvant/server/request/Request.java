package kvant.server.request;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import kvant.engine.Mutation;
import kvant.engine.Range;
import kvant.engine.Terms;
import kvant.engine.WriteBatch;
import kvant.server.admit.RequestKind;
import org.jspecify.annotations.Nullable;

/// A client's request, independent of the protocol.
public sealed interface Request {

    /// Leaves the number of required replicas to the engine.
    int USUAL_ACKS = Terms.USUAL_ACKS;

    /// The kind by which admission and executors treat the request.
    default RequestKind kind() {
        return switch (this) {
            case Get _, Record _, Entries _ -> RequestKind.READ;
            case Put _, Delete _ -> RequestKind.WRITE;
            case Update update -> update.isSingle() ? RequestKind.WRITE : RequestKind.BATCH;
            case Batch _ -> RequestKind.BATCH;
            case Scan _, Changes _ -> RequestKind.RANGE;
            case Page _, Probe _, ReadOnly _ -> RequestKind.OTHER;
        };
    }

    /// The request reduced to what figures and logs need after it is settled: the beginning of its key, and no values
    /// to be stored. So an answer that its client does not take keeps nothing large.
    default Request spent() {
        return switch (this) {
            case Get get
            when RequestSummary.isLong(get.key()) -> new Get(RequestSummary.of(get.key()), get.precondition());
            case Record(byte[] key) when RequestSummary.isLong(key) -> new Record(RequestSummary.of(key));
            case Entries(List<byte[]> keys) -> new Entries(List.of(RequestSummary.of(keys.getFirst())));
            case Put put
            when RequestSummary.isLong(put.key()) || RequestSummary.isLong(put.value()) ->
                new Put(
                        RequestSummary.of(put.key()),
                        RequestSummary.NOTHING,
                        put.ttlSeconds(),
                        put.precondition(),
                        put.acks());
            case Delete delete
            when RequestSummary.isLong(delete.key()) ->
                new Delete(RequestSummary.of(delete.key()), delete.precondition(), delete.acks());
            case Update update
            when RequestSummary.isLong(update.batch()) ->
                new Update(RequestSummary.of(update.batch()), update.precondition());
            case Batch _ -> new Batch(RequestSummary.NOTHING);
            case Scan(Range range, boolean ordered)
            when RequestSummary.isLong(range) -> new Scan(RequestSummary.of(range), ordered);
            case Page page when page.accept().length() > RequestSummary.MOST_BYTES -> new Page(page.source(), "");
            default -> this;
        };
    }

    /// The value of a key.
    ///
    /// @param acks how many replicas must answer, or [#USUAL_ACKS]
    /// @param describes whether the client wants to know of the value, and not the value itself
    record Get(byte[] key, Precondition precondition, int acks, boolean describes) implements Request {
        public Get(byte[] key, Precondition precondition) {
            this(key, precondition, USUAL_ACKS, false);
        }

        /// Whether it asks for the value unconditionally.
        public boolean isPlain() {
            return !describes && precondition == Precondition.Plain.NONE;
        }
    }

    /// The value of a key with its version and its expiry, which takes a scan of one key.
    record Record(byte[] key) implements Request {

        /// The range with this key alone.
        public Range range() {
            return Range.of(key, Arrays.copyOf(key, key.length + 1)).limit(1);
        }
    }

    /// The values of keys, one or more, with their versions and expiries, from one snapshot.
    record Entries(List<byte[]> keys) implements Request {}

    /// Stores a value.
    ///
    /// @param value handed to the engine as it is, never copied
    /// @param ttlSeconds life time, or [#NO_TTL] for a value that stays
    /// @param acks how many replicas must answer, or [#USUAL_ACKS]
    record Put(byte[] key, byte[] value, long ttlSeconds, Precondition precondition, int acks) implements Request {
        public static final long NO_TTL = 0;
    }

    /// Removes a key.
    ///
    /// @param acks how many replicas must answer, or [#USUAL_ACKS]
    record Delete(byte[] key, Precondition precondition, int acks) implements Request {}

    /// Puts and deletes as the engine takes them, all or none.
    ///
    /// @param precondition on the key of the first of them
    record Update(WriteBatch batch, Precondition precondition) implements Request {

        /// Stores a value.
        ///
        /// @param expiresAtMillis wall-clock time in milliseconds since the epoch, or [#NEVER]
        public static Update put(byte[] key, byte[] value, long expiresAtMillis, Precondition precondition) {
            return new Update(WriteBatch.of(new Mutation.Put(key, value, expiresAtMillis)), precondition);
        }

        /// Removes a key.
        public static Update delete(byte[] key, Precondition precondition) {
            return new Update(WriteBatch.of(new Mutation.Delete(key)), precondition);
        }

        /// Stores several values that stay.
        ///
        /// @param keysAndValues a key and its value in turn, from an index on
        public static Update puts(List<byte[]> keysAndValues, int from) {
            List<Mutation> mutations = new ArrayList<>((keysAndValues.size() - from) / 2);
            for (int i = from; i < keysAndValues.size(); i += 2) {
                mutations.add(new Mutation.Put(keysAndValues.get(i), keysAndValues.get(i + 1)));
            }
            return new Update(WriteBatch.of(mutations), Precondition.Plain.NONE);
        }

        /// The expiry of a value that stays.
        public static final long NEVER = Mutation.Put.NEVER;

        boolean isSingle() {
            return batch.mutations().size() == 1;
        }

        /// Whether it removes one key, and does nothing else.
        public boolean isDelete() {
            return isSingle() && first() instanceof Mutation.Delete;
        }

        /// Whether it stores one value, and does nothing else.
        public boolean isPut() {
            return isSingle() && first() instanceof Mutation.Put;
        }

        /// The key of the first mutation, to which the precondition applies.
        public byte[] key() {
            return first().key();
        }

        private Mutation first() {
            return batch.mutations().getFirst();
        }
    }

    /// Several puts and deletes, all or none.
    ///
    /// @param body in the [BatchFormat]
    record Batch(byte[] body) implements Request {}

    /// The records of a range; answered in several rounds, see [Call#resume].
    ///
    /// @param ordered whether their order matters
    record Scan(Range range, boolean ordered) implements Request {

        /// The first records of `[start, end)`.
        ///
        /// @param end null for the end of the store
        public static Scan between(byte[] start, byte @Nullable [] end, long limit) {
            return new Scan(Range.of(start, end).limit(limit), true);
        }

        /// The first records whose keys begin with a prefix.
        public static Scan ofPrefix(byte[] prefix, long limit) {
            return new Scan(Range.prefix(prefix).limit(limit), true);
        }

        /// The same scan, sorted or in the fastest order.
        public Scan ordered(boolean wanted) {
            return new Scan(range, wanted);
        }
    }

    /// The changes after a version, in order; answered in several rounds, as a scan.
    ///
    /// @param from version that the client has, or [#NOW] for the newest one
    /// @param waitSeconds longest wait for another change before the answer ends, or 0 to end at the newest
    /// @param events whether changes are sent as server-sent events
    record Changes(long from, long waitSeconds, boolean events) implements Request {
        public static final long NOW = -1;
    }

    /// A page about the node, made on a thread of its own kind: it may take long and must not be in anyone's
    /// way.
    ///
    /// @param accept media types that the client asks for
    record Page(PageSource source, String accept) implements Request {}

    /// Reads or sets whether the node refuses writes of clients; answered with the resulting state.
    enum ReadOnly implements Request {
        ASK,
        /// Refuse them from now on.
        BEGIN,
        /// Take them again.
        END
    }

    /// Questions about the node itself.
    enum Probe implements Request {
        /// Does the process answer?
        ALIVE,
        /// Can the engine read and write?
        READY,
        /// About how many records does the engine hold?
        RECORDS,
        /// May a page of another origin ask for this (CORS)? The answer needs no engine.
        PREFLIGHT,
        /// Where is the live page?
        LIVE_PAGE
    }

    /// Shortened copies of keys and values that have been used.
    final class RequestSummary {

        static final byte[] NOTHING = {};

        /// Longest shown part of a key; a shorter copy would not be worth it.
        static final int MOST_BYTES = 256;

        private RequestSummary() {}

        static boolean isLong(byte[] bytes) {
            return bytes.length > MOST_BYTES;
        }

        static boolean isLong(WriteBatch batch) {
            return batch.bytes() > MOST_BYTES;
        }

        static byte[] of(byte[] key) {
            return isLong(key) ? Arrays.copyOf(key, MOST_BYTES) : key;
        }

        static boolean isLong(Range range) {
            return isLong(range.from()) || range.to() != null && isLong(range.to());
        }

        /// Its beginning.
        static Range of(Range range) {
            return Range.of(of(range.from()), null).limit(range.limit());
        }

        /// One or several mutations of the same kind, without their values.
        static WriteBatch of(WriteBatch batch) {
            List<Mutation> mutations = batch.mutations();
            return WriteBatch.of(mutations.subList(0, Math.min(2, mutations.size())).stream()
                    .map(RequestSummary::of)
                    .toList());
        }

        private static Mutation of(Mutation mutation) {
            return switch (mutation) {
                case Mutation.Put put -> new Mutation.Put(of(put.key()), NOTHING, put.expiresAtMillis());
                case Mutation.Delete delete -> new Mutation.Delete(of(delete.key()));
            };
        }
    }
}
