package kvant.lab.result;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The result of a step: one variant under one load, once.
///
/// @param reason why it is not done, or null
/// @param startedAt of the measured time, or of the attempt; empty if there was none
/// @param p99Nanos response time, 0 if nothing was measured
/// @param generatorBusy utilisation of the busiest thread of the generator
/// @param discarded number of discarded attempts, in which outside causes took too much processor time
/// @param files by kind, relative to the folder of results
public record StepRecord(
        String id,
        String variant,
        String phase,
        int repeat,
        boolean profiled,
        Status status,
        @Nullable Remark reason,
        String startedAt,
        ProcessFigures process,
        long p99Nanos,
        double generatorBusy,
        int discarded,
        Map<String, String> files) {

    /// The status of a step.
    public enum Status {
        PLANNED,
        DONE,
        FAILED,
        SKIPPED
    }

    public StepRecord {
        files = Collections.unmodifiableMap(new LinkedHashMap<>(files));
    }

    /// The same, with this number of discarded attempts.
    public StepRecord after(int attempts) {
        return new StepRecord(
                id,
                variant,
                phase,
                repeat,
                profiled,
                status,
                reason,
                startedAt,
                process,
                p99Nanos,
                generatorBusy,
                attempts,
                files);
    }

    public boolean isDone() {
        return status == Status.DONE;
    }
}
