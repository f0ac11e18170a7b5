package kvant.lab.result;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Resource usage of the served process during the measured time of a step; 0 means "not measured".
///
/// @param answered requests in the same time
/// @param allocatedBytes on the heap of a JVM
/// @param userProcessors average number of processors in user mode; NaN if not measured
/// @param stageNanos average duration of each stage of a request in a node; empty if unknown
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

    /// Combines consecutive stretches of the measured time, without the figures of a flight recording.
    ///
    /// @param nanos length of each
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

    /// NaN if not measured.
    public double cpuNanosPerRequest() {
        return perRequest(cpuNanos);
    }

    private double perRequest(long figure) {
        return figure > 0 && answered > 0 ? (double) figure / answered : Double.NaN;
    }
}
