package kvant.load.record;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PercentilesTest {

    @Test
    void aPercentileNeedsTenRequestsBeyondIt() {
        assertThat(Percentiles.isTold(99, 1_000)).isTrue();
        assertThat(Percentiles.isTold(99, 999)).isFalse();
        assertThat(Percentiles.isTold(99.9, 10_000))
                .as("for all the error of 0.001")
                .isTrue();
        assertThat(Percentiles.isTold(99.9, 9_999)).isFalse();
    }
}
