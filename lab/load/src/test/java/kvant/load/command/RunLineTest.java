package kvant.load.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import kvant.load.http.Target;
import kvant.load.plan.Clients;
import kvant.load.plan.LoadPlan;
import kvant.load.plan.Pace;
import kvant.load.plan.Warmup;
import kvant.load.record.Window;
import kvant.load.workload.Workload;
import kvant.text.ProgressLine;
import org.junit.jupiter.api.Test;

/// The progress lines of a load.
class RunLineTest {

    private static final long SECOND = 1_000_000_000L;
    private static final Window NOTHING = new Window(0, SECOND, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    private final StringWriter text = new StringWriter();
    private final RunLine line = new RunLine(new ProgressLine(new PrintWriter(text), true));

    private static LoadPlan plan(Warmup warmup) {
        Pace pace = Pace.open(2500, Duration.ofSeconds(8)).with(p -> p.warmup = warmup);
        return LoadPlan.of(Target.parse("http://h"), Workload.plain("GET"), Clients.defaults(), pace);
    }

    @Test
    void howLongItMayTakeIsSaidUpFrontAndOnce() {
        line.begins(plan(Warmup.untilStable()));
        line.begins(plan(Warmup.untilStable()));

        assertThat(text.toString().lines())
                .containsExactly("kvant: warming up until the server is stable, at most 60 s, then measuring for 8 s:"
                        + " at most 69 s (--warmup 5s has a fixed one)");
        line.warming(NOTHING, 3);
        assertThat(text.toString()).contains("warming up, 3 of at most 60 s: 0/s");
    }

    @Test
    void aFixedWarmUpSaysNothingUpFront() {
        line.begins(plan(Warmup.fixed(Duration.ofSeconds(5))));

        assertThat(text.toString()).isEmpty();
    }

    @Test
    void percentilesOfNothingAreNoNumbersAndWhoWaitsIsSeen() {
        line.begins(plan(Warmup.none()));
        line.measured(NOTHING, 1, 8);

        assertThat(text.toString())
                .contains("1 of 8 s: 0/s  p50 -  p99 -  max -  errors 0  waiting 2500")
                .doesNotContain("0.00us");
    }

    @Test
    void whoIsInFlightDoesNotWait() {
        line.begins(plan(Warmup.none()));
        line.measured(new Window(0, SECOND, 2490, 0, 1000, 1000, 1000, 1000, 1000, 1000, 10, 2490, 0), 1, 8);

        assertThat(text.toString()).contains("2490/s  p50 1.00us").doesNotContain("waiting");
    }
}
