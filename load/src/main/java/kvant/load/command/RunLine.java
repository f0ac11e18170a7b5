package kvant.load.command;

import java.util.Locale;
import kvant.load.output.HistogramFiles;
import kvant.load.record.Window;
import kvant.load.run.Progress;
import kvant.text.ProgressLine;
import kvant.text.Units;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/// One line on a terminal that says how a run goes. Elsewhere it says nothing but notes, one line each.
///
/// Used by the thread of the run alone.
final class RunLine implements Progress, AutoCloseable {

    private static final int BAR = 30;

    private final ProgressLine line;
    private HistogramFiles.@Nullable Log log;
    private long errors;

    RunLine(ProgressLine line) {
        this.line = line;
    }

    /// Hands the windows to a log as well.
    RunLine with(HistogramFiles.Log histogramLog) {
        log = histogramLog;
        return this;
    }

    private void draw(String format, Object... arguments) {
        if (line.isTerminal()) {
            line.draw(String.format(Locale.ROOT, format, arguments));
        }
    }

    /// A line that stays.
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
        String left = done == 0 ? "?" : String.format(Locale.ROOT, "%.0f s", (keys - done) / rate);
        draw(
                "filling [%s%s] %d of %d keys, %.0f/s, %s left",
                "#".repeat(full), ".".repeat(BAR - full), done, keys, rate, left);
    }

    @Override
    public void warming(Window window, double seconds) {
        draw("warming up, %.0f s: %s", seconds, figures(window, window.errors()));
    }

    @Override
    public void warm(double seconds, boolean stable) {
        if (!stable) {
            note(String.format(Locale.ROOT, "still not stable after %.0f s of warm-up; measuring anyway", seconds));
        }
    }

    @Override
    public void measured(Window window, double seconds, double ofSeconds) {
        errors += window.errors();
        draw("%.0f of %.0f s: %s", seconds, ofSeconds, figures(window, errors));
    }

    private static String figures(Window window, long errors) {
        return String.format(
                Locale.ROOT,
                "%.0f/s  p50 %s  p99 %s  max %s  errors %d",
                window.rate(),
                Units.time(window.p50Nanos()),
                Units.time(window.p99Nanos()),
                Units.time(window.maxNanos()),
                errors);
    }

    @Override
    public void interval(Histogram response, long fromNanos, long lengthNanos) {
        if (log != null) {
            log.interval(response, fromNanos, lengthNanos);
        }
    }
}
