package kvant.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GroupSizeTest {

    private static final long SYNC_NANOS = 400_000;

    private final GroupSize size = new GroupSize();

    @Test
    void aClientThatIsAloneNeverWaits() {
        for (int i = 0; i < 3; i++) {
            size.committed(1, SYNC_NANOS);
            assertThat(size.writes()).isEqualTo(1);
            assertThat(size.waitNanos()).isZero();
        }
    }

    @Test
    void aGroupWaitsForAsManyAsWerePending() {
        size.committed(64, SYNC_NANOS);

        assertThat(size.writes()).isEqualTo(64);
        assertThat(size.waitNanos()).isEqualTo(SYNC_NANOS / 2);
    }

    @Test
    void threeWritesDoNotWait() {
        size.committed(3, SYNC_NANOS);
        assertThat(size.waitNanos()).isZero();

        size.committed(4, SYNC_NANOS);
        assertThat(size.waitNanos()).isEqualTo(SYNC_NANOS / 2);
    }

    @Test
    void aSlowSyncMakesNoGroupWaitForLong() {
        size.committed(64, 90_000_000);

        assertThat(size.waitNanos()).isEqualTo(500_000);
    }

    @Test
    void aLogThatDoesNotSyncWaitsForNothing() {
        size.committed(64, 20_000);

        assertThat(size.waitNanos()).isZero();
    }

    @Test
    void clientsThatHaveGoneAreForgotten() {
        size.committed(64, SYNC_NANOS);
        for (int i = 0; i < 40; i++) {
            size.committed(1, SYNC_NANOS);
        }

        assertThat(size.writes()).isEqualTo(1);
        assertThat(size.waitNanos()).isZero();
    }
}
