package kvant.engine.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Writes without an outcome: bounded, held back, and waited for.
class InFlightWritesTest {

    private static final Duration SHORT = Duration.ofMillis(20);

    private final InFlightWrites writes = new InFlightWrites(100);
    private final List<String> started = new ArrayList<>();

    private record Named(String name, long bytes, List<String> started) implements InFlightWrites.Entrant {
        @Override
        public void start() {
            started.add(name);
        }
    }

    @Test
    void oneIsAcceptedHoweverLargeAndOthersUpToTheBound() {
        assertThat(enter("large", 1_000)).isEqualTo(InFlightWrites.Entry.ACCEPTED);
        assertThat(enter("small", 1)).isEqualTo(InFlightWrites.Entry.FULL);
        writes.leave(1_000);
        assertThat(enter("a", 60)).isEqualTo(InFlightWrites.Entry.ACCEPTED);
        assertThat(enter("b", 40)).isEqualTo(InFlightWrites.Entry.ACCEPTED);
        assertThat(enter("c", 1)).isEqualTo(InFlightWrites.Entry.FULL);
        assertThat(writes.bytes()).isEqualTo(100);
    }

    @Test
    void aPauseHoldsNewOnesBackUntilItEnds() {
        enter("before", 1);
        assertThat(writes.pause(SHORT)).as("quiet").isFalse();
        assertThat(enter("first", 1)).isEqualTo(InFlightWrites.Entry.HELD);
        assertThat(enter("second", 1)).isEqualTo(InFlightWrites.Entry.HELD);
        writes.leave(1);
        assertThat(writes.pause(SHORT)).as("quiet").isTrue();
        assertThat(started).isEmpty();
        writes.resume();
        assertThat(started).containsExactly("first", "second");
        assertThat(enter("after", 1)).isEqualTo(InFlightWrites.Entry.ACCEPTED);
    }

    @Test
    void heldOnesCountAgainstTheBound() {
        writes.pause(SHORT);
        assertThat(enter("held", 100)).isEqualTo(InFlightWrites.Entry.HELD);
        assertThat(enter("more", 1)).isEqualTo(InFlightWrites.Entry.FULL);
    }

    @Test
    void aCloseTurnsNewOnesAwayAndSaysHowManyAreLeft() {
        enter("a", 1);
        assertThat(writes.close(SHORT)).isEqualTo(1);
        assertThat(enter("b", 1)).isEqualTo(InFlightWrites.Entry.CLOSED);
        writes.leave(1);
        assertThat(writes.close(SHORT)).isZero();
    }

    @Test
    void oneThatCannotBeStartedKeepsNoneFromIt() {
        writes.pause(SHORT);
        writes.enter(new InFlightWrites.Entrant() {
            @Override
            public long bytes() {
                return 1;
            }

            @Override
            public void start() {
                writes.leave(1);
                throw new StackOverflowError("on purpose");
            }
        });
        enter("second", 1);
        writes.resume();
        assertThat(started).containsExactly("second");
        assertThat(enter("after", 1)).as("the pause is over").isEqualTo(InFlightWrites.Entry.ACCEPTED);
    }

    private InFlightWrites.Entry enter(String name, long bytes) {
        return writes.enter(new Named(name, bytes, started));
    }
}
