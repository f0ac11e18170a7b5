package kvant.move.copy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import kvant.engine.Mutation;
import kvant.engine.kit.RateLimit;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// Reads source and target together in key order, and compares the record count and checksum of each key range.
///
/// A range ends after [#RANGE_RECORDS] records or [#RANGE_BYTES] bytes. Values that expired during the comparison are
/// left out, because one side may already have skipped them. Belongs to one thread.
public final class Verification {

    public static final int RANGE_RECORDS = 100_000;
    static final long RANGE_BYTES = 64 << 20;

    /// Maximum number of differing ranges described; further ones are only counted.
    static final int MOST_SHOWN = 20;

    /// Maximum shift of an expiry caused by clock differences between processes and by the transmission of a write.
    static final long DOUBT_MILLIS = 60_000;

    /// The result of a comparison.
    ///
    /// @param records number of records in the source
    /// @param ranges number of compared ranges
    /// @param differing number of ranges that differ
    /// @param missing number of records that only the source has
    /// @param extra number of records that only the target has
    /// @param different number of keys whose value or expiry differs
    /// @param shown the first differing ranges
    /// @param checksum over the source's records of all ranges
    /// @param complete false when stopped early
    public record Result(
            long records,
            int ranges,
            int differing,
            long missing,
            long extra,
            long different,
            List<RangeCheck> shown,
            int checksum,
            boolean complete) {

        /// @param mayHoldMore whether records that only the target has are accepted
        public boolean isSame(boolean mayHoldMore) {
            return differing == 0 || mayHoldMore && missing == 0 && different == 0;
        }
    }

    // Constant.
    private final Endpoint from;
    private final Endpoint to;
    private final int rangeRecords;
    private final Progress progress;
    private final RetryPolicy retries;
    private final RateLimit rate;
    private final long doubtMillis;

    // One thread.
    private final List<RangeCheck> shown = new ArrayList<>();
    private RangeCheck range;
    private int ranges;
    private int differing;
    private long records;
    private long bytes;
    private long missing;
    private long extra;
    private long different;
    private int checksum;

    public Verification(
            Endpoint from, Endpoint to, CopyOptions options, Progress progress, RetryPolicy retries, int rangeRecords) {
        this.from = from;
        this.to = to;
        this.rangeRecords = rangeRecords;
        this.progress = progress;
        this.retries = retries;
        this.rate = new RateLimit(options.bytesPerSecond(), retries::nanos);
        this.range = new RangeCheck(1, !to.isRemote());
        this.doubtMillis = from.isRemote() || to.isRemote() ? DOUBT_MILLIS : 0;
    }

    /// @throws UserException when one of the two cannot be read
    public Result run() {
        try (Records source = new Records(from, null, retries);
                Records target = new Records(to, null, retries)) {
            boolean inSource = source.next();
            boolean inTarget = target.next();
            while ((inSource || inTarget) && !retries.isStopped()) {
                int order = !inSource ? 1 : !inTarget ? -1 : Arrays.compareUnsigned(source.key(), target.key());
                compare(order <= 0 ? source : null, order >= 0 ? target : null);
                inSource = order <= 0 ? source.next() : inSource;
                inTarget = order >= 0 ? target.next() : inTarget;
            }
        }
        if (range.records() > 0) {
            endRange();
        }
        boolean complete = !retries.isStopped();
        return new Result(
                records, ranges, differing, missing, extra, different, List.copyOf(shown), checksum, complete);
    }

    /// Compares one key, which is on one side or on both.
    private void compare(@Nullable Records source, @Nullable Records target) {
        if (source != null) {
            retries.sleep(rate.reserve(source.bytes()));
        }
        long nowMillis = retries.millis(); // after both have been read
        if (isEnding(source, nowMillis) || isEnding(target, nowMillis)) {
            return;
        }
        if (source != null) {
            range.add(source, target);
            records++;
            bytes += source.bytes();
            progress.compared(records, bytes, source.key());
        } else if (target != null) {
            range.addExtra(target);
        }
        if (range.records() >= rangeRecords || range.bytes >= RANGE_BYTES) {
            endRange();
        }
    }

    private boolean isEnding(@Nullable Records side, long nowMillis) {
        return side != null
                && side.expiresAtMillis() != Mutation.Put.NEVER
                && side.expiresAtMillis() <= nowMillis + doubtMillis;
    }

    private void endRange() {
        ranges++;
        checksum = 31 * checksum + range.checksum();
        missing += range.missing;
        extra += range.extra;
        different += range.different;
        if (!range.isSame()) {
            differing++;
            if (shown.size() < MOST_SHOWN) {
                shown.add(range);
            }
        }
        range = new RangeCheck(ranges + 1, !to.isRemote());
    }
}
