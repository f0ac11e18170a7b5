package kvant.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.StackTrace;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import kvant.lab.process.JfrEvents.Stretch;
import kvant.lab.result.SamplesRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Events of a process that was measured in slices, out of a recording.
class StretchesTest {

    @Name("kvant.lsm.Flush")
    @StackTrace(false)
    private static final class PlantedFlush extends Event {
        long inputBytes;
        long outputBytes;

        static void of(long input) {
            PlantedFlush planted = new PlantedFlush();
            planted.begin();
            planted.inputBytes = input;
            planted.commit();
        }
    }

    @TempDir
    private Path folder;

    private List<RecordedEvent> flushes(Path file, int count) throws IOException {
        try (Recording recording = new Recording()) {
            recording.enable("kvant.lsm.Flush").withoutThreshold();
            recording.start();
            for (int i = 0; i < count; i++) {
                PlantedFlush.of(i);
            }
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file).stream()
                .filter(one -> one.getEventType().getName().equals("kvant.lsm.Flush"))
                .toList();
        assertThat(events).hasSize(count);
        return events;
    }

    /// From the beginning of an event to its end.
    private static Stretch over(RecordedEvent event, long at) {
        return over(event, event, at);
    }

    private static Stretch over(RecordedEvent first, RecordedEvent last, long at) {
        Instant from = first.getStartTime();
        return new Stretch(from, 0, Duration.between(from, last.getEndTime()).toNanos(), at);
    }

    @Test
    void anEventHasItsPlaceOnTheTimelineOfTheStepAndWhatLiesBetweenTheStretchesIsLeftOut() throws IOException {
        Path file = folder.resolve("node.jfr");
        List<RecordedEvent> flushes = flushes(file, 5);

        List<SamplesRecord.Event> events = JfrEvents.read(
                        file, List.of(over(flushes.get(1), 0), over(flushes.get(3), 5_000_000_000L)))
                .events();

        assertThat(events).extracting(SamplesRecord.Event::detail).containsExactly("1 to 0 bytes", "3 to 0 bytes");
        assertThat(events).extracting(SamplesRecord.Event::fromNanos).containsExactly(0L, 5_000_000_000L);
    }

    @Test
    void aStretchHasAllThatWentOnInIt() throws IOException {
        Path file = folder.resolve("node.jfr");
        List<RecordedEvent> flushes = flushes(file, 5);

        List<SamplesRecord.Event> events = JfrEvents.read(
                        file, List.of(over(flushes.get(0), flushes.get(1), 0), over(flushes.get(4), 5_000_000_000L)))
                .events();

        assertThat(events)
                .extracting(SamplesRecord.Event::detail)
                .containsExactly("0 to 0 bytes", "1 to 0 bytes", "4 to 0 bytes");
    }
}
