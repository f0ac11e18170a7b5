package kvant.report.folder;

import kvant.lab.result.Remark;
import kvant.lab.result.SamplesRecord;
import kvant.lab.result.StepRecord;
import kvant.lab.result.TailRecord;
import org.jspecify.annotations.Nullable;

/// One variant under one load, once: its record, and the contents of its files.
///
/// @param load the measurement, null if it is not readable
/// @param unreadable the reason for that, or null
public record MeasuredStep(
        StepRecord record,
        @Nullable DecodedResult load,
        @Nullable Remark unreadable,
        SamplesRecord samples,
        @Nullable TailRecord tail) {

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

    /// The reason why it is not done, or null.
    public @Nullable Remark reason() {
        return record.reason();
    }

    /// NaN if not measured; likewise below.
    public double maxRssBytes() {
        return record.process().maxRssBytes() > 0 ? record.process().maxRssBytes() : Double.NaN;
    }

    public double gcPauseNanos() {
        return isProcessMeasured() ? record.process().gcPauseNanos() : Double.NaN;
    }

    public double gcCount() {
        return isProcessMeasured() ? record.process().gcCount() : Double.NaN;
    }

    private boolean isProcessMeasured() {
        return record.process().cpuNanos() > 0 || record.process().maxRssBytes() > 0;
    }

    /// True if its figures may be judged: measured to the end, without the profiler, and with a generator that kept up.
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
