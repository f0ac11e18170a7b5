package kvant.archive;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// When versions were written, and since when the oldest one waits.
class TimeSamplesTest {

    private static final long NONE = -7;

    private final TimeSamples times = new TimeSamples();

    @Test
    void aVersionHasTheTimeAtWhichItWasFirstSeen() {
        times.sample(3, 1_000);
        times.sample(3, 2_000);
        times.sample(9, 3_000);
        assertThat(times.millisOf(2, NONE)).isEqualTo(1_000);
        assertThat(times.millisOf(3, NONE)).isEqualTo(1_000);
        assertThat(times.millisOf(4, NONE)).isEqualTo(3_000);
        assertThat(times.millisOf(10, NONE)).isEqualTo(NONE);
    }

    @Test
    void nothingWaitsOnceAllIsArchivedHoweverOftenItIsSeen() {
        times.sample(3, 1_000);
        times.sample(9, 3_000);
        assertThat(times.oldestMillis(NONE)).isEqualTo(1_000);
        times.archived(3);
        assertThat(times.oldestMillis(NONE)).isEqualTo(3_000);
        times.archived(9);
        times.sample(9, 4_000);
        assertThat(times.oldestMillis(NONE)).isEqualTo(NONE);
        times.sample(10, 5_000);
        assertThat(times.oldestMillis(NONE)).isEqualTo(5_000);
    }

    @Test
    void tooManyAreThinnedAndNoVersionSeemsOlderThanItIs() {
        int many = 5 * TimeSamples.MOST;
        for (int version = 1; version <= many; version++) {
            times.sample(version, version * 10L);
        }
        for (int version = 1; version <= many; version += 97) {
            assertThat(times.millisOf(version, NONE)).isBetween(version * 10L, version * 10L + 10 * many / 4);
        }
        assertThat(times.millisOf(many, NONE)).isEqualTo(many * 10L);
    }
}
