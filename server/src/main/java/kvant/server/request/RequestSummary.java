package kvant.server.request;

import java.util.Arrays;
import java.util.List;
import kvant.engine.Mutation;
import kvant.engine.Range;
import kvant.engine.WriteBatch;

/// What is kept of keys and values that have been used.
final class RequestSummary {

    static final byte[] NOTHING = {};

    /// More of a key is shown nowhere, and less is not worth a copy.
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

    /// One or several of the same kind, without their values.
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
