package kvant.load.record;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The slowest share of the requests of a run, slowest first.
///
/// @param of total number of requests
/// @param share the wanted share; `requests` has fewer if that exceeds the capacity
public record SlowestRequests(List<SlowRequest> requests, long of, double share) {

    /// Capacity over all loops: at 20,000 requests per second, the slowest thousandth of almost 14 minutes.
    public static final int MOST = 16_384;

    private static final int LEAST_PER_LOOP = 1_024;
    private static final int LOOPS_WITH_MOST = 4;

    public static final SlowestRequests NONE = new SlowestRequests(List.of(), 0, 0);

    public SlowestRequests {
        requests = List.copyOf(requests);
    }

    /// Capacity of one of several loops. With few loops it is the total, because all slow requests may be on one loop;
    /// with many loops it is a part, so that they need no more memory than a few.
    public static int perLoop(int loops) {
        return Math.max(LEAST_PER_LOOP, MOST / Math.max(1, loops / LOOPS_WITH_MOST));
    }

    /// @param of total number of requests
    public static SlowestRequests of(Iterable<SlowestHeap> loops, long of, double share) {
        List<SlowRequest> all = new ArrayList<>();
        loops.forEach(loop -> all.addAll(loop.all()));
        return slowest(all, of, share);
    }

    /// Merges runs that count as one, with the same share of each.
    public static SlowestRequests merged(List<SlowestRequests> runs) {
        return slowest(
                runs.stream().flatMap(one -> one.requests.stream()).toList(),
                runs.stream().mapToLong(SlowestRequests::of).sum(),
                runs.getFirst().share);
    }

    private static SlowestRequests slowest(List<SlowRequest> all, long of, double share) {
        int wanted = Math.clamp(Math.round(of * share), share > 0 ? 1 : 0, MOST);
        Comparator<SlowRequest> slowest =
                Comparator.comparingLong(SlowRequest::responseNanos).reversed();
        return new SlowestRequests(all.stream().sorted(slowest).limit(wanted).toList(), of, share);
    }

    /// The shortest response time among them, 0 if there is none.
    public long thresholdNanos() {
        return requests.isEmpty() ? 0 : requests.getLast().responseNanos();
    }
}
