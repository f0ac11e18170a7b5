package kvant.lab.result;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What the served process took during the measured time of a step; 0 is "not measured".
///
/// @param answered requests in the same time
/// @param allocatedBytes on the heap of a JVM
/// @param userProcessors how many processors ran its own code, not the system's for it; NaN where it was not measured
/// @param stageNanos how long a request of a node was in each of its stages, on average; empty where that is not known
public record ProcessFigures(
        long pid,
        long cpuNanos,
        long maxRssBytes,
        long answered,
        long gcPauseNanos,
        long gcCount,
        long allocatedBytes,
        double userProcessors,
        Map<String, Double> stageNanos) {

    public static final ProcessFigures NONE = new ProcessFigures(0, 0, 0, 0, 0, 0, 0, Double.NaN, Map.of());

    public ProcessFigures {
        stageNanos = Collections.unmodifiableMap(new LinkedHashMap<>(stageNanos));
    }

    /// Of stretches of the measured time, one after the other, without what a flight recorder knows.
    ///
    /// @param nanos how long each of them was
    public static ProcessFigures sum(List<ProcessFigures> parts, List<Long> nanos) {
        double user = 0;
        long all = 0;
        for (int i = 0; i < parts.size(); i++) {
            user += parts.get(i).userProcessors * nanos.get(i);
            all += nanos.get(i);
        }
        return new ProcessFigures(
                parts.getFirst().pid,
                parts.stream().mapToLong(ProcessFigures::cpuNanos).sum(),
                parts.stream().mapToLong(ProcessFigures::maxRssBytes).max().orElse(0),
                parts.stream().mapToLong(ProcessFigures::answered).sum(),
                0,
                0,
                0,
                user / Math.max(1, all),
                Map.of());
    }

    /// NaN where it was not measured.
    public double cpuNanosPerRequest() {
        return perRequest(cpuNanos);
    }

    private double perRequest(long figure) {
        return figure > 0 && answered > 0 ? (double) figure / answered : Double.NaN;
    }
}
