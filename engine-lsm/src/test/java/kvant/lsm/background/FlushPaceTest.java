package kvant.lsm.background;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// When a flush rests, and for how long.
class FlushPaceTest {

    private static final long MEMTABLE_BYTES = 32 << 20;
    private static final int PIECES = 512;
    private static final long PIECE_BYTES = MEMTABLE_BYTES / PIECES;
    private static final int RECORD_BYTES = 100;
    private static final long WORK_NANOS = Duration.ofMillis(150).toNanos();

    private long nowNanos = 7;

    /// Flushes a full memtable while the next one fills at one rate.
    ///
    /// @param workNanos that it takes without rests
    /// @param fillNanos that a memtable takes to fill
    /// @param beganAt share of the next one that was filled before
    /// @return how long it took
    private long flush(long workNanos, long fillNanos, double beganAt, boolean mayRest) {
        long startNanos = nowNanos;
        long before = (long) (beganAt * MEMTABLE_BYTES);
        FlushPace pace = new FlushPace(MEMTABLE_BYTES, before, (int) (before / RECORD_BYTES), () -> nowNanos);
        for (int piece = 0; piece < PIECES; piece++) {
            nowNanos += workNanos / PIECES;
            double filled = fillNanos == 0 ? 0 : (double) (nowNanos - startNanos) / fillNanos;
            long activeBytes = before + (long) (filled * MEMTABLE_BYTES);
            nowNanos += pace.restNanos(PIECE_BYTES, activeBytes, (int) (activeBytes / RECORD_BYTES), mayRest);
        }
        return nowNanos - startNanos;
    }

    @Test
    void takesATenthOfACoreWhereThereIsTime() {
        long tookNanos = flush(WORK_NANOS, Duration.ofSeconds(12).toNanos(), 0, true);
        assertThat((double) tookNanos / WORK_NANOS).isBetween(0.9 * (1 + FlushPace.RESTS), 1.0 + FlushPace.RESTS);
    }

    @ParameterizedTest
    @ValueSource(ints = {320, 350, 500, 1_000, 2_000, 3_000, 10_000})
    void isDoneBeforeTheNextMemtableIsHalfFull(int fillMillis) {
        long fillNanos = Duration.ofMillis(fillMillis).toNanos();
        assertThat(flush(WORK_NANOS, fillNanos, 0, true))
                .isGreaterThan(WORK_NANOS)
                .isLessThanOrEqualTo(fillNanos / 2 + FlushPace.MAX_REST_NANOS);
    }

    @Test
    void doesNotRestWhileMemtablesFillFasterThanItCanFollow() {
        assertThat(flush(WORK_NANOS, WORK_NANOS * 3 / 2, 0, true)).isEqualTo(unpaced());
    }

    @Test
    void doesNotRestWhereTheNextMemtableIsHalfFullWhenItBegins() {
        assertThat(flush(WORK_NANOS, 100 * WORK_NANOS, 0.5, true)).isEqualTo(unpaced());
        FlushPace pace = new FlushPace(MEMTABLE_BYTES, MEMTABLE_BYTES / 2, 0, () -> nowNanos);
        nowNanos += FlushPace.WORK_NANOS;
        assertThat(pace.restNanos(PIECE_BYTES, MEMTABLE_BYTES / 2, 1, true))
                .as("although it seems not to grow: its memory does in steps")
                .isZero();
    }

    @Test
    void doesNotRestWhereWritesAreAboutToWaitNorWhereNobodyWrites() {
        assertThat(flush(WORK_NANOS, 100 * WORK_NANOS, 0, false)).isEqualTo(unpaced());
        assertThat(flush(WORK_NANOS, 0, 0, true)).isEqualTo(unpaced());
    }

    @Test
    void doesNotTakeTheRecordsThatAreThereWhenItBeginsForWritesMeanwhile() {
        FlushPace pace = new FlushPace(MEMTABLE_BYTES, RECORD_BYTES, 1, () -> nowNanos);
        nowNanos += FlushPace.WORK_NANOS;
        assertThat(pace.restNanos(PIECE_BYTES, RECORD_BYTES, 1, true)).isZero();
        assertThat(pace.restNanos(PIECE_BYTES, 2 * RECORD_BYTES, 2, true)).isPositive();
    }

    @Test
    void aLongWaitForTheDiskIsNotRepaidWithALongRest() {
        FlushPace pace = new FlushPace(MEMTABLE_BYTES, 0, 0, () -> nowNanos);
        nowNanos += FlushPace.WORK_NANOS - 1;
        assertThat(pace.restNanos(PIECE_BYTES, 0, 1, true)).isZero();
        nowNanos += 1;
        assertThat(pace.restNanos(PIECE_BYTES, 0, 2, true)).isEqualTo(FlushPace.WORK_NANOS * FlushPace.RESTS);
        nowNanos += Duration.ofSeconds(1).toNanos();
        assertThat(pace.restNanos(PIECE_BYTES, 0, 3, true)).isEqualTo(FlushPace.MAX_REST_NANOS);
        nowNanos += FlushPace.MAX_REST_NANOS;
        assertThat(pace.restNanos(PIECE_BYTES, 0, 4, true))
                .as("what it rested is no work")
                .isZero();
    }

    private static long unpaced() {
        return WORK_NANOS / PIECES * PIECES;
    }
}
