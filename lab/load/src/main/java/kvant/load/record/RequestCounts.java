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

    private static final int SENT = 0;
    private static final int ANSWERED = 1;
    private static final int UNSENT = 2;
    private static final int UNEXPECTED = 3;
    private static final int WRONG_BODIES = 4;
    private static final int BYTES_IN = 5;
    private static final int BYTES_OUT = 6;
    private static final int FOLLOW_UPS = 7;
    private static final int IN_TIME = 8;
    private static final int FOLLOW_UPS_IN_TIME = 9;
    private static final int FIRST_FAILURE = 10;
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

    public void sent() {
        add(SENT, 1);
    }

    /// Counts a follow-up request, sent after an answer and not part of the schedule.
    public void followUp() {
        add(FOLLOW_UPS, 1);
    }

    /// Counts an answer within the measured time, regardless of the due time of its request.
    public void inTime(boolean isFollowUp) {
        add(IN_TIME, 1);
        if (isFollowUp) {
            add(FOLLOW_UPS_IN_TIME, 1);
        }
    }

    public void answered(int status) {
        add(ANSWERED, 1);
        add(FIRST_STATUS + status, 1);
    }

    /// Counts an answer with an unwanted status code.
    public void unexpected() {
        add(UNEXPECTED, 1);
    }

    /// Counts an answer with the right status code and wrong bytes.
    public void wrongBody() {
        add(WRONG_BODIES, 1);
    }

    public void failed(Failure failure) {
        add(FIRST_FAILURE + failure.ordinal(), 1);
    }

    public void unsent(long count) {
        add(UNSENT, count);
    }

    public void received(int bytes) {
        add(BYTES_IN, bytes);
    }

    public void transmitted(int bytes) {
        add(BYTES_OUT, bytes);
    }

    /// Adds other counters.
    public void merge(RequestCounts other) {
        for (int cell = 0; cell < CELLS; cell++) {
            add(cell, other.get(cell));
        }
    }

    /// Number of requests that were due in this time.
    public long due() {
        return sentCount() + unsentCount();
    }

    public long sentCount() {
        return get(SENT);
    }

    public long answeredCount() {
        return get(ANSWERED);
    }

    public long unsentCount() {
        return get(UNSENT);
    }

    public long unexpectedCount() {
        return get(UNEXPECTED);
    }

    public long wrongBodyCount() {
        return get(WRONG_BODIES);
    }

    public long followUpCount() {
        return get(FOLLOW_UPS);
    }

    /// Number of answers within the measured time, including those to requests of the warm-up.
    public long inTimeCount() {
        return get(IN_TIME);
    }

    /// The part of [#inTimeCount()] for scheduled requests.
    public long scheduledInTimeCount() {
        return get(IN_TIME) - get(FOLLOW_UPS_IN_TIME);
    }

    public long bytesIn() {
        return get(BYTES_IN);
    }

    public long bytesOut() {
        return get(BYTES_OUT);
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
        return failedCount() + unsentCount() + unexpectedCount() + wrongBodyCount();
    }
}
