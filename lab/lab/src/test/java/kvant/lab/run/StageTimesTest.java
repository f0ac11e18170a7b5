package kvant.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import kvant.lab.process.JfrEvents;
import kvant.lab.process.JfrEvents.Stretch;
import kvant.lab.result.StepRecord.ProcessFigures;
import kvant.lab.tail.PlantedLoss;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Stages of planted requests, out of a recording.
class StageTimesTest {

    @Name("kvant.Request")
    @StackTrace(false)
    private static final class PlantedRequest extends Event {
        @Timespan
        long readTime;

        @Timespan
        long queueTime;

        @Timespan
        long engineTime;

        @Timespan
        long deliverTime;

        @Timespan
        long writeTime;

        static void of(long engine, long queue) {
            PlantedRequest planted = new PlantedRequest();
            planted.begin();
            planted.readTime = 1;
            planted.queueTime = queue;
            planted.engineTime = engine;
            planted.deliverTime = 4;
            planted.writeTime = 5;
            planted.commit();
        }
    }

    @TempDir
    private Path folder;

    /// The recorded events of a step that was measured in one go.
    private static JfrEvents read(Path file, Instant from, Duration length) throws IOException {
        return JfrEvents.read(file, List.of(new Stretch(from, 0, length.toNanos(), 0)));
    }

    private static List<Instant> starts(Path file) throws IOException {
        return RecordingFile.readAllEvents(file).stream()
                .map(RecordedEvent::getStartTime)
                .sorted()
                .toList();
    }

    @Test
    void onlyRequestsOfTheMeasuredTimeCountAndThoseThatPassedByAStageToo() throws IOException {
        Path file = folder.resolve("node.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("kvant.Request").withoutThreshold();
            recording.start();
            PlantedRequest.of(1_000_000, 1_000_000);
            PlantedRequest.of(100, 0);
            PlantedRequest.of(300, 60);
            PlantedRequest.of(1_000_000, 1_000_000);
            recording.stop();
            recording.dump(file);
        }
        List<Instant> starts = starts(file);

        JfrEvents events = read(file, starts.get(1), Duration.between(starts.get(1), starts.get(2)));

        ProcessFigures figures = events.addedTo(ProcessFigures.NONE);
        assertThat(figures.stageNanos()).containsOnlyKeys("read", "queue", "engine", "deliver", "write");
        assertThat(figures.stageNanos().get("engine")).isCloseTo(200, within(1e-9));
        assertThat(figures.stageNanos().get("queue")).isCloseTo(30, within(1e-9));
    }

    @Test
    void whatTheRecorderHasLostIsCounted() throws IOException {
        Path file = folder.resolve("loss.jfr");
        try (Recording recording = new Recording()) {
            recording.enable(PlantedLoss.EVENT);
            recording.start();
            PlantedLoss.of(4_000);
            PlantedLoss.of(96);
            recording.stop();
            recording.dump(file);
        }

        assertThat(read(file, Instant.now(), Duration.ofSeconds(1)).lostBytes()).isEqualTo(4_096);
    }

    @Test
    void aRecordingWithoutRequestsTellsNoStages() throws IOException {
        Path file = folder.resolve("other.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("jdk.ActiveSetting");
            recording.start();
            recording.stop();
            recording.dump(file);
        }

        assertThat(read(file, Instant.now(), Duration.ofSeconds(1)).stageNanos())
                .isEmpty();
    }
}
