package kvant.lab.result;

/// One kind of load.
///
/// @param rate requests per second, NaN in a closed loop
public record PhaseRecord(
        String name,
        String workload,
        double rate,
        long durationNanos,
        long connections,
        long threads,
        long depth,
        long prefill,
        long keys,
        String values,
        String warmup) {}
