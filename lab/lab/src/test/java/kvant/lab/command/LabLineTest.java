package kvant.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import kvant.lab.experiment.Step;
import kvant.lab.result.Remark;
import kvant.lab.result.StepRecord;
import kvant.lab.result.StepRecord.Disturbance;
import kvant.lab.result.StepRecord.ProcessFigures;
import kvant.lab.run.Instruments.Undecided;
import kvant.lab.run.RunListener.Eta;
import kvant.load.record.Failure;
import kvant.load.record.RequestCounts;
import kvant.load.record.RequestCounts.Count;
import kvant.report.sentence.Remarks;
import kvant.text.ProgressLine;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Progress lines of a run of the laboratory without a terminal.
class LabLineTest {

    private final StringWriter text = new StringWriter();
    private final LabLine line = new LabLine(new ProgressLine(new PrintWriter(text), false));

    @Test
    void aStepThatNobodyAnsweredHasErrorsAndNoPercentile() {
        Step step = new Step("01-a-put", "a", "put", 1, false);
        line.begins(step, 1, 4, Duration.ofSeconds(9));
        line.answered(step, failed(2500));
        line.ended(record(step, StepRecord.Status.DONE, null));

        assertThat(text.toString().lines())
                .containsExactly(
                        "[1/4] a, put, repeat 1, about 9 s left",
                        "[1/4] a, put, repeat 1: 0 answers, p99 -, errors 2500");
    }

    /// Steps that take twice as long as estimated say so once, and not while a round is half begun.
    @Test
    void aRunSaysHowLongItTakesOnThisMachine() {
        AtomicLong now = new AtomicLong();
        StringWriter said = new StringWriter();
        Step a = new Step("01-a-put", "a", "put", 1, false);
        Step b = new Step("01-b-put", "b", "put", 1, false);
        Step c = new Step("02-b-put", "b", "put", 2, false);
        Step d = new Step("02-a-put", "a", "put", 2, false);
        try (LabLine own = new LabLine(new ProgressLine(new PrintWriter(said), false), now::get)) {
            own.willTake(Duration.ofMinutes(5));
            own.begins(a, 1, 4, Duration.ofMinutes(5));
            own.begins(b, 2, 4, Duration.ofSeconds(1));
            own.ended(record(a, StepRecord.Status.DONE, null));
            own.ended(record(b, StepRecord.Status.DONE, null));
            now.set(Duration.ofMinutes(4).toNanos());
            own.begins(c, 3, 4, Duration.ofMinutes(6));
            own.ended(record(c, StepRecord.Status.DONE, null));
            now.set(Duration.ofMinutes(8).toNanos());
            own.begins(d, 4, 4, Duration.ofMinutes(3));
        }

        assertThat(said.toString().lines().filter(line -> line.startsWith("kvant: ")))
                .containsExactly("kvant: on this machine it takes about 10 min, not 5 min");
    }

    private static StepRecord record(Step step, StepRecord.Status status, @Nullable Remark reason) {
        return new StepRecord(
                step.id(),
                step.variant(),
                step.phase(),
                step.repeat(),
                step.profiled(),
                status,
                reason,
                "",
                ProcessFigures.NONE,
                5_960_000_000L,
                0,
                0,
                Map.of());
    }

    private static RequestCounts failed(int n) {
        RequestCounts counts = new RequestCounts();
        for (int i = 0; i < n; i++) {
            counts.add(Count.SENT, 1);
            counts.failed(Failure.TIMEOUT);
        }
        return counts;
    }

    /// All of a round begin before the first of them ends, and the last load is of one of them.
    @Test
    void eachStepOfAnInterleavedRoundIsToldWithItsOwnPlaceAndErrors() {
        Step a = new Step("01-a-put", "a", "put", 1, false);
        Step b = new Step("01-b-put", "b", "put", 1, false);
        line.begins(a, 1, 2, Duration.ofSeconds(9));
        line.begins(b, 2, 2, Duration.ofSeconds(9));
        line.turn(b);
        line.disturbed(a, Set.of(Disturbance.STOLEN));
        line.answered(a, failed(3));
        line.answered(b, failed(1));
        line.counted(failed(7));
        line.ended(record(a, StepRecord.Status.DONE, null));
        line.ended(record(b, StepRecord.Status.DONE, null));

        assertThat(text.toString().lines().skip(2))
                .containsExactly(
                        "[1/2] a, put, repeat 1: the host took processors away; it is measured again",
                        "[1/2] a, put, repeat 1: 0 answers, p99 -, errors 3",
                        "[2/2] b, put, repeat 1: 0 answers, p99 -, errors 1");
    }

    /// Not all of a round that is stopped have begun.
    @Test
    void eachStepOfARoundThatIsStoppedIsToldOnce() {
        Remark stopped = new Remark.StoppedBeforeItsEnd();
        Step a = new Step("01-a-put", "a", "put", 1, false);
        line.begins(a, 1, 2, Duration.ofSeconds(9));
        line.ended(record(a, StepRecord.Status.PLANNED, stopped));
        line.ended(record(new Step("01-b-put", "b", "put", 1, false), StepRecord.Status.PLANNED, stopped));

        assertThat(text.toString().lines().skip(1))
                .containsExactly(
                        "[1/2] a, put, repeat 1: " + Remarks.english(stopped),
                        "b, put, repeat 1: " + Remarks.english(stopped));
    }

    /// A question that more rounds would not answer is not open, and need not be decided.
    @Test
    void aRunUntilDecidedSaysWhyItGoesOnAndWhyItEnds() {
        List<Eta.Open> open = List.of(
                new Eta.Open(new Undecided("alike", "a", "b", "put", 0.1, 12, 0), Duration.ofMinutes(6)),
                new Eta.Open(new Undecided("alike", "a", "b", "get", 0.05, 4, 2), Duration.ofSeconds(90)),
                new Eta.Open(new Undecided("new", "a", "c", "get", 0.1, 0, 0), Duration.ZERO));
        line.looked(new Eta(open, Duration.ofMinutes(7), Duration.ofMinutes(7)), true);
        line.looked(new Eta(open.subList(2, 3), Duration.ofMinutes(7), Duration.ofMinutes(3)), true);
        line.looked(new Eta(open.subList(0, 1), Duration.ofMinutes(7), Duration.ZERO), false);
        line.looked(new Eta(List.of(), Duration.ZERO, Duration.ZERO), false);
        Undecided far = new Undecided("far", "a", "b", "put", 0.01, 201, 0);
        Eta.Open never = new Eta.Open(far, Duration.ofHours(3));
        line.looked(new Eta(List.of(never), Duration.ofHours(3), Duration.ZERO), false);

        assertThat(text.toString().lines())
                .containsExactly(
                        "kvant: open: alike, new; left out, disturbed from outside: 2 blocks",
                        "kvant: alike (put, a and b): about 12 more rounds, 6 min, to see 10 %",
                        "kvant: alike (get, a and b): about 4 more rounds, 90 s, to see 5 %",
                        "kvant: the time will not suffice: about 7 min are needed, and 3 min are left",
                        "kvant: open: new",
                        "kvant: the time is spent; open: alike",
                        "kvant: alike (put, a and b): about 12 more rounds, 6 min, to see 10 %",
                        "kvant: no question is left that more rounds would answer",
                        "kvant: the time is spent; open: far",
                        "kvant: far (put, a and b): more than 200 more rounds, more than a run may have, to see 1 %");
    }
}
