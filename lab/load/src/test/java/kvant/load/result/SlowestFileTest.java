package kvant.load.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import kvant.load.record.SlowRequest;
import kvant.load.record.SlowestRequests;
import kvant.load.workload.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The file of the slowest requests, and the bands that they belong to.
class SlowestFileTest {

    @Test
    void aBandIsTheLastThatHoldsSoManyRequests() {
        assertThat(SlowestFile.band(0, 1_000_000)).isEqualTo(99.999);
        assertThat(SlowestFile.band(9, 1_000_000)).isEqualTo(99.999);
        assertThat(SlowestFile.band(10, 1_000_000)).isEqualTo(99.99);
        assertThat(SlowestFile.band(99, 1_000_000)).isEqualTo(99.99);
        assertThat(SlowestFile.band(100, 1_000_000)).isEqualTo(99.9);
        assertThat(SlowestFile.band(999, 1_000_000)).isEqualTo(99.9);
        assertThat(SlowestFile.band(1_000, 1_000_000)).isEqualTo(99);
        assertThat(SlowestFile.band(0, 1_000)).as("no band is empty").isEqualTo(99.9);
        assertThat(SlowestFile.band(0, 400)).isEqualTo(99);
        assertThat(SlowestFile.band(0, 1)).isEqualTo(0);
    }

    @Test
    void aRequestIsOneLine() {
        SlowRequest request = new SlowRequest(10, 11, 12, 18, 19, 4711, Operation.PUT, 201);

        assertThat(SlowestFile.of(new SlowestRequests(List.of(request), 1_000, 0.001)))
                .isEqualTo("""
                        {
                          "schema": "kvant-slow/1",
                          "clock": "CLOCK_MONOTONIC (System.nanoTime)",
                          "threshold": 9,
                          "kept": 1,
                          "of": 1000,
                          "share": 0.001,
                          "requests": [
                            {"dueNanos":10,"freeNanos":11,"sentNanos":12,"readyNanos":18,"receivedNanos":19,\
                        "port":4711,"operation":"put","status":201,"bandFrom":99.9}
                          ]
                        }
                        """);
    }

    @Test
    void whatIsWrittenIsRead(@TempDir Path folder) throws IOException {
        SlowRequest request = new SlowRequest(10, 11, 12, 18, 19, 4711, Operation.PUT, 201);
        Path file = folder.resolve("slow.json");
        String text = SlowestFile.of(new SlowestRequests(List.of(request), 1_000_000, 0.00005));
        Files.writeString(file, text);

        assertThat(text).contains("\"share\": 5.0E-5,");
        assertThat(SlowestFile.read(file))
                .isEqualTo(new SlowestFile.Saved(List.of(new SlowestFile.Banded(request, 99.999)), 1_000_000));
    }
}
