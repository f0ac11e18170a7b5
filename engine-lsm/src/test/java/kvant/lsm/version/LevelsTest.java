package kvant.lsm.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LevelsTest {

    @Test
    void aDeeperLevelIsAnOlderRun() {
        for (int level = 1; level < Levels.LAST; level++) {
            assertThat(Levels.runOf(level)).isGreaterThan(Levels.runOf(level + 1));
        }
        assertThat(Levels.runOf(Levels.LAST)).isEqualTo(1);
    }

    @Test
    void eachLevelIsFoundAgainByItsRun() {
        for (int level = 1; level <= Levels.LAST; level++) {
            assertThat(Levels.levelOf(Levels.runOf(level))).isEqualTo(level);
        }
    }

    @Test
    void everyOtherRunIsOfLevelZero() {
        assertThat(Levels.levelOf(7)).isZero();
        assertThat(Levels.levelOf(Long.MAX_VALUE)).isZero();
        assertThatThrownBy(() -> Levels.runOf(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Levels.runOf(7)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void noFlushGetsTheNumberOfALevel() {
        assertThat(Levels.levelOf(Levels.newestRun(1))).isZero();
    }
}
