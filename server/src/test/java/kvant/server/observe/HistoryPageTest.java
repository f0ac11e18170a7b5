package kvant.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import kvant.engine.Distribution;
import kvant.engine.MetricSink;
import org.junit.jupiter.api.Test;

/// The past that the live page is given when it is opened.
class HistoryPageTest {

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicLong requests = new AtomicLong();
    private final Distribution times = new Distribution(1e-9);

    private void measure(MetricSink sink) {
        sink.counter("kvant_requests_total", "Requests.", requests.get(), "operation", "get", "result", "ok");
        sink.gauge("kvant_gauge", "Not drawn.", 1);
        sink.histogram("kvant_stage_seconds", "Times.", times, "operation", "get", "stage", "read");
        sink.histogram("kvant_stage_seconds", "Times.", times, "operation", "get", "stage", "total");
    }

    private static String text(HistoryPage page) {
        return new String(page.page("").body(), StandardCharsets.UTF_8);
    }

    @Test
    void samplesHaveTheirAgeAndTheCountersOfThatTime() {
        try (HistoryPage page = new HistoryPage(this::measure, nanos::get)) {
            requests.set(7);
            times.record(2_000);
            page.sample();
            requests.set(9);
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(5));
            page.sample();
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));

            String text = text(page);
            assertThat(text)
                    .contains("\"kvant_requests_total{operation=\\\"get\\\",result=\\\"ok\\\"}\"")
                    .contains("stage=\\\"total\\\",le=\\\"+Inf\\\"}\"")
                    .doesNotContain("kvant_gauge", "stage=\\\"read\\\"")
                    .contains("[6,7,0,1,1,", "[1,9,0,1,1,");
        }
    }

    @Test
    void tenMinutesAreKept() {
        try (HistoryPage page = new HistoryPage(this::measure, nanos::get)) {
            for (int i = 0; i < 3 * HistoryPage.MOST; i++) {
                requests.set(1_000_000 + i);
                nanos.addAndGet(HistoryPage.STEP.toNanos());
                page.sample();
            }
            String text = text(page);
            assertThat(text.split("\\[\\d+,1000", -1)).hasSize(1 + HistoryPage.MOST);
            assertThat(text)
                    .contains("[600,1000" + (2 * HistoryPage.MOST) + ",")
                    .contains("[0,1000362,");
        }
    }
}
