package kvant.move.mirror;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import kvant.engine.Cursor;
import kvant.engine.Engine;
import kvant.engine.Mutation;
import kvant.engine.Range;
import org.jspecify.annotations.Nullable;

/// The difference between a piece of the target and the source, found by reading both in parallel.
///
/// @param mutations that make the target equal to the source, in key order
/// @param next first key of the following piece; null at the end of both
/// @param records number of records read from the source
/// @param bytes of their keys and values
record Difference(List<Mutation> mutations, byte @Nullable [] next, long records, long bytes) {

    /// A piece is small: its snapshots are held briefly, and few keys change meanwhile.
    private static final int MOST_RECORDS = 16_384;

    private static final long MOST_BYTES = 4L << 20;

    static Difference read(Engine source, Engine target, byte[] from) {
        try (Cursor wanted = source.scan(from, null);
                Cursor there = target.scan(from, null)) {
            return new Reading(wanted, there).run();
        }
    }

    /// The mutation that makes the target's record equal to the source's; may block.
    static Mutation repair(Engine source, byte[] key) {
        try (Cursor wanted = source.scan(Range.of(key, null).limit(1))) {
            return wanted.next() && Arrays.equals(wanted.key(), key) ? put(wanted) : new Mutation.Delete(key);
        }
    }

    private static Mutation put(Cursor at) {
        return new Mutation.Put(at.key(), at.value(), at.expiresAtMillis());
    }

    /// A cursor on each side, advanced together.
    private static final class Reading {

        private final Cursor wanted;
        private final Cursor there;
        private final List<Mutation> mutations = new ArrayList<>();
        private long records;
        private long bytes;
        private long passed;

        Reading(Cursor wanted, Cursor there) {
            this.wanted = wanted;
            this.there = there;
        }

        Difference run() {
            boolean isWanted = wanted.next();
            boolean isThere = there.next();
            while (isWanted || isThere) {
                int order = !isWanted ? 1 : !isThere ? -1 : Arrays.compareUnsigned(wanted.key(), there.key());
                if (passed >= MOST_RECORDS || bytes >= MOST_BYTES) {
                    return new Difference(mutations, order <= 0 ? wanted.key() : there.key(), records, bytes);
                }
                passed++;
                compare(order);
                isWanted = order <= 0 ? wanted.next() : isWanted;
                isThere = order >= 0 ? there.next() : isThere;
            }
            return new Difference(mutations, null, records, bytes);
        }

        private void compare(int order) {
            if (order > 0) {
                mutations.add(new Mutation.Delete(there.key()));
                return;
            }
            records++;
            bytes += wanted.key().length + wanted.value().length;
            if (order < 0
                    || wanted.expiresAtMillis() != there.expiresAtMillis()
                    || !Arrays.equals(wanted.value(), there.value())) {
                mutations.add(put(wanted));
            }
        }
    }
}
