package kvant.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// `timeout` of GNU sends a signal twice, and a person means the second one.
class SignalsTest {

    private final List<String> heard = new ArrayList<>();
    private long nowNanos = Long.MAX_VALUE - 5; // it may overflow
    private final Consumer<String> signals = Signals.withoutEchoes(heard::add, () -> nowNanos);

    @Test
    void theFirstSignalIsHeardWheneverItComes() {
        signals.accept("SIGTERM");

        assertThat(heard).containsExactly("SIGTERM");
    }

    @Test
    void whatComesWithinASecondIsTheSameSignalOnceMore() {
        signals.accept("SIGTERM");
        signals.accept("SIGTERM");
        nowNanos += TimeUnit.MILLISECONDS.toNanos(999);
        signals.accept("SIGINT");

        assertThat(heard).containsExactly("SIGTERM");
    }

    @Test
    void whatComesASecondLaterIsAnotherSignal() {
        signals.accept("SIGTERM");
        nowNanos += TimeUnit.SECONDS.toNanos(1);
        signals.accept("SIGTERM");

        assertThat(heard).containsExactly("SIGTERM", "SIGTERM");
    }
}
