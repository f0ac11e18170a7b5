package kvant.lab.command;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import kvant.lab.experiment.Experiment;
import kvant.lab.experiment.Step;
import kvant.lab.result.Remark;
import kvant.lab.result.StepRecord;
import kvant.lab.result.StepRecord.Disturbance;
import kvant.lab.run.Instruments.Undecided;
import kvant.lab.run.RunListener;
import kvant.lab.run.RunListener.Eta;
import kvant.load.record.RequestCounts;
import kvant.load.record.Window;
import kvant.report.sentence.Remarks;
import kvant.text.ProgressLine;
import kvant.text.Units;
import org.jspecify.annotations.Nullable;

/// The progress of a run of the laboratory. On a terminal: a status line that is overwritten, and one line for each
/// finished step. Otherwise: two lines for each step.
///
/// Belongs to the thread of the run.
final class LabLine implements RunListener, AutoCloseable {

    /// Relative change of the estimated total time from which the new estimate is printed.
    private static final double MOST_OFF = 0.25;

    private final ProgressLine line;
    private final Map<String, String> places = new HashMap<>(); // by step, of those that started
    private final Map<String, Long> errorsOf = new HashMap<>(); // by step, of those that were measured
    private final long beginNanos;
    private final LongSupplier clock;
    private String place = "";
    private long endNanos;
    private long saidNanos; // last printed estimate of the whole run; 0 before
    private long errors; // of the current load

    LabLine(ProgressLine line) {
        this(line, System::nanoTime);
    }

    LabLine(ProgressLine line, LongSupplier clock) {
        this.line = line;
        this.clock = clock;
        this.beginNanos = clock.getAsLong();
    }

    /// Prints an estimate for any machine at the start. The durations of the steps later replace it.
    void willTake(Duration estimate) {
        saidNanos = estimate.toNanos();
    }

    @Override
    public void begins(Step step, int number, int of, Duration left) {
        String own = place(step.variant(), step.phase(), step.profiled(), step.repeat());
        place = "[" + number + "/" + of + "] " + own;
        endNanos = clock.getAsLong() + left.toNanos();
        if (places.isEmpty()) { // otherwise started steps of its round are still to be measured
            correct(endNanos - beginNanos);
        }
        places.put(step.id(), place);
        errors = 0;
        if (!line.isTerminal()) {
            line.line(place + ", about " + LabText.time(left) + " left");
        }
    }

    private void correct(long allNanos) {
        if (saidNanos > 0 && Math.abs(allNanos - saidNanos) > MOST_OFF * saidNanos) {
            note("on this machine it takes about " + LabText.time(Duration.ofNanos(allNanos)) + ", not "
                    + LabText.time(Duration.ofNanos(saidNanos)));
            saidNanos = allNanos;
        }
    }

    private static String place(String variant, String phase, boolean profiled, int repeat) {
        return variant + ", " + phase + ", " + (profiled ? "profile" : "repeat " + repeat);
    }

    @Override
    public void turn(Step step) {
        place = places.getOrDefault(step.id(), place);
        errors = 0;
    }

    @Override
    public void doing(String what) {
        draw(what);
    }

    @Override
    public void filled(long done, long keys, double seconds) {
        double rate = done / Math.max(seconds, 1e-3);
        String left = done == 0 ? "?" : String.format(Locale.ROOT, "%.0f s", (keys - done) / rate);
        draw(String.format(Locale.ROOT, "filling, %d of %d keys, %.0f/s, %s to go", done, keys, rate, left));
    }

    @Override
    public void warming(Window window, double seconds) {
        draw(String.format(
                Locale.ROOT, "warming up, %.0f s, p99 %s", seconds, Units.time(window.p99Nanos(), window.completed())));
    }

    @Override
    public void measured(Window window, double seconds, double ofSeconds) {
        errors += window.errors();
        draw(String.format(
                Locale.ROOT,
                "%.0f of %.0f s: %.0f/s, p99 %s, errors %d",
                seconds,
                ofSeconds,
                window.rate(),
                Units.time(window.p99Nanos(), window.completed()),
                errors));
    }

    /// During a load, unanswered requests are not errors yet. An interleaved step has many loads.
    @Override
    public void answered(Step step, RequestCounts counts) {
        errorsOf.put(step.id(), counts.errors());
    }

    @Override
    public void disturbed(Step step, Set<Disturbance> by) {
        String who = by.contains(Disturbance.STOLEN) ? "the host" : "other processes";
        line.line(places.getOrDefault(step.id(), place) + ": " + who + " took processors away; it is measured again");
        errors = 0;
    }

    @Override
    public void ended(StepRecord result) {
        String outcome = switch (result.status()) {
            case DONE ->
                String.format(
                        Locale.ROOT,
                        "%d answers, p99 %s, errors %d",
                        result.process().answered(),
                        Units.time(result.p99Nanos(), result.process().answered()),
                        errorsOf.getOrDefault(result.id(), 0L));
            case FAILED -> "failed: " + said(result.reason());
            case PLANNED, SKIPPED -> said(result.reason());
        };
        String own = place(result.variant(), result.phase(), result.profiled(), result.repeat());
        line.line(places.getOrDefault(result.id(), own) + ": " + outcome);
        places.remove(result.id());
        errorsOf.remove(result.id());
    }

    private static String said(@Nullable Remark reason) {
        return reason == null ? "" : Remarks.english(reason);
    }

    @Override
    public void warning(Remark doubt) {
        note(Remarks.english(doubt));
    }

    @Override
    public void leftOut(String variant, Remark why) {
        note("variant " + variant + " is left out: " + Remarks.english(why));
    }

    @Override
    public void looked(Eta time, boolean goesOn) {
        List<Eta.Open> open = time.open();
        if (open.isEmpty()) {
            note("no question is left that more rounds would answer");
            return;
        }
        if (goesOn && !time.suffices()) {
            note("the time will not suffice: about " + LabText.time(time.needed()) + " are needed, and "
                    + LabText.time(time.left()) + " are left");
        }
        String questions =
                open.stream().map(one -> one.question().question()).distinct().collect(Collectors.joining(", "));
        note((goesOn ? "open: " : "the time is spent; open: ") + questions + leftOut(open));
        open.stream().filter(one -> one.question().roundsToGo() > 0).forEach(one -> note(outlook(one)));
    }

    private static String leftOut(List<Eta.Open> open) {
        long left =
                open.stream().mapToLong(one -> one.question().leftOut()).max().orElse(0);
        return left == 0 ? "" : "; left out, disturbed from outside: " + left + (left == 1 ? " block" : " blocks");
    }

    private static String outlook(Eta.Open one) {
        Undecided question = one.question();
        return question.question() + " (" + question.phase() + ", " + question.a() + " and " + question.b() + "): "
                + rounds(one) + ", to see " + LabText.percent(question.margin());
    }

    private static String rounds(Eta.Open one) {
        long rounds = one.question().roundsToGo();
        return rounds > Experiment.MOST_REPEATS
                ? "more than " + Experiment.MOST_REPEATS + " more rounds, more than a run may have"
                : "about " + rounds + " more rounds, " + LabText.time(one.time());
    }

    @Override
    public void nothingToDo() {
        note("all steps are done");
    }

    void note(String text) {
        line.note(text);
    }

    private void draw(String what) {
        if (line.isTerminal()) {
            Duration left = Duration.ofNanos(Math.max(0, endNanos - clock.getAsLong()));
            line.draw(place + ", " + LabText.time(left) + " left: " + what);
        }
    }

    @Override
    public void close() {
        line.close();
    }
}
