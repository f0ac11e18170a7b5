package kvant.lab.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import kvant.lab.workload.Operation;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class SumsTest {

    @Test
    void aLongRunHasNoMoreBlocksThanAShortOneAndLosesNothing() {
        Sums sums = new Sums();
        for (int window = 0; window < 1000; window++) {
            sums.window().recordValue(window + 1);
            sums.closeWindow(window, 1, window / 10, true);
        }
        sums.window().recordValue(5000);
        sums.closeWindow(1000, 1, 100, false);

        assertThat(sums.blocks()).hasSizeBetween(Sums.MOST_BLOCKS / 2, Sums.MOST_BLOCKS);
        assertThat(sums.blocks().stream().mapToLong(Histogram::getTotalCount).sum())
                .isEqualTo(1001);
        assertThat(sums.response().getTotalCount()).isEqualTo(1001);
        assertThat(sums.windows()).hasSize(1001);
        assertThat(sums.windows().stream().mapToLong(Window::errors).sum()).isEqualTo(100);
        long before = 0;
        for (Histogram block : sums.blocks()) {
            assertThat(block.getMinValue())
                    .as("blocks are in the order of time")
                    .isGreaterThan(before);
            before = block.getMaxValue();
        }
    }

    @Test
    void whatIsWrittenWhileSomebodyCollectsIsCollectedOnce() throws InterruptedException {
        Tape tape = new Tape(false, true);
        Sums sums = new Sums();
        Tape.Shelf shelf = new Tape.Shelf(sums);
        AtomicBoolean done = new AtomicBoolean();
        int requests = 300_000;
        Thread writer = Thread.ofPlatform().start(() -> {
            for (int i = 0; i < requests; i++) {
                tape.tally().sent();
                tape.lag(i % 100);
                tape.tally().answered(200);
                tape.answered(i % 2 == 0 ? Operation.GET : Operation.PUT, i % 1000, i % 500, i % 3 != 0);
            }
            done.set(true);
        });
        int windows = 0;
        while (!done.get()) {
            tape.drainInto(shelf);
            sums.closeWindow(windows++, 1, 0, true);
        }
        writer.join();
        tape.drainInto(shelf);
        sums.closeWindow(windows, 1, 0, true);

        assertThat(sums.response().getTotalCount()).isEqualTo(requests);
        assertThat(sums.service().getTotalCount()).isEqualTo(requests);
        assertThat(sums.lag().getTotalCount()).isEqualTo(requests);
        assertThat(sums.errors().getTotalCount()).isEqualTo(requests / 3);
        assertThat(sums.operation(Operation.GET).getTotalCount()).isEqualTo(requests / 2);
        assertThat(tape.tally().answeredCount()).isEqualTo(requests);
    }
}
