package kvant.lab.study.folder;

import org.jspecify.annotations.Nullable;

/// One variant under one load, once.
///
/// @param status `done`, `failed`, `skipped` or `planned`
/// @param load what was measured, null where there is nothing that can be read
/// @param trouble why not, or empty
public record Step(
        String id,
        String variant,
        String phase,
        int repeat,
        boolean profiled,
        String status,
        String reason,
        Process process,
        @Nullable LoadResult load,
        String trouble,
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

        static Process of(Document json) {
            double cpuNanos = json.at("cpuNanos").number();
            double maxRssBytes = json.at("maxRssBytes").number();
            boolean measured = cpuNanos > 0 || maxRssBytes > 0;
            return new Process(
                    cpuNanos,
                    maxRssBytes > 0 ? maxRssBytes : Double.NaN,
                    json.at("answered").number(),
                    measured ? json.at("gcPauseNanos").number() : Double.NaN,
                    measured ? json.at("gcCount").number() : Double.NaN,
                    json.at("allocatedBytes").number());
        }
    }

    /// Whether its figures may be judged: measured to the end, without the profiler, and by a generator
    /// that kept up.
    public boolean isUsable() {
        return !profiled && status.equals("done") && load != null && load.complete() && !load.isInvalid();
    }

    public double cpuNanosPerRequest() {
        return perRequest(process.cpuNanos);
    }

    public double allocatedBytesPerRequest() {
        return perRequest(process.allocatedBytes);
    }

    private double perRequest(double figure) {
        double answered = process.answered > 0 ? process.answered : load == null ? 0 : load.answered();
        return answered > 0 && figure > 0 ? figure / answered : Double.NaN;
    }
}
