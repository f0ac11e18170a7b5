package kvant.lab.result;

import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import kvant.load.host.HostFacts;
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

    public boolean isDone() {
        return status == Status.DONE;
    }

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
            return cpuNanos > 0 && answered > 0 ? (double) cpuNanos / answered : Double.NaN;
        }
    }

    /// A stage of a request in a node, in processing order. Its name is the same in results, questions and
    /// events of the node.
    public enum Stage {
        READ,
        QUEUE,
        ENGINE,
        DELIVER,
        WRITE;

        /// The name in results.
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        /// The name of its mean time in questions.
        public String metric() {
            return "stage." + label();
        }
    }

    /// The cause of processor time missing during a step.
    public enum Disturbance {
        /// The host of a virtual machine, which runs others.
        STOLEN,
        /// Other processes.
        OTHERS;

        /// The causes that disturbed a step; empty below the limit, or if the figures are unknown.
        ///
        /// @param served average number of processors in the server's user mode, NaN if unknown
        /// @param above share that may be taken away; NaN for any
        public static Set<Disturbance> of(HostFacts host, double served, double above) {
            Set<Disturbance> found = EnumSet.noneOf(Disturbance.class);
            if (host.stolenOfWanted() > above) {
                found.add(STOLEN);
            }
            if (host.foreignShare(served) > above) {
                found.add(OTHERS);
            }
            return found;
        }
    }
}
