package kvant.load.record;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The slowest share of the requests of a run, the slowest first.
///
/// @param of how many requests there were
/// @param share how many of those were asked for; there are fewer in `requests` where that is more than can be kept
public record SlowestRequests(List<SlowRequest> requests, long of, double share) {

    /// Over all loops: of a run at 20,000 a second, the slowest thousandth of almost 14 minutes.
    public static final int MOST = 16_384;

    private static final int LEAST_PER_LOOP = 1_024;
    private static final int LOOPS_WITH_MOST = 4;

    public static final SlowestRequests NONE = new SlowestRequests(List.of(), 0, 0);

    public SlowestRequests {
        requests = List.copyOf(requests);
    }

    /// How many one of so many loops keeps: all that may be asked for, because all of them may be of one loop; of many
    /// loops a part, so that they take no more memory than a few.
    public static int perLoop(int loops) {
        return Math.max(LEAST_PER_LOOP, MOST / Math.max(1, loops / LOOPS_WITH_MOST));
    }

    /// @param of how many requests there were
    public static SlowestRequests of(Iterable<SlowestHeap> loops, long of, double share) {
        List<SlowRequest> all = new ArrayList<>();
        loops.forEach(loop -> all.addAll(loop.all()));
        return slowest(all, of, share);
    }

    /// Of runs that count as one; the same share was kept of each.
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

    /// The shortest response time among them, 0 where there is none.
    public long thresholdNanos() {
        return requests.isEmpty() ? 0 : requests.getLast().responseNanos();
    }
}
