package kvant.load.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class HostFactsMergedTest {

    private static HostFacts facts(double loadBefore, double busy, double stolen, long looks, long disturbed) {
        return new HostFacts(
                2,
                Double.NaN,
                Double.NaN,
                "",
                loadBefore,
                busy,
                busy / 2,
                busy / 4,
                busy / 8,
                stolen,
                stolen / 2,
                stolen / 4,
                0,
                0,
                looks,
                disturbed);
    }

    @Test
    void sharesCountByTheLengthOfTheirStretchAndLooksAreAdded() {
        HostFacts both =
                HostFacts.merged(List.of(facts(1.5, 1, 0.1, 4, 1), facts(9, 2, 0.5, 3, 2)), List.of(300L, 100L));

        assertThat(both).isEqualTo(facts(1.5, 1.25, 0.2, 7, 3));
    }

    @Test
    void whatIsNotKnownOfOneStretchIsNotKnownOfAll() {
        HostFacts both = HostFacts.merged(List.of(facts(1, 1, 0.1, 1, 0), HostFacts.UNKNOWN), List.of(1L, 1L));

        assertThat(both.isKnown()).isFalse();
    }
}
