package kvant.lab.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import kvant.load.result.SlowestFile;
import kvant.text.UserException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The input and output files of the attribution, and the errors for missing, broken and foreign ones.
class TailFilesTest {

    private static final String ROW = "{\"dueNanos\": 100, \"sentNanos\": 150, \"receivedNanos\": 400, \"port\": 4711,"
            + " \"operation\": \"put\", \"status\": 201, \"bandFrom\": 99.9}";

    @TempDir
    private Path folder;

    private Path slow(String rows) throws IOException {
        Path file = folder.resolve("slow.json");
        Files.writeString(file, "{\"schema\": \"kvant-slow/1\", \"of\": 1000, \"requests\": [" + rows + "]}");
        return file;
    }

    private String tail(Path slow, Path recording) throws IOException {
        Path tail = folder.resolve("tail.json");
        TailAttribution.write(folder.resolve("none.json"), slow, recording, tail);
        return Files.readString(tail);
    }

    @Test
    void whatAnOlderGeneratorDoesNotTellIsNotNeeded() throws IOException {
        SlowestFile.Saved file = SlowestFile.read(slow(ROW));

        assertThat(file.of()).isEqualTo(1_000);
        assertThat(file.requests()).hasSize(1);
        SlowestFile.Banded only = file.requests().getFirst();
        assertThat(only.bandFrom()).isEqualTo(99.9);
        assertThat(only.request().freeNanos()).isEqualTo(100);
        assertThat(only.request().readyNanos()).isEqualTo(400);
    }

    @Test
    void withoutARecordingTheGeneratorsPartIsAllThatIsKnown() throws IOException {
        String tail = tail(slow(ROW), folder.resolve("none.jfr"));

        assertThat(tail)
                .contains("\"generator\": 50", "\"unknown\": 250", "\"meanNanos\": 300")
                .contains("\"attributedShare\": 0.167", "\"kind\": \"nodeNotRecorded\"");
    }

    @Test
    void aFileThatIsNoRecordingIsSaidToBeNone() throws IOException {
        Path broken = folder.resolve("node.jfr");
        Files.writeString(broken, "no recording");

        assertThat(tail(slow(ROW), broken)).contains("\"kind\": \"nodeRecordingUnreadable\"", "\"unknown\": 250");
    }

    @Test
    void aRecordingOfAnotherServerHasNoEventsOfRequests() throws IOException {
        Path recorded = folder.resolve("node.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("jdk.JVMInformation");
            recording.start();
            recording.stop();
            recording.dump(recorded);
        }

        assertThat(tail(slow(ROW), recorded)).contains("\"kind\": \"noRequestEvents\"", "\"unknown\": 250");
    }

    @Test
    void noSlowRequestsAreNoBands() throws IOException {
        assertThat(tail(slow(""), folder.resolve("none.jfr"))).contains("\"bands\": []", "\"attributedShare\": 0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"dueNanos\": 500, \"sentNanos\": 150, \"receivedNanos\": 400, \"port\": 1, \"status\": 1}",
                "{\"dueNanos\": 100, \"sentNanos\": 150, \"port\": 1, \"status\": 1}",
                "{\"dueNanos\": \"now\", \"sentNanos\": 150, \"receivedNanos\": 400, \"port\": 1, \"status\": 1}",
                "7",
                "{"
            })
    void aBrokenFileIsOneLineThatNamesIt(String row) throws IOException {
        Path file = slow(row);

        assertThatThrownBy(() -> SlowestFile.read(file))
                .isInstanceOf(UserException.class)
                .hasMessageContaining(file.toString())
                .hasMessageNotContaining("\n");
    }

    @Test
    void aMissingOrForeignFileIsOneLineThatNamesIt() throws IOException {
        Path missing = folder.resolve("missing.json");
        Path foreign = folder.resolve("foreign.json");
        Files.writeString(foreign, "{\"schema\": \"kvant-load/1\"}");

        assertThatThrownBy(() -> SlowestFile.read(missing)).hasMessageContaining("there is no such file");
        assertThatThrownBy(() -> SlowestFile.read(foreign)).hasMessageContaining("kvant-slow/1");
        assertThatThrownBy(() -> tail(slow(ROW).resolve("no/folder"), missing)).isInstanceOf(UserException.class);
    }

    @Test
    void theSettingsAreOnesThatTheRecorderUnderstands() throws IOException, ParseException {
        Path file = folder.resolve("kvant-lab.jfc");
        TailAttribution.writeSettings(file);
        assertThat(Configuration.create(file).getSettings())
                .containsEntry("kvant.Request#enabled", "true")
                .containsEntry("kvant.Request#threshold", "0 ns")
                .containsEntry("kvant.lsm.LogSync#enabled", "true")
                .containsEntry("kvant.lsm.WriteStall#threshold", "0 ns")
                .containsEntry("jdk.GCPhasePause#enabled", "true")
                .containsEntry("jdk.SafepointBegin#enabled", "true");
    }
}
