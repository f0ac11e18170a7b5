package kvant.load.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import kvant.load.record.RequestCounts.Count;
import kvant.load.workload.Operation;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class PhaseTotalsTest {

    @Test
    void aLongRunHasNoMoreBlocksThanAShortOneAndLosesNothing() {
        PhaseTotals totals = new PhaseTotals();
        RequestCounts counts = new RequestCounts();
        for (int window = 0; window < 1000; window++) {
            totals.window().recordValue(window + 1);
            counts.answered(window % 10 == 0 ? 503 : 200);
            if (window % 10 == 0) {
                counts.add(Count.UNEXPECTED, 1);
            }
            totals.closeWindow(window, 1, counts, true);
        }
        totals.window().recordValue(5000);
        totals.closeWindow(1000, 1, counts, false);

        assertThat(totals.blocks()).hasSizeBetween(PhaseTotals.MOST_BLOCKS / 2, PhaseTotals.MOST_BLOCKS);
        assertThat(totals.blocks().stream().mapToLong(Histogram::getTotalCount).sum())
                .isEqualTo(1001);
        assertThat(totals.response().getTotalCount()).isEqualTo(1001);
        assertThat(totals.windows()).hasSize(1001);
        assertThat(totals.windows().stream().mapToLong(Window::errors).sum()).isEqualTo(100);
        assertThat(totals.windows().stream().mapToLong(Window::answered).sum()).isEqualTo(1000);
        long before = 0;
        for (Histogram block : totals.blocks()) {
            assertThat(block.getMinValue())
                    .as("blocks are in the order of time")
                    .isGreaterThan(before);
            before = block.getMaxValue();
        }
    }

    @Test
    void whatIsWrittenWhileSomebodyCollectsIsCollectedOnce() throws InterruptedException {
        PhaseRecorder recorder = new PhaseRecorder(false, true);
        PhaseTotals totals = new PhaseTotals();
        AtomicBoolean done = new AtomicBoolean();
        int requests = 300_000;
        Thread writer = Thread.ofPlatform().start(() -> {
            for (int i = 0; i < requests; i++) {
                recorder.counts().add(Count.SENT, 1);
                recorder.lag(i % 100);
                recorder.counts().answered(200);
                recorder.answered(i % 2 == 0 ? Operation.GET : Operation.PUT, i % 1000, i % 500, i % 3 != 0);
            }
            done.set(true);
        });
        int windows = 0;
        while (!done.get()) {
            recorder.drain(totals);
            totals.closeWindow(windows++, 1, recorder.counts(), true);
        }
        writer.join();
        recorder.drain(totals);
        totals.closeWindow(windows, 1, recorder.counts(), true);

        assertThat(totals.response().getTotalCount()).isEqualTo(requests);
        assertThat(totals.service().getTotalCount()).isEqualTo(requests);
        assertThat(totals.lag().getTotalCount()).isEqualTo(requests);
        assertThat(totals.errors().getTotalCount()).isEqualTo(requests / 3);
        assertThat(totals.operation(Operation.GET).getTotalCount()).isEqualTo(requests / 2);
        assertThat(recorder.counts().of(Count.ANSWERED)).isEqualTo(requests);
    }

    /// Its requests have no service times apart; 503s are answers that others waited behind.
    @Test
    void aClosedLoopWithRefusalsHasAcceptedServiceTimes() {
        PhaseTotals totals = new PhaseTotals();
        PhaseRecorder recorder = new PhaseRecorder(true, false);
        recorder.answered(Operation.SCAN, 5_000_000, 5_000_000, true);
        recorder.answered(Operation.SCAN, 9_000_000, 9_000_000, false);
        recorder.drain(totals);
        totals.closeWindow(0, 1, new RequestCounts(), true);

        assertThat(totals.acceptedService().getTotalCount()).isEqualTo(1);
        assertThat(totals.acceptedService().getMaxValue()).isBetween(4_900_000L, 5_100_000L);
    }
}
