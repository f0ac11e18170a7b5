package kvant.lab.run;

/// What the served process took during the measured time of a step; 0 is "not measured".
///
/// @param answered requests in the same time
/// @param allocatedBytes on the heap of a JVM
public record ProcessFigures(
        long pid,
        long cpuNanos,
        long maxRssBytes,
        long answered,
        long gcPauseNanos,
        long gcCount,
        long allocatedBytes) {

    static final ProcessFigures NONE = new ProcessFigures(0, 0, 0, 0, 0, 0, 0);

    /// With what the flight recorder of the process knows.
    ProcessFigures with(JfrEvents events) {
        return new ProcessFigures(
                pid, cpuNanos, maxRssBytes, answered, events.gcPauseNanos(), events.gcCount(), events.allocatedBytes());
    }

    /// NaN where it was not measured.
    double cpuNanosPerRequest() {
        return cpuNanos > 0 && answered > 0 ? (double) cpuNanos / answered : Double.NaN;
    }
}
