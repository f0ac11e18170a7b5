package kvant.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// One signal asks, a second one or the time limit halts.
class TerminationTest {

    private static final int STILL_RUNNING = -1;

    private final StringWriter err = new StringWriter();
    private final AtomicInteger halted = new AtomicInteger(STILL_RUNNING);

    @Test
    void theFirstSignalOnlyAsks() throws InterruptedException {
        Termination termination = termination(Duration.ofMinutes(5));

        assertThat(termination.isRequested()).isFalse();
        termination.signalled("SIGTERM");
        termination.await();

        assertThat(termination.isRequested()).isTrue();

        assertThat(halted).hasValue(STILL_RUNNING);
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void theSecondSignalEndsAtOnceAndSaysSo() {
        Termination termination = termination(Duration.ofMinutes(5));

        termination.signalled("SIGTERM");
        termination.signalled("SIGINT");

        assertThat(halted).hasValue(1);
        assertThat(err.toString().lines()).singleElement().asString().contains("a second SIGINT");
    }

    @Test
    void haltsAfterItsTimeLimit() {
        Termination termination = termination(Duration.ofMillis(1));

        termination.signalled("SIGTERM");

        await().untilAsserted(() -> assertThat(halted).hasValue(1));
        assertThat(err.toString().lines()).hasSize(1);
    }

    @Test
    void aSignalBeforeTheStartEndsAtOnceWithZero() {
        Termination.beforeStart(new PrintWriter(err, true), halted::set).accept("SIGTERM");

        assertThat(halted).hasValue(0);
        assertThat(err.toString().lines()).singleElement().asString().contains("SIGTERM before it had started");
    }

    private Termination termination(Duration limit) {
        return new Termination(new PrintWriter(err, true), limit, halted::set);
    }
}
