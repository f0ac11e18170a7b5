package kvant.lab.tail;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import kvant.lab.result.Remark;
import kvant.lab.result.TailRecord;
import kvant.lab.tail.Division.Part;
import kvant.load.record.SlowRequest;
import kvant.load.workload.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Recordings with planted events, read back.
class RecordingReaderTest {

    private static final int PORT = 4711;
    private static final long LONG_NANOS = Duration.ofMillis(5).toNanos();

    @Name("kvant.Request")
    @StackTrace(false)
    private static final class PlantedRequest extends Event {
        String operation = "put";
        int remotePort = PORT;
        long readNanos;

        @Timespan
        long readTime;

        @Timespan
        long queueTime;

        boolean threadFree;

        @Timespan
        long engineTime;

        @Timespan
        long deliverTime;

        @Timespan
        long writeTime;

        static PlantedRequest begun() {
            PlantedRequest planted = new PlantedRequest();
            planted.begin();
            planted.readNanos = System.nanoTime();
            return planted;
        }

        long done() {
            end();
            engineTime = System.nanoTime() - readNanos;
            commit();
            return readNanos + engineTime;
        }
    }

    @Name("kvant.lsm.LogSync")
    @StackTrace(false)
    private static final class PlantedSync extends Event {
        long beganNanos;
    }

    @Name("kvant.lsm.LogChange")
    @StackTrace(false)
    private static final class PlantedLogChange extends Event {
        long beganNanos;
    }

    @Name("kvant.lsm.Flush")
    @StackTrace(false)
    private static final class PlantedFlush extends Event {}

    @Name("kvant.lsm.Compaction")
    @StackTrace(false)
    private static final class PlantedCompaction extends Event {}

    @TempDir
    private Path folder;

    private static void pass(long nanos) {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private static SlowRequest slow(long fromNanos, long toNanos) {
        return new SlowRequest(fromNanos, fromNanos, fromNanos, toNanos, toNanos, PORT, Operation.PUT, 201);
    }

    private NodeRecording read(Recording recording, SlowRequest slow) throws IOException {
        Path file = folder.resolve("node.jfr");
        recording.stop();
        recording.dump(file);
        return RecordingReader.read(file, List.of(slow));
    }

    private static Recording started(Duration threshold) {
        Recording recording = new Recording();
        recording.enable("kvant.Request").withThreshold(threshold);
        recording.enable("kvant.lsm.LogSync").withoutThreshold();
        recording.enable("kvant.lsm.LogChange").withoutThreshold();
        recording.enable("kvant.lsm.Flush").withoutThreshold();
        recording.enable("kvant.lsm.Compaction").withoutThreshold();
        recording.enable("jdk.GCPhasePause").withoutThreshold();
        recording.enable("jdk.SafepointBegin").withoutThreshold();
        recording.enable("jdk.SafepointEnd").withoutThreshold();
        recording.enable("jdk.ActiveSetting");
        recording.start();
        return recording;
    }

    @Test
    void theEventOfASlowRequestAndTheSyncInItAreFound() throws IOException {
        try (Recording recording = started(Duration.ZERO)) {
            long fromNanos = System.nanoTime();
            PlantedRequest planted = PlantedRequest.begun();
            PlantedSync sync = new PlantedSync();
            sync.begin();
            sync.beganNanos = System.nanoTime();
            pass(LONG_NANOS);
            sync.commit();
            planted.done();
            PlantedRequest other = PlantedRequest.begun();
            other.remotePort = PORT + 1;
            other.done();
            SlowRequest slow = slow(fromNanos, System.nanoTime());
            NodeRecording node = read(recording, slow);
            long[] parts = Division.of(slow, node);

            assertThat(node.notes()).isEmpty();
            assertThat(node.allRequests()).isTrue();
            assertThat(node.requests()).as("only what is on the connection").containsOnlyKeys(PORT);
            // A pause of the JVM during the sync counts as a pause.
            long stopped = parts[Part.GC.ordinal()] + parts[Part.SAFEPOINT.ordinal()];
            assertThat(parts[Part.SYNC.ordinal()]).isPositive();
            assertThat(parts[Part.SYNC.ordinal()] + stopped).isGreaterThanOrEqualTo(LONG_NANOS);
            assertThat(parts[Part.UNKNOWN.ordinal()]).isZero();
        }
    }

    @Test
    void whatPassedOnTheConnectionAtOtherTimesIsNotKept() throws IOException {
        try (Recording recording = started(Duration.ZERO)) {
            PlantedRequest.begun().done();
            pass(1_000);
            long fromNanos = System.nanoTime();
            PlantedRequest.begun().done();
            long toNanos = System.nanoTime();
            pass(1_000);
            PlantedRequest.begun().done();
            NodeRecording node = read(recording, slow(fromNanos, toNanos));

            assertThat(node.of(PORT)).hasSize(1);
            assertThat(node.of(PORT).getFirst().readNanos()).isBetween(fromNanos, toNanos);
        }
    }

    @Test
    void aThresholdIsSeenAndSaid() throws IOException {
        try (Recording recording = started(Duration.ofMillis(1))) {
            long fromNanos = System.nanoTime();
            PlantedRequest planted = PlantedRequest.begun();
            pass(LONG_NANOS);
            planted.done();
            NodeRecording node = read(recording, slow(fromNanos, System.nanoTime()));

            assertThat(node.allRequests()).isFalse();
            assertThat(node.notes())
                    .singleElement()
                    .isInstanceOfSatisfying(
                            Remark.ShortRequestsNotRecorded.class,
                            note -> assertThat(note.threshold()).startsWith("1"));
        }
    }

    @Test
    void whatTheRecorderHasLostIsSaid() throws IOException {
        try (Recording recording = started(Duration.ZERO)) {
            long fromNanos = System.nanoTime();
            PlantedRequest.begun().done();
            PlantedLoss.of(4_000);
            PlantedLoss.of(96);
            NodeRecording node = read(recording, slow(fromNanos, System.nanoTime()));

            assertThat(node.notes()).containsExactly(new Remark.EventsLost(4_096));
        }
    }

    @Test
    void aPauseOfTheJvmIsPlacedWhereItWas() throws IOException {
        try (Recording recording = started(Duration.ZERO)) {
            long fromNanos = System.nanoTime();
            PlantedRequest planted = PlantedRequest.begun();
            System.gc();
            long doneNanos = planted.done();
            NodeRecording node = read(recording, slow(fromNanos, System.nanoTime()));

            assertThat(node.waits().gc().overlap(fromNanos, doneNanos)).isPositive();
            assertThat(node.waits().gc().and(node.waits().safepoint()).overlap(Long.MIN_VALUE, Long.MAX_VALUE))
                    .as("no pause is elsewhere")
                    .isEqualTo(node.waits()
                            .gc()
                            .and(node.waits().safepoint())
                            .overlap(fromNanos - LONG_NANOS, System.nanoTime()));
        }
    }

    /// The flush began before the request was due; the merge runs while it waits for its connection.
    @Test
    void flushesAndMergesWentOnMeanwhileAndChangesOfLogsAreAPart() throws IOException {
        try (Recording recording = started(Duration.ZERO)) {
            PlantedFlush flush = new PlantedFlush();
            flush.begin();
            pass(LONG_NANOS);
            long dueNanos = System.nanoTime();
            PlantedCompaction compaction = new PlantedCompaction();
            compaction.begin();
            pass(LONG_NANOS);
            compaction.commit();
            flush.commit();
            long sentNanos = System.nanoTime();
            PlantedRequest planted = PlantedRequest.begun();
            PlantedLogChange change = new PlantedLogChange();
            change.begin();
            change.beganNanos = System.nanoTime();
            pass(LONG_NANOS);
            change.commit();
            planted.done();
            long receivedNanos = System.nanoTime();
            recording.stop();
            recording.dump(folder.resolve("node.jfr"));

            TailRecord.Band band = onlyBand(dueNanos, sentNanos, receivedNanos);
            double tolerance = 0.2 * LONG_NANOS; // the clocks are brought together to some microseconds
            assertThat(band.meanwhile()).containsOnlyKeys("flush", "compaction");
            assertThat(band.meanwhile().get("flush"))
                    .isBetween(LONG_NANOS - tolerance, sentNanos - dueNanos + tolerance);
            assertThat(band.meanwhile().get("compaction"))
                    .isBetween(LONG_NANOS - tolerance, sentNanos - dueNanos + tolerance);
            double stopped = band.parts().get("gc") + band.parts().get("safepoint");
            assertThat(band.parts().get("logChange") + stopped).isGreaterThanOrEqualTo(LONG_NANOS - tolerance);
        }
    }

    private TailRecord.Band onlyBand(long dueNanos, long sentNanos, long receivedNanos) throws IOException {
        Path slow = folder.resolve("slow.json");
        Files.writeString(slow, """
                {"schema": "kvant-slow/1", "of": 1000, "requests": [{"dueNanos": %d, "freeNanos": %d, "sentNanos": %d,
                 "receivedNanos": %d, "port": %d, "operation": "put", "status": 201, "bandFrom": 99.9}]}
                """.formatted(dueNanos, sentNanos, sentNanos, receivedNanos, PORT));
        return TailAttribution.of(folder.resolve("none.json"), slow, folder.resolve("node.jfr"))
                .bands()
                .getFirst();
    }
}
