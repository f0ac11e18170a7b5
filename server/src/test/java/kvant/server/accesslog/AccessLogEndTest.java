package kvant.server.accesslog;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import kvant.server.accesslog.AccessLog.AccessLogOptions;
import kvant.server.accesslog.AccessLog.AccessLogOptions.AccessLogStyle;
import kvant.server.accesslog.AccessLog.AccessQueue;
import kvant.server.request.RequestTrace;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.io.TempDir;

/// Lines in the queue at the node's end are written; several times, because the thread may just have looked.
class AccessLogEndTest {

    @TempDir
    private Path folder;

    @RepeatedTest(10)
    void theLastLinesAreWritten() throws Exception {
        Path file = folder.resolve("access.log");
        AccessLog log = AccessLog.open(new AccessLogOptions(file, AccessLogStyle.TEXT, 1 << 10, LogRotationTest.NONE));
        AccessQueue queue = log.queue();
        for (int i = 0; i < 100; i++) {
            AccessNote note = new AccessNote(
                    new AccessNote.Asked("local", "", "GET", "/livez", "", new byte[0], "HTTP/1.1", System.nanoTime()));
            note.answered(200, 17);
            note.ended(RequestTrace.NONE, System.nanoTime());
            queue.add(note);
        }
        log.close();
        assertThat(Files.readAllLines(file)).hasSize(100);
    }
}
