package kvant.report.folder;

import java.util.List;
import java.util.Optional;
import kvant.lab.result.Remark;
import kvant.lab.result.RunRecord;
import kvant.lab.result.RunRecord.Missing;
import kvant.lab.result.RunRecord.VariantRecord;
import kvant.lab.result.SamplesRecord;
import kvant.lab.result.StepRecord;
import kvant.lab.result.TailRecord;
import org.jspecify.annotations.Nullable;

/// All results of a run, complete or not.
///
/// @param variants without the folders of the machine, as in [#command]
/// @param missing results that the run, or this reader, could not obtain
/// @param differences of profiles
/// @param graphsLeftOut whether the report has no links to flame graphs, because it must be self-contained
public record Results(
        RunRecord run,
        List<VariantRecord> variants,
        List<MeasuredStep> steps,
        List<Missing> missing,
        List<Profile> profiles,
        List<Profile.Difference> differences,
        boolean graphsLeftOut) {

    /// The command line that repeats the run.
    public String command() {
        return DecodedResult.shortened(run.command());
    }

    public boolean complete() {
        return run.status() == RunRecord.Status.COMPLETE;
    }

    /// Measured steps of a variant in a phase, in the order of rounds, without profiled steps.
    public List<MeasuredStep> steps(String variant, String phase) {
        return steps.stream()
                .filter(step -> !step.profiled()
                        && step.variant().equals(variant)
                        && step.phase().equals(phase))
                .toList();
    }

    public List<MeasuredStep> usable(String variant, String phase) {
        return steps(variant, phase).stream().filter(MeasuredStep::isUsable).toList();
    }

    public Optional<Profile> profile(String variant, String phase) {
        return profiles.stream()
                .filter(one -> one.variant().equals(variant) && one.phase().equals(phase))
                .findFirst();
    }

    public Optional<Profile.Difference> difference(String a, String b, String phase, String event) {
        return differences.stream()
                .filter(one -> one.phase().equals(phase) && one.event().equals(event))
                .filter(one -> one.a().equals(a) && one.b().equals(b)
                        || one.a().equals(b) && one.b().equals(a))
                .findFirst();
    }

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

        /// True if its figures may be judged: measured to the end, without the profiler, and with a generator
        /// that kept up.
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
}
