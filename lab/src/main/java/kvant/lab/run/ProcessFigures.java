package kvant.lab.run;

/// What the served process took during the measured time of a step; 0 is "not measured".
///
/// @param answered requests in the same time
public record ProcessFigures(
        long pid, long cpuNanos, long maxRssBytes, long answered, long gcPauseNanos, long gcCount) {

    static final ProcessFigures NONE = new ProcessFigures(0, 0, 0, 0, 0, 0);

    ProcessFigures withGc(long pauseNanos, long count) {
        return new ProcessFigures(pid, cpuNanos, maxRssBytes, answered, pauseNanos, count);
    }

    /// NaN where it was not measured.
    double cpuNanosPerRequest() {
        return cpuNanos > 0 && answered > 0 ? (double) cpuNanos / answered : Double.NaN;
    }
}
