package kvant.server.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import kvant.engine.ActivitySink;
import kvant.server.observe.ActivityLog.StolenTimeWatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StolenTimeWatchTest {

    @TempDir
    Path folder;

    private final List<String> told = new ArrayList<>();
    private final ActivitySink log = new ActivitySink() {
        @Override
        public long began(String kind) {
            throw new AssertionError("it has ended when it is known");
        }

        @Override
        public void ended(long id) {
            throw new AssertionError("it has ended when it is known");
        }

        @Override
        public void during(String kind, long beginNanos, long endNanos) {
            told.add(kind + ", " + beginNanos + " to " + endNanos);
        }
    };

    private @Nullable StolenTimeWatch watch;

    @Test
    void aLargeShareOfOneWindowIsTold() throws IOException {
        look(100, "1000 0 500 3000 10 0 5 400");
        look(200, "1008 0 502 3006 10 0 5 404"); // 4 of 20
        look(300, "1016 0 504 3013 10 0 5 407"); // 3 of 20
        assertThat(told).containsExactly("stolen by the host: 20 %, 100 to 200");
    }

    @Test
    void whatWasStolenBeforeTheFirstLookIsNotTold() throws IOException {
        look(100, "10 0 5 30 0 0 0 4000");
        assertThat(told).isEmpty();
    }

    @Test
    void timeOfGuestsIsNotCountedTwice() throws IOException {
        look(100, "1000 0 500 3000 10 0 5 400 900 0");
        look(200, "1008 0 502 3006 10 0 5 404 908 0");
        assertThat(told).hasSize(1);
    }

    @Test
    void aFileOfAnotherKindIsAFailureThatItsThreadHandles() {
        assertThatThrownBy(() -> look(100, "no numbers here")).isInstanceOf(NumberFormatException.class);
    }

    private void look(long nanos, String times) throws IOException {
        Path stat = folder.resolve("stat");
        Files.writeString(stat, "cpu  " + times + "\ncpu0 1 2 3\n");
        if (watch == null) {
            watch = new StolenTimeWatch(log, stat);
        }
        watch.look(nanos);
    }
}
