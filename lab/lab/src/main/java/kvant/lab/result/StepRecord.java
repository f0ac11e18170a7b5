package kvant.lab.result;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What became of one variant under one load, once.
///
/// @param reason why it is not done, or null
/// @param startedAt of the measured time, or of the attempt; empty where there was none
/// @param p99Nanos response time, 0 where nothing was measured
/// @param generatorBusy share of its time that the busiest thread of the generator computed
/// @param discarded how often it was measured before, and something outside of the run took too much of the processors
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

    /// What a step can be.
    public enum Status {
        PLANNED,
        DONE,
        FAILED,
        SKIPPED
    }

    public StepRecord {
        files = Collections.unmodifiableMap(new LinkedHashMap<>(files));
    }

    /// The same, measured after so many attempts that count for nothing.
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
