package kvant.lsm.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import kvant.engine.EngineException;
import org.junit.jupiter.api.Test;

class QuarantineTest {

    private static final EngineException DAMAGE = new EngineException.Corruption("a file", 1, "bits");

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000); // the clock may wrap around
    private final Quarantine quarantine = new Quarantine(nanos::get);

    @Test
    void aTableIsReadThroughAgainAfterASecondAndThenAfterTwiceAsLongEachTime() {
        quarantine.failed(7, DAMAGE);
        assertThat(quarantine.tables()).containsExactly(7L);
        assertThat(quarantine.reason()).isSameAs(DAMAGE);
        for (int check = 0; check < Quarantine.MAX_CHECKS; check++) {
            long wait = Duration.ofSeconds(1L << check).toNanos();
            nanos.addAndGet(wait - 1);
            assertThat(quarantine.takeDue()).as("check %d", check).isNull();
            nanos.addAndGet(1);
            assertThat(quarantine.takeDue()).as("check %d", check).isEqualTo(7L);
            quarantine.failed(7, DAMAGE);
        }
        nanos.addAndGet(Duration.ofDays(365).toNanos());
        assertThat(quarantine.takeDue()).as("not before the next start").isNull();
        assertThat(quarantine.tables()).containsExactly(7L);
    }

    @Test
    void oneThreadAtATimeReadsItThrough() {
        quarantine.failed(7, DAMAGE);
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(quarantine.takeDue()).isEqualTo(7L);
        assertThat(quarantine.takeDue()).isNull();
        quarantine.putBack(7);
        assertThat(quarantine.takeDue()).isEqualTo(7L);
    }

    @Test
    void oneThatCanBeReadIsAnOrdinaryTable() {
        quarantine.failed(7, DAMAGE);
        quarantine.readable(7);
        assertThat(quarantine.tables()).isEmpty();
        assertThat(quarantine.reason()).isNull();
        nanos.addAndGet(Duration.ofDays(1).toNanos());
        assertThat(quarantine.takeDue()).isNull();
    }

    @Test
    void suspectsAreReadThroughAtOnceAndNothingIsSaidOfThem() {
        quarantine.suspect(List.of(1L, 2L));
        assertThat(quarantine.tables()).containsExactlyInAnyOrder(1L, 2L);
        assertThat(quarantine.reason()).isNull();
        Long first = quarantine.takeDue();
        Long second = quarantine.takeDue();
        assertThat(List.of(first, second)).containsExactlyInAnyOrder(1L, 2L);
        quarantine.readable(1);
        quarantine.failed(2, DAMAGE);
        assertThat(quarantine.tables()).containsExactly(2L);
    }
}
