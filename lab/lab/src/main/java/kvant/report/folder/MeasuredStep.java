package kvant.report.folder;

import kvant.lab.result.ProcessFigures;
import kvant.lab.result.Remark;
import kvant.lab.result.StepRecord;
import org.jspecify.annotations.Nullable;

/// One variant under one load, once: its record, and what its files hold.
///
/// @param load what was measured, null where there is nothing that can be read
/// @param unreadable why not, or null
public record MeasuredStep(
        StepRecord record,
        @Nullable DecodedResult load,
        @Nullable Remark unreadable,
        Timeline timeline,
        @Nullable Tail tail) {

    /// What the served process took; 0 becomes NaN, which is "not measured".
    ///
    /// @param answered requests in the same time
    /// @param allocatedBytes on the heap of a JVM
    public record Process(
            double cpuNanos,
            double maxRssBytes,
            double answered,
            double gcPauseNanos,
            double gcCount,
            double allocatedBytes) {

        static Process of(ProcessFigures figures) {
            boolean measured = figures.cpuNanos() > 0 || figures.maxRssBytes() > 0;
            return new Process(
                    figures.cpuNanos(),
                    figures.maxRssBytes() > 0 ? figures.maxRssBytes() : Double.NaN,
                    figures.answered(),
                    measured ? figures.gcPauseNanos() : Double.NaN,
                    measured ? figures.gcCount() : Double.NaN,
                    figures.allocatedBytes());
        }
    }

    public String id() {
        return record.id();
    }

    public String variant() {
        return record.variant();
    }

    public String phase() {
        return record.phase();
    }

    public int repeat() {
        return record.repeat();
    }

    public boolean profiled() {
        return record.profiled();
    }

    public StepRecord.Status status() {
        return record.status();
    }

    /// Why it is not done, or null.
    public @Nullable Remark reason() {
        return record.reason();
    }

    public Process process() {
        return Process.of(record.process());
    }

    /// Whether its figures may be judged: measured to the end, without the profiler, and by a generator
    /// that had time.
    public boolean isUsable() {
        return !profiled() && record.isDone() && load != null && load.complete() && !load.isInvalid();
    }

    public double cpuNanosPerRequest() {
        return perRequest(record.process().cpuNanos());
    }

    public double allocatedBytesPerRequest() {
        return perRequest(record.process().allocatedBytes());
    }

    private double perRequest(double figure) {
        double counted = record.process().answered();
        double answered = counted > 0
                ? counted
                : load == null ? 0 : load.file().requests().answered();
        return answered > 0 && figure > 0 ? figure / answered : Double.NaN;
    }
}
