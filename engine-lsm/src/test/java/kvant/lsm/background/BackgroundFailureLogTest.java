package kvant.lsm.background;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import kvant.engine.EngineException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The log lines of a flush that fails twice a second, as after its directory was deleted: one a minute.
class BackgroundFailureLogTest {

    private static final Logger LOG = Logger.getLogger(BackgroundFailure.class.getName());

    private final List<String> lines = new ArrayList<>();
    private final Handler collector = new Handler() {
        @Override
        public void publish(LogRecord line) {
            lines.add(new SimpleFormatter().formatMessage(line));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };
    private long nowNanos = 5;
    private final BackgroundFailure failures = new BackgroundFailure("flush", () -> nowNanos);

    @BeforeEach
    void collect() {
        LOG.addHandler(collector);
        LOG.setUseParentHandlers(false);
    }

    @AfterEach
    void stop() {
        LOG.removeHandler(collector);
        LOG.setUseParentHandlers(true);
    }

    @Test
    void isLoggedAtOnceAndThenOnceAMinute() {
        for (int i = 0; i < 241; i++) {
            failures.of(new IOException("no file " + i));
            nowNanos += TimeUnit.MILLISECONDS.toNanos(500);
        }
        assertThat(lines)
                .containsExactly(
                        "flush failed and will be tried again: no file 0",
                        "flush failed and will be tried again: no file 120, 119 more times since this was logged last",
                        "flush failed and will be tried again: no file 240, 119 more times since this was logged last");
    }

    @Test
    void whatCallersHearIsAlwaysTheNewest() {
        assertThat(failures.of(new IOException("first"))).hasMessage("flush failed: first");
        assertThat(failures.of(new IOException("second"))).hasMessage("flush failed: second");
        assertThat(failures.of(new InterruptedIOException())).isInstanceOf(EngineException.Closed.class);
        assertThat(lines).hasSize(1);
    }
}
