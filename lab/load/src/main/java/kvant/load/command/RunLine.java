package kvant.load.command;

import java.math.BigDecimal;
import java.time.Duration;
import kvant.load.output.HistogramFiles;
import kvant.load.plan.LoadPlan;
import kvant.load.plan.Pace;
import kvant.load.record.Percentiles;
import kvant.load.record.Window;
import kvant.load.run.Progress;
import kvant.text.ProgressLine;
import kvant.text.Units;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/// Shows the progress of a run: one line on a terminal. Without a terminal it prints notes only, one line each.
///
/// Belongs to the thread of the run.
final class RunLine implements Progress, AutoCloseable {

    private static final int BAR = 30;

    private final ProgressLine line;
    private HistogramFiles.@Nullable Log log;
    private @Nullable Pace pace;
    private long room;
    private long completed;
    private long errors;
    private boolean announced;

    RunLine(ProgressLine line) {
        this.line = line;
    }

    /// Also passes the windows to a histogram log.
    RunLine with(HistogramFiles.Log histogramLog) {
        log = histogramLog;
        return this;
    }

    private void draw(String format, Object... arguments) {
        if (line.isTerminal()) {
            line.draw(Units.format(format, arguments));
        }
    }

    /// Prints a line that is not overwritten.
    void note(String text) {
        line.note(text);
    }

    @Override
    public void close() {
        line.close();
    }

    @Override
    public void filled(long done, long keys, double seconds) {
        int full = (int) (BAR * done / Math.max(1, keys));
        double rate = done / Math.max(seconds, 1e-3);
        String left = done == 0 ? "?" : Units.format("%.0f s", (keys - done) / rate);
        draw(
                "filling [%s%s] %d of %d keys, %.0f/s, %s left",
                "#".repeat(full), ".".repeat(BAR - full), done, keys, rate, left);
    }

    /// Announces the limits: an automatic warm-up may take longer than the measurement.
    @Override
    public void begins(LoadPlan plan) {
        pace = plan.pace();
        room = (long) plan.clients().connections() * plan.clients().depth();
        completed = 0;
        errors = 0;
        if (pace.warmup().auto() && !announced) {
            announced = true;
            Duration warmup = pace.warmup().limit();
            note(Units.format(
                    "warming up until the server is stable, at most %s, then measuring for %s: at most %s"
                            + " (--warmup 5s has a fixed one)",
                    seconds(warmup),
                    seconds(pace.duration()),
                    seconds(warmup.plus(pace.duration()).plus(pace.drain()))));
        }
    }

    private static String seconds(Duration time) {
        return BigDecimal.valueOf(time.toNanos(), 9).stripTrailingZeros().toPlainString() + " s";
    }

    @Override
    public void warming(Window window, double seconds) {
        String limit = pace == null
                ? ""
                : Units.format(" of %s%s", most(pace), seconds(pace.warmup().limit()));
        completed += window.completed();
        draw("warming up, %.0f%s: %s%s", seconds, limit, figures(window, window.errors()), waiting(seconds));
    }

    private static String most(Pace pace) {
        return pace.warmup().auto() ? "at most " : "";
    }

    @Override
    public void warm(double seconds, boolean stable) {
        completed = 0;
        if (!stable) {
            note(Units.format("still not stable after %.0f s of warm-up; measuring anyway", seconds));
        }
    }

    @Override
    public void measured(Window window, double seconds, double ofSeconds) {
        errors += window.errors();
        completed += window.completed();
        draw("%.0f of %.0f s: %s%s", seconds, ofSeconds, figures(window, errors), waiting(seconds));
    }

    /// The backlog: requests that are due and have no outcome yet, if more than fit in flight. No figure includes them.
    private String waiting(double seconds) {
        long waiting = pace == null || pace.isClosed() ? 0 : Math.round(pace.rate() * seconds) - completed;
        return waiting > room ? "  waiting " + waiting : "";
    }

    private static String figures(Window window, long errors) {
        return Units.format(
                "%.0f/s  p50 %s  p99 %s  max %s  errors %d",
                window.rate(),
                shown(50, window.p50Nanos(), window.completed()),
                shown(99, window.p99Nanos(), window.completed()),
                Units.time(window.maxNanos(), window.completed()),
                errors);
    }

    private static String shown(double percentile, long nanos, long of) {
        return Percentiles.isShown(percentile, of) ? Units.time(nanos) : "-";
    }

    @Override
    public void interval(Histogram response, long fromNanos, long lengthNanos) {
        if (log != null) {
            log.interval(response, fromNanos, lengthNanos);
        }
    }
}
