package kvant.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// One signal asks, the second one or the end of patience forces.
class TerminationTest {

    private static final int STILL_RUNNING = -1;

    private final StringWriter err = new StringWriter();
    private final AtomicInteger halted = new AtomicInteger(STILL_RUNNING);

    @Test
    void theFirstSignalOnlyAsks() throws InterruptedException {
        Termination termination = patient(Duration.ofMinutes(5));

        termination.signalled("SIGTERM");
        termination.await();

        assertThat(halted).hasValue(STILL_RUNNING);
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void theSecondSignalEndsAtOnceAndSaysSo() {
        Termination termination = patient(Duration.ofMinutes(5));

        termination.signalled("SIGTERM");
        termination.signalled("SIGINT");

        assertThat(halted).hasValue(1);
        assertThat(err.toString().lines()).singleElement().asString().contains("a second SIGINT");
    }

    @Test
    void patienceEnds() {
        Termination termination = patient(Duration.ofMillis(1));

        termination.signalled("SIGTERM");

        await().untilAsserted(() -> assertThat(halted).hasValue(1));
        assertThat(err.toString().lines()).hasSize(1);
    }

    private Termination patient(Duration limit) {
        return new Termination(new PrintWriter(err, true), limit, halted::set);
    }
}
