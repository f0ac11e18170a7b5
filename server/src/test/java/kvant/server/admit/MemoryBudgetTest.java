package kvant.server.admit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Claims of memory, and the holders that are closed for them.
class MemoryBudgetTest {

    private static final long MAX_BYTES = 1600;
    private static final long LARGEST_SMALL = 100;

    private final MemoryBudget budget = new MemoryBudget(MAX_BYTES);
    private final List<String> left = new ArrayList<>();

    @Test
    void aQuarterIsKeptForSmallClaimants() {
        assertThat(budget.claim(1200, 0)).isTrue();
        assertThat(budget.claim(LARGEST_SMALL + 1, 0)).isFalse();
        for (int i = 0; i < 4; i++) {
            assertThat(budget.claim(LARGEST_SMALL, 0)).isTrue();
        }
        assertThat(budget.claim(1, 0)).isFalse();
        assertThat(budget.refused()).isEqualTo(2);
        assertThat(budget.claimedBytes()).isEqualTo(MAX_BYTES);
        budget.release(1);
        assertThat(budget.claim(1, 0)).isTrue();
    }

    @Test
    void whoGrowsIsSmallByWhatItHoldsInAll() {
        assertThat(budget.claim(1200, 0)).isTrue();
        assertThat(budget.claim(60, 0)).isTrue();
        assertThat(budget.claim(60, 60)).isFalse();
        assertThat(budget.claim(40, 60)).isTrue();
    }

    @Test
    void oneAloneAlwaysFits() {
        assertThat(budget.claim(5000, 0)).isTrue();
        assertThat(budget.claim(5000, 5000)).isTrue();
        assertThat(budget.claim(1, 0)).isFalse();
        assertThat(new MemoryBudget(0).claim(1, 0)).isTrue();
    }

    @Test
    void theLargestSlowHolderGoesFirst() {
        MemoryReservation _ = slow("middle", 400);
        MemoryReservation largest = slow("largest", 500);
        MemoryReservation _ = slow("small", 50);
        assertThat(budget.claim(600, 0)).isTrue();
        assertThat(left).containsExactly("largest");
        assertThat(budget.claimedBytes())
                .as("it is not gone, but counts no more")
                .isEqualTo(1550);
        assertThat(largest.isEvicted()).isTrue();
        largest.release();
        assertThat(largest.isEvicted()).isFalse();
        assertThat(budget.claimedBytes()).isEqualTo(1050);
        assertThat(budget.claim(300, 600)).as("nor is it free twice").isTrue();
        assertThat(left).containsExactly("largest", "middle");
        assertThat(budget.shed()).isEqualTo(2);
    }

    @Test
    void whereAllAreSmallTheOneThatHasBeenSlowForTheLongestGoesFirst() {
        for (int i = 0; i < 16; i++) {
            MemoryReservation _ = slow("s" + i, i == 7 ? 60 : 100);
        }
        assertThat(budget.claim(100, 0)).isTrue();
        assertThat(left).containsExactly("s0");
        assertThat(budget.claim(100, 0)).isTrue();
        assertThat(left).containsExactly("s0", "s1");
    }

    @Test
    void whoGetsOnStays() {
        MemoryReservation holder = slow("one", 1200);
        holder.slowIf(false);
        assertThat(budget.claim(200, 0)).isFalse();
        assertThat(left).isEmpty();
        holder.slowIf(true);
        assertThat(budget.claim(200, 0)).isTrue();
        assertThat(left).containsExactly("one");
    }

    @Test
    void nobodyGoesWhereThatWouldNotMakeRoom() {
        MemoryReservation _ = slow("one", 300);
        assertThat(budget.claim(900, 0)).isTrue();
        assertThat(budget.claim(700, 0)).isFalse();
        assertThat(left).isEmpty();
        assertThat(budget.claim(300, 0)).as("it is still a candidate").isTrue();
        assertThat(left).containsExactly("one");
    }

    @Test
    void whatIsLeavingIsBounded() {
        MemoryReservation stuck = slow("stuck", 700);
        MemoryReservation _ = slow("other", 500);
        assertThat(budget.claim(600, 0)).isTrue();
        assertThat(budget.claim(500, 0))
                .as("700 and 500 are more than half the budget")
                .isFalse();
        assertThat(left).containsExactly("stuck");
        stuck.release();
        assertThat(budget.claim(500, 0)).isTrue();
        assertThat(left).containsExactly("stuck", "other");
    }

    @Test
    void oneThatHasGoneMayBecomeSlowAgain() {
        MemoryReservation holder = slow("one", 1200);
        assertThat(budget.claim(200, 0)).isTrue();
        holder.slowIf(true);
        assertThat(left).as("told once").containsExactly("one");
        holder.release();
        assertThat(budget.claim(1000, 0)).isTrue();
        holder.slowIf(true, 300);
        assertThat(budget.claim(300, 0)).isTrue();
        assertThat(left).containsExactly("one", "one");
    }

    private MemoryReservation slow(String name, long bytes) {
        MemoryReservation holder = new MemoryReservation(budget, () -> left.add(name));
        assertThat(holder.resize(bytes)).isTrue();
        holder.slowIf(true);
        return holder;
    }
}
