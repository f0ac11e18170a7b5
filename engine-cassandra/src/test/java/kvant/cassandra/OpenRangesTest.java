package kvant.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import kvant.engine.Cursor;
import kvant.engine.EngineException;
import org.junit.jupiter.api.Test;

/// Places are taken by who reads, and given back exactly once.
class OpenRangesTest {

    private final OpenRanges ranges = new OpenRanges(2);

    @Test
    void refusesWhoComesWhenAllPlacesAreTaken() {
        Cursor first = open();
        open();
        assertThatThrownBy(this::open).isInstanceOf(EngineException.Busy.class).hasMessageContaining("which is 2");
        first.close();
        assertThat(open().next()).isFalse();
    }

    @Test
    void aPlaceIsGivenBackOnce() {
        Cursor first = open();
        open();
        first.close();
        first.close();
        assertThat(ranges.count()).isEqualTo(1);
        open();
        assertThatThrownBy(this::open).isInstanceOf(EngineException.Busy.class);
    }

    @Test
    void aRangeThatCannotBeOpenedTakesNoPlace() {
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> ranges.open(() -> {
                        throw new EngineException.Closed();
                    }))
                    .isInstanceOf(EngineException.Closed.class);
        }
        assertThat(ranges.count()).isZero();
    }

    private Cursor open() {
        return ranges.open(() -> new MergingScan(new BucketScan[0]));
    }
}
