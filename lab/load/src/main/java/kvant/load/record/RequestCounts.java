package kvant.load.record;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.TreeMap;

/// The counters of one loop, or the sum of several. One thread writes; other threads may read slightly stale values.
///
/// Every request that was due is counted in exactly one place:
///
///     due = sent + unsent,   sent = answered + failed by class
public final class RequestCounts {

    /// Counters besides those of failures and status codes.
    public enum Count {
        SENT,
        ANSWERED,
        UNSENT,
        /// Answers with an unwanted status code.
        UNEXPECTED,
        /// Answers with the right status code and wrong bytes.
        WRONG_BODIES,
        BYTES_IN,
        BYTES_OUT,
        /// Requests that are sent after an answer, and not part of the schedule.
        FOLLOW_UPS,
        /// Answers within the measured time, including those to requests of the warm-up.
        IN_TIME,
        FOLLOW_UPS_IN_TIME
    }

    private static final int FIRST_FAILURE = Count.values().length;
    private static final int FIRST_STATUS = FIRST_FAILURE + Failure.COUNT;

    /// End of the range of status codes, 100 to 599.
    public static final int STATUS_END = 600;

    private static final int CELLS = FIRST_STATUS + STATUS_END;

    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] cells = new long[CELLS];

    private void add(int cell, long count) {
        CELL.setOpaque(cells, cell, cells[cell] + count); // single writer
    }

    private long get(int cell) {
        return (long) CELL.getOpaque(cells, cell);
    }

    public void add(Count what, long count) {
        add(what.ordinal(), count);
    }

    public long of(Count what) {
        return get(what.ordinal());
    }

    /// Counts an answer within the measured time, regardless of the due time of its request.
    public void inTime(boolean isFollowUp) {
        add(Count.IN_TIME, 1);
        if (isFollowUp) {
            add(Count.FOLLOW_UPS_IN_TIME, 1);
        }
    }

    public void answered(int status) {
        add(Count.ANSWERED, 1);
        add(FIRST_STATUS + status, 1);
    }

    public void failed(Failure failure) {
        add(FIRST_FAILURE + failure.ordinal(), 1);
    }

    /// Adds other counters.
    public void merge(RequestCounts other) {
        for (int cell = 0; cell < CELLS; cell++) {
            add(cell, other.get(cell));
        }
    }

    /// Number of requests that were due in this time.
    public long due() {
        return of(Count.SENT) + of(Count.UNSENT);
    }

    /// The part of [Count#IN_TIME] for scheduled requests.
    public long scheduledInTimeCount() {
        return of(Count.IN_TIME) - of(Count.FOLLOW_UPS_IN_TIME);
    }

    public long failedCount(Failure failure) {
        return get(FIRST_FAILURE + failure.ordinal());
    }

    public long statusCount(int status) {
        return get(FIRST_STATUS + status);
    }

    /// Number of answers for each status code, in order; only those above 0.
    public Map<Integer, Long> statuses() {
        Map<Integer, Long> statuses = new TreeMap<>();
        for (int status = 0; status < STATUS_END; status++) {
            if (statusCount(status) > 0) {
                statuses.put(status, statusCount(status));
            }
        }
        return statuses;
    }

    /// Number of sent requests without an answer.
    public long failedCount() {
        long sum = 0;
        for (Failure failure : Failure.values()) {
            sum += failedCount(failure);
        }
        return sum;
    }

    /// Number of requests without the wanted result, for any reason.
    public long errors() {
        return failedCount() + of(Count.UNSENT) + of(Count.UNEXPECTED) + of(Count.WRONG_BODIES);
    }
}
