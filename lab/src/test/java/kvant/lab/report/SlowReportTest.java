package kvant.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import kvant.lab.record.SlowRequest;
import kvant.lab.record.Slowest;
import kvant.lab.workload.Operation;
import org.junit.jupiter.api.Test;

/// The file of the slowest requests, and the bands that they belong to.
class SlowReportTest {

    @Test
    void aBandIsTheLastThatHoldsSoManyRequests() {
        assertThat(SlowReport.band(0, 1_000_000)).isEqualTo(99.999);
        assertThat(SlowReport.band(9, 1_000_000)).isEqualTo(99.999);
        assertThat(SlowReport.band(10, 1_000_000)).isEqualTo(99.99);
        assertThat(SlowReport.band(99, 1_000_000)).isEqualTo(99.99);
        assertThat(SlowReport.band(100, 1_000_000)).isEqualTo(99.9);
        assertThat(SlowReport.band(999, 1_000_000)).isEqualTo(99.9);
        assertThat(SlowReport.band(1_000, 1_000_000)).isEqualTo(99);
        assertThat(SlowReport.band(0, 1_000)).as("no band is empty").isEqualTo(99.9);
        assertThat(SlowReport.band(0, 400)).isEqualTo(99);
        assertThat(SlowReport.band(0, 1)).isEqualTo(0);
    }

    @Test
    void aRequestIsOneLine() {
        SlowRequest request = new SlowRequest(10, 11, 12, 18, 19, 4711, Operation.PUT, 201);

        assertThat(SlowReport.of(new Slowest(List.of(request), 1_000, 0.001))).isEqualTo("""
                        {
                          "schema": "kvant-slow/1",
                          "clock": "CLOCK_MONOTONIC (System.nanoTime)",
                          "threshold": 9,
                          "kept": 1,
                          "of": 1000,
                          "share": 0.001,
                          "requests": [
                            {"dueNanos": 10, "freeNanos": 11, "sentNanos": 12, "readyNanos": 18, "receivedNanos": 19, \
                        "port": 4711, "operation": "put", "status": 201, "bandFrom": 99.9}
                          ]
                        }
                        """);
    }
}
