package kvant.load.host;

import java.util.List;
import java.util.function.ToDoubleFunction;

/// What a machine did during a stretch of time. What is not to be known there is NaN, 0 or empty.
///
/// A look is a window, or several that are shorter than [HostWatch#SHORTEST_LOOK_NANOS]. One is disturbed when more
/// than [HostWatch#DISTURBED] of the processors' time was stolen by the host of a virtual machine, or when the control
/// group was kept from working for more than that share of the time: nothing that server or generator do is the
/// reason, and both are slower.
///
/// @param processorsAllowed by the control group; NaN without a limit
/// @param memoryAllowedBytes by the control group; NaN without a limit
/// @param governor of the frequency of the processors
/// @param loadBefore runnable tasks over the minute before
/// @param busyProcessors how many processors worked, on average, the generator's own work included
/// @param ownProcessors how many of them worked for this process
/// @param userProcessors how many of the busy ones ran the code of programs, not of the system
/// @param ownUserProcessors how many of those ran this process
/// @param stolenShare of the time of all processors
/// @param throttledShare of the time
/// @param waitedForCpu share of the time in which at least one task of the machine waited for a processor
/// @param looks into which the time was divided
/// @param disturbed looks
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

    /// Of several stretches of time together.
    ///
    /// @param nanos how long each of them was
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

    /// Whether the system said what its processors did.
    public boolean isKnown() {
        return Double.isFinite(busyProcessors);
    }

    /// How many processors worked for other processes: for the server, where it is on the same machine, too.
    public double otherProcessors() {
        return Math.max(0, busyProcessors - ownProcessors);
    }

    /// Share of the time in which there was work for a processor that the host gave to others. Of a machine that works
    /// more, more is stolen; of the time that it wants, it is not.
    public double stolenOfWanted() {
        double stolen = stolenShare * processors;
        return stolen / (stolen + busyProcessors);
    }

    /// Share of the processors that ran the code of other processes.
    ///
    /// @param served how many of them ran the code of the server, NaN where that is not known
    public double foreignShare(double served) {
        return Math.max(0, userProcessors - ownUserProcessors - served) / processors;
    }
}
