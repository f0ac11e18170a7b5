package kvant.server;

import static kvant.server.NodeHarness.bytes;
import static kvant.server.NodeHarness.get;
import static kvant.server.NodeHarness.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import kvant.server.MemoryEngine.Gate;
import kvant.server.admit.AdmissionOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The request events of a flight recording.
@SuppressWarnings("try") // closes nodes early: an answer comes before its event
class RequestEventTest {

    private static final String EVENT = "kvant.Request";
    private static final long CLOCKS_NANOS = 2_000;

    /// The clock of the recorder and nano times do not go at exactly one speed on every virtual machine.
    private static final double CLOCKS_RATIO = 1.01;

    private static final List<String> STAGES =
            List.of("readTime", "queueTime", "engineTime", "deliverTime", "writeTime");

    @TempDir
    private Path folder;

    private List<RecordedEvent> dumped(Recording recording) throws IOException {
        Path file = folder.resolve("requests.jfr");
        recording.stop();
        recording.dump(file);
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals(EVENT))
                .sorted(Comparator.comparingLong(event -> event.getLong("readNanos")))
                .toList();
    }

    private static Recording started() {
        Recording recording = new Recording();
        recording.enable(EVENT).withoutThreshold();
        recording.start();
        return recording;
    }

    @ParameterizedTest
    @EnumSource(ExecutorKind.class)
    void eachRequestIsRecordedWithItsStagesAndThePortOfItsClient(ExecutorKind executor) throws Exception {
        try (NodeHarness harness = new NodeHarness(options -> options.withExecutor(executor));
                Recording recording = started()) {
            RawClient client = harness.client();
            long beforeNanos = System.nanoTime();
            assertThat(client.exchange(put("k", "v")).status()).isEqualTo(201);
            long betweenNanos = System.nanoTime();
            assertThat(client.exchange(get("none")).status()).isEqualTo(404);
            assertThat(client.exchange("GET /livez HTTP/1.1\r\nHost: h\r\n\r\n").status())
                    .isEqualTo(200);
            harness.close();
            List<RecordedEvent> events = dumped(recording);

            assertThat(events.stream().map(event -> event.getString("operation")))
                    .containsExactly("put", "get", "other");
            assertThat(events.stream().map(event -> event.getString("result"))).containsExactly("ok", "miss", "ok");
            assertThat(events).allSatisfy(event -> {
                assertThat(event.getInt("remotePort")).isEqualTo(client.socket().getLocalPort());
                assertThat(STAGES)
                        .allSatisfy(stage -> assertThat(event.getLong(stage))
                                .as(stage)
                                .isBetween(0L, Duration.ofMinutes(1).toNanos()));
                long fromQueued =
                        STAGES.stream().skip(1).mapToLong(event::getLong).sum();
                assertThat(fromQueued)
                        .as("all but the first stage, by another clock")
                        .isLessThanOrEqualTo((long) (event.getDuration().toNanos() * CLOCKS_RATIO) + CLOCKS_NANOS);
            });
            assertThat(events.getFirst().getLong("readNanos")).isBetween(beforeNanos, betweenNanos);
            assertThat(events.getFirst().getLong("engineTime")).as("the commit").isPositive();
            long endNanos = events.getFirst().getLong("readNanos")
                    + STAGES.stream().mapToLong(events.getFirst()::getLong).sum();
            assertThat(endNanos).isBetween(beforeNanos, System.nanoTime());
            assertThat(events.get(1).getLong("readNanos")).isGreaterThan(betweenNanos);
        }
    }

    @Test
    void aWaitForAThreadIsToldFromAHandOffToAFreeOne() throws Exception {
        try (NodeHarness harness = new NodeHarness(options -> options.withExecutor(ExecutorKind.ASYNC)
                        .with(o -> o.admission = AdmissionOptions.none())
                        .withWorkers(1));
                Recording recording = started()) {
            Gate gate = new Gate();
            harness.engine.load(bytes("k"), bytes("v"));
            harness.engine.blockReads(gate);
            RawClient first = harness.client();
            RawClient second = harness.client();
            first.send(get("k"));
            await().until(() -> gate.waiting() == 1);
            second.send(get("k"));
            await().until(() -> harness.waiting() == 1);
            long openedNanos = System.nanoTime();
            gate.open();
            assertThat(first.read().status()).isEqualTo(200);
            assertThat(second.read().status()).isEqualTo(200);
            harness.close();
            List<RecordedEvent> events = dumped(recording).stream()
                    .filter(event -> event.getString("operation").equals("get"))
                    .toList();

            assertThat(events).hasSize(2);
            RecordedEvent served = events.getFirst();
            RecordedEvent waited = events.getLast();
            assertThat(served.getInt("remotePort")).isEqualTo(first.socket().getLocalPort());
            assertThat(served.getBoolean("threadFree")).isTrue();
            assertThat(served.getLong("readNanos") + served.getLong("engineTime"))
                    .isLessThan(System.nanoTime());
            assertThat(served.getLong("engineTime")).isGreaterThan(served.getLong("queueTime"));
            assertThat(waited.getInt("remotePort")).isEqualTo(second.socket().getLocalPort());
            assertThat(waited.getBoolean("threadFree")).isFalse();
            long startedNanos = waited.getLong("readNanos") + waited.getLong("readTime") + waited.getLong("queueTime");
            assertThat(startedNanos).as("when a thread began").isGreaterThan(openedNanos);
        }
    }

    @Test
    void whoDoesNotAskForThemByNameGetsNone() throws Exception {
        try (NodeHarness harness = NodeHarness.sync();
                Recording recording = new Recording()) {
            recording.enable("jdk.GCPhasePause");
            recording.start();
            assertThat(harness.client().exchange(get("none")).status()).isEqualTo(404);
            harness.close();

            assertThat(dumped(recording)).isEmpty();
        }
    }

    @Test
    void fastOnesAreLeftOutBelowTheThreshold() throws Exception {
        try (NodeHarness harness = NodeHarness.sync();
                Recording recording = new Recording()) {
            recording.enable(EVENT).withThreshold(Duration.ofHours(1));
            recording.start();
            assertThat(harness.client().exchange(get("none")).status()).isEqualTo(404);
            harness.close();

            assertThat(dumped(recording)).isEmpty();
        }
    }
}
