package kvant.load.host;

import java.util.List;
import java.util.function.ToDoubleFunction;

/// The activity of a machine during a period. Unknown figures are NaN, 0 or empty.
///
/// A sample is a window, or several that are shorter than [HostWatch#SHORTEST_LOOK_NANOS]. A sample is disturbed when
/// more than [HostWatch#DISTURBED] of the processors' time was stolen by the host of a virtual machine, or when the
/// control group was throttled for more than that share of the time. Neither is caused by the server or the generator,
/// and both become slower.
///
/// @param processorsAllowed by the control group; NaN without a limit
/// @param memoryAllowedBytes by the control group; NaN without a limit
/// @param governor of the processors' frequency
/// @param loadBefore runnable tasks over the previous minute
/// @param busyProcessors average number of busy processors, including the generator's own work
/// @param ownProcessors of these, used by this process
/// @param userProcessors of the busy ones, in user mode
/// @param ownUserProcessors of these, used by this process
/// @param stolenShare of the time of all processors
/// @param throttledShare of the time
/// @param waitedForCpu share of the time in which at least one task of the machine waited for a processor
/// @param looks number of samples
/// @param disturbed number of disturbed samples
public record HostFacts(
        long processors,
        double processorsAllowed,
        double memoryAllowedBytes,
        String governor,
        double loadBefore,
        double busyProcessors,
        double ownProcessors,
        double userProcessors,
        double ownUserProcessors,
        double stolenShare,
        double throttledShare,
        double waitedForCpu,
        double waitedForIo,
        double waitedForMemory,
        long looks,
        long disturbed) {

    public static final HostFacts UNKNOWN = new HostFacts(
            0,
            Double.NaN,
            Double.NaN,
            "",
            Double.NaN,
            Double.NaN,
            Double.NaN,
            Double.NaN,
            Double.NaN,
            Double.NaN,
            Double.NaN,
            Double.NaN,
            Double.NaN,
            Double.NaN,
            0,
            0);

    /// Combines several periods.
    ///
    /// @param nanos length of each
    public static HostFacts merged(List<HostFacts> parts, List<Long> nanos) {
        HostFacts first = parts.getFirst();
        return new HostFacts(
                first.processors,
                first.processorsAllowed,
                first.memoryAllowedBytes,
                first.governor,
                first.loadBefore,
                mean(parts, nanos, HostFacts::busyProcessors),
                mean(parts, nanos, HostFacts::ownProcessors),
                mean(parts, nanos, HostFacts::userProcessors),
                mean(parts, nanos, HostFacts::ownUserProcessors),
                mean(parts, nanos, HostFacts::stolenShare),
                mean(parts, nanos, HostFacts::throttledShare),
                mean(parts, nanos, HostFacts::waitedForCpu),
                mean(parts, nanos, HostFacts::waitedForIo),
                mean(parts, nanos, HostFacts::waitedForMemory),
                parts.stream().mapToLong(HostFacts::looks).sum(),
                parts.stream().mapToLong(HostFacts::disturbed).sum());
    }

    private static double mean(List<HostFacts> parts, List<Long> nanos, ToDoubleFunction<HostFacts> fact) {
        double sum = 0;
        double all = 0;
        for (int i = 0; i < parts.size(); i++) {
            sum += fact.applyAsDouble(parts.get(i)) * nanos.get(i);
            all += nanos.get(i);
        }
        return sum / all;
    }

    /// Whether the system reports the activity of its processors.
    public boolean isKnown() {
        return Double.isFinite(busyProcessors);
    }

    /// Average number of processors used by other processes, including a server on the same machine.
    public double otherProcessors() {
        return Math.max(0, busyProcessors - ownProcessors);
    }

    /// Stolen time as a share of the time in which there was work for a processor. The more a machine works, the more
    /// is stolen; relative to the demand, the share stays the same.
    public double stolenOfWanted() {
        double stolen = stolenShare * processors;
        return stolen / (stolen + busyProcessors);
    }

    /// Share of the processors in user mode for other processes.
    ///
    /// @param served average number of processors in the server's user mode, NaN if unknown
    public double foreignShare(double served) {
        return Math.max(0, userProcessors - ownUserProcessors - served) / processors;
    }
}
