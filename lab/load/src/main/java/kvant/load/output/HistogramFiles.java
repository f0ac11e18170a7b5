package kvant.load.output;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import kvant.text.UserException;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/// Files for HdrHistogram tools: `.hgrm` (percentiles, in milliseconds) and `.hlog` (the histogram of each window, in
/// nanoseconds).
public final class HistogramFiles {

    private static final double NANOS_PER_MILLI = 1e6;
    private static final int TICKS_PER_HALF = 5;
    private static final long NANOS_PER_MILLI_WHOLE = 1_000_000;

    private HistogramFiles() {}

    /// The text of a `.hgrm` file.
    public static String hgrm(Histogram response) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8)) {
            response.outputPercentileDistribution(out, TICKS_PER_HALF, NANOS_PER_MILLI);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static PrintStream open(Path file) {
        try {
            return new PrintStream(file.toFile(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UserException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    /// A log written during the run, so that it survives a failure of the run.
    public static final class Log implements AutoCloseable {

        private final PrintStream out;
        private final HistogramLogWriter writer;
        private long startMillis;
        private boolean begun;

        public Log(Path file) {
            out = open(file);
            writer = new HistogramLogWriter(out);
        }

        /// Adds a window that has just ended.
        ///
        /// @param fromNanos since the start of the measured time
        public void interval(Histogram response, long fromNanos, long lengthNanos) {
            if (!begun) {
                begin(Instant.now().minusNanos(fromNanos + lengthNanos).toEpochMilli());
            }
            response.setStartTimeStamp(startMillis + fromNanos / NANOS_PER_MILLI_WHOLE);
            response.setEndTimeStamp(startMillis + (fromNanos + lengthNanos) / NANOS_PER_MILLI_WHOLE);
            writer.outputIntervalHistogram(response);
            out.flush();
        }

        private void begin(long millis) {
            startMillis = millis;
            begun = true;
            writer.outputComment("[Response times in nanoseconds, from the time that each request was due]");
            writer.outputLogFormatVersion();
            writer.outputStartTime(millis);
            writer.setBaseTime(millis);
            writer.outputBaseTime(millis);
            writer.outputLegend();
        }

        /// True if everything was written so far; this kind of stream does not report errors by itself.
        public boolean isWhole() {
            return !out.checkError();
        }

        @Override
        public void close() {
            out.close();
        }
    }
}
