package kvant.lab.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import kvant.lab.tail.RecordingReader.ClockAlignment;
import org.junit.jupiter.api.Test;

/// Two clocks, one of which drifts and is set.
class ClockAlignmentTest {

    private static final long SECOND = 1_000_000_000;
    private static final long EPOCH = 1_700_000_000 * SECOND;

    @Test
    void aMomentIsPlacedAlthoughTheRecordersClockRunsFasterAndAnchorsAreLate() {
        ClockAlignment clock = new ClockAlignment();
        for (int milli = 0; milli < 60_000; milli++) {
            long nano = milli * 1_000_000L;
            long delay = milli % 20 == 0 ? 0 : milli % 7 * 10_000L; // between the two looks at clocks
            clock.anchor(recorder(nano), nano + delay);
        }
        for (int second = 1; second < 60; second++) {
            long nano = second * SECOND + 123_456_789;
            assertThat(clock.nanoTime(recorder(nano))).isCloseTo(nano, within(15_000L));
        }
    }

    /// A tenth of a millisecond more in each second.
    private static long recorder(long nano) {
        return EPOCH + nano + nano / 10_000;
    }

    @Test
    void aWallClockThatIsSetMovesOnlyWhatComesAfter() {
        ClockAlignment clock = new ClockAlignment();
        clock.anchor(EPOCH, 0);
        clock.anchor(EPOCH + SECOND, SECOND);
        clock.anchor(EPOCH + 100 * SECOND, 2 * SECOND); // set forward between the chunks

        assertThat(clock.nanoTime(EPOCH + SECOND / 2)).isEqualTo(SECOND / 2);
        assertThat(clock.nanoTime(EPOCH + 101 * SECOND)).isEqualTo(3 * SECOND);
        assertThat(clock.nanoTime(EPOCH - SECOND)).isEqualTo(-SECOND);
    }

    @Test
    void withoutAnEventThatKnowsBothNothingIsKnown() {
        assertThat(new ClockAlignment().isKnown()).isFalse();
    }
}
