package kvant.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import kvant.lab.experiment.Step;
import kvant.lab.record.Window;
import kvant.lab.report.Percentiles;
import kvant.lab.run.RunListener;
import kvant.lab.run.StepResult;

/// How a run of the laboratory goes: on a terminal a line that is drawn over, and one line for each
/// step that has ended; elsewhere two lines for each step.
///
/// Used by the thread of the run alone.
final class LabLine implements RunListener, AutoCloseable {

    private static final String CLEAR = "\r\u001b[K";

    private final PrintWriter err;
    private final boolean terminal;
    private String place = "";
    private long endNanos;
    private long errors;
    private boolean drawn;

    LabLine(PrintWriter err, boolean terminal) {
        this.err = err;
        this.terminal = terminal;
    }

    @Override
    public void begins(Step step, int number, int of, Duration left) {
        String round = step.profiled() ? "profile" : "repeat " + step.repeat();
        place = String.format(Locale.ROOT, "[%d/%d] %s, %s, %s", number, of, step.variant(), step.phase(), round);
        endNanos = System.nanoTime() + left.toNanos();
        errors = 0;
        if (!terminal) {
            line(place + ", about " + LabText.time(left) + " left");
        }
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
        draw(String.format(Locale.ROOT, "warming up, %.0f s, p99 %s", seconds, Percentiles.time(window.p99Nanos())));
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
                Percentiles.time(window.p99Nanos()),
                errors));
    }

    @Override
    public void ended(StepResult result) {
        String outcome = switch (result.status()) {
            case DONE ->
                String.format(
                        Locale.ROOT,
                        "%d answers, p99 %s, errors %d",
                        result.process().answered(),
                        Percentiles.time(result.p99Nanos()),
                        errors);
            case FAILED -> "failed: " + result.reason();
            case PLANNED, SKIPPED -> result.reason();
        };
        line(place + ": " + outcome);
    }

    @Override
    public void note(String text) {
        line("kvant: " + text);
    }

    private void line(String text) {
        close();
        err.println(text);
        err.flush();
    }

    private void draw(String what) {
        if (terminal) {
            Duration left = Duration.ofNanos(Math.max(0, endNanos - System.nanoTime()));
            err.print(CLEAR + place + ", " + LabText.time(left) + " left: " + what);
            err.flush();
            drawn = true;
        }
    }

    @Override
    public void close() {
        if (drawn) {
            err.print(CLEAR);
            err.flush();
            drawn = false;
        }
    }
}
