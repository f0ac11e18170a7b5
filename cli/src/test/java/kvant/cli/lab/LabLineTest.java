package kvant.cli.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import kvant.lab.experiment.Step;
import kvant.lab.result.ProcessFigures;
import kvant.lab.result.StepRecord;
import kvant.lab.run.Instruments.Undecided;
import kvant.lab.run.TimeToGo;
import kvant.load.record.Failure;
import kvant.load.record.RequestCounts;
import kvant.text.ProgressLine;
import org.junit.jupiter.api.Test;

/// What a run of the laboratory says while it goes on, where nobody sits at a terminal.
class LabLineTest {

    private final StringWriter text = new StringWriter();
    private final LabLine line = new LabLine(new ProgressLine(new PrintWriter(text), false));

    @Test
    void aStepThatNobodyAnsweredHasErrorsAndNoPercentile() {
        RequestCounts counts = new RequestCounts();
        for (int i = 0; i < 2500; i++) {
            counts.sent();
            counts.failed(Failure.TIMEOUT);
        }
        line.begins(new Step("01-a-put", "a", "put", 1, false), 1, 4, Duration.ofSeconds(9));
        line.counted(counts);
        line.ended(new StepRecord(
                "01-a-put",
                "a",
                "put",
                1,
                false,
                StepRecord.Status.DONE,
                null,
                "",
                ProcessFigures.NONE,
                5_960_000_000L,
                0,
                0,
                Map.of()));

        assertThat(text.toString().lines())
                .containsExactly(
                        "[1/4] a, put, repeat 1, about 9 s left",
                        "[1/4] a, put, repeat 1: 0 answers, p99 -, errors 2500");
    }

    /// What more rounds would not answer is not open, and need not be decided.
    @Test
    void aRunUntilDecidedSaysWhyItGoesOnAndWhyItEnds() {
        List<TimeToGo.Open> open = List.of(
                new TimeToGo.Open(new Undecided("alike", "a", "b", "put", 0.1, 12, 0), Duration.ofMinutes(6)),
                new TimeToGo.Open(new Undecided("alike", "a", "b", "get", 0.05, 4, 2), Duration.ofSeconds(90)),
                new TimeToGo.Open(new Undecided("new", "a", "c", "get", 0.1, 0, 0), Duration.ZERO));
        line.looked(new TimeToGo(open, Duration.ofMinutes(7), Duration.ofMinutes(7)), true);
        line.looked(new TimeToGo(open.subList(2, 3), Duration.ofMinutes(7), Duration.ofMinutes(3)), true);
        line.looked(new TimeToGo(open.subList(0, 1), Duration.ofMinutes(7), Duration.ZERO), false);
        line.looked(new TimeToGo(List.of(), Duration.ZERO, Duration.ZERO), false);

        assertThat(text.toString().lines())
                .containsExactly(
                        "kvant: open: alike, new; left out, disturbed from outside: 2 blocks",
                        "kvant: alike (put, a and b): about 12 more rounds, 6 min, to see 10 %",
                        "kvant: alike (get, a and b): about 4 more rounds, 90 s, to see 5 %",
                        "kvant: the time will not suffice: about 7 min are needed, and 3 min are left",
                        "kvant: open: new",
                        "kvant: the time is spent; open: alike",
                        "kvant: alike (put, a and b): about 12 more rounds, 6 min, to see 10 %",
                        "kvant: no question is left that more rounds would answer");
    }
}
