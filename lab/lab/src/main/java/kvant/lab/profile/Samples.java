package kvant.lab.profile;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import kvant.lab.result.ProfileRecord.ThreadShare;

/// What a recording says of one event, besides its stacks.
///
/// @param count of samples
/// @param weights of all samples of each thread, by its name
/// @param cpuEngine what the profiler counted CPU time with, as it recorded itself
/// @param version of the profiler
record Samples(long count, Map<String, Long> weights, String cpuEngine, String version) {

    /// Where samples of an event come from. For CPU time the profiler takes what it is allowed to, and
    /// says what.
    String engine(ProfileEvent event) {
        return switch (event) {
            case CPU -> cpuEngine;
            case ALLOC -> "jvmti_sampler";
            case LOCK -> "jvmti_contention";
            case WALL -> "wall_clock";
        };
    }

    List<ThreadShare> threadShares(int most) {
        double all = weights.values().stream().mapToLong(Long::longValue).sum();
        return weights.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(most)
                .map(entry -> new ThreadShare(entry.getKey(), entry.getValue() / all))
                .toList();
    }
}
