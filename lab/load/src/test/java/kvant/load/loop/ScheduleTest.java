package kvant.load.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeSet;
import kvant.load.keys.SplitMix64;
import kvant.load.plan.Arrivals;
import org.junit.jupiter.api.Test;

class ScheduleTest {

    @Test
    void aUniformScheduleIsSpreadOverConnectionsWithoutBursts() {
        int connections = 7;
        double rate = 333;
        TreeSet<Long> due = new TreeSet<>();
        for (int index = 0; index < connections; index++) {
            Arrivals arrivals = new Arrivals(Arrivals.Law.UNIFORM, rate, connections, index, new SplitMix64(1));
            arrivals.start(1_000_000);
            for (int i = 0; i < 1000; i++) {
                due.add(arrivals.next());
                arrivals.advance();
            }
        }
        long i = 0;
        for (long time : due) {
            assertThat(time).isCloseTo(1_000_000 + Math.round(i * 1e9 / rate), within(2L));
            i++;
        }
        assertThat(i).isEqualTo(7000);
    }

    @Test
    void aScheduleDoesNotDrift() {
        Arrivals arrivals = new Arrivals(Arrivals.Law.UNIFORM, 30_000, 1, 0, new SplitMix64(1));
        arrivals.start(0);
        for (long i = 0; i < 30_000_000; i++) {
            arrivals.advance();
        }

        assertThat(arrivals.next()).isCloseTo(1_000_000_000_000L, within(1000L));
    }

    @Test
    void aPoissonScheduleHasExponentialGapsAndTheRightRate() {
        int connections = 10;
        double rate = 1000;
        TreeSet<Long> due = new TreeSet<>();
        for (int index = 0; index < connections; index++) {
            Arrivals arrivals = new Arrivals(Arrivals.Law.POISSON, rate, connections, index, SplitMix64.of(5, index));
            arrivals.start(0);
            while (arrivals.next() < 100_000_000_000L) {
                due.add(arrivals.next());
                arrivals.advance();
            }
        }

        // 100 s at 1,000/s: the count has a deviation of 316; of gaps, mean and deviation are equal.
        assertThat((double) due.size()).isCloseTo(100_000, within(1300.0));
        double sum = 0;
        double squares = 0;
        long before = 0;
        for (long time : due) {
            double gap = time - before;
            sum += gap;
            squares += gap * gap;
            before = time;
        }
        double mean = sum / due.size();
        assertThat(mean).isCloseTo(1e6, within(1.5e4));
        assertThat(Math.sqrt(squares / due.size() - mean * mean) / mean).isCloseTo(1, within(0.02));
    }

    @Test
    void theHeapGivesTheEarliest() {
        Random random = new Random(3);
        DueHeap heap = new DueHeap(100);
        PriorityQueue<long[]> expected = new PriorityQueue<>((a, b) -> Long.compare(a[0], b[0]));
        for (int step = 0; step < 100_000; step++) {
            if (expected.size() < 100 && (expected.isEmpty() || random.nextBoolean())) {
                long time = random.nextInt(1_000_000);
                heap.add(time * 128 + expected.size(), expected.size());
                expected.add(new long[] {time * 128 + expected.size()});
            } else {
                assertThat(heap.earliest()).isEqualTo(expected.remove()[0]);
                heap.take();
            }
            assertThat(heap.isEmpty()).isEqualTo(expected.isEmpty());
        }
    }
}
