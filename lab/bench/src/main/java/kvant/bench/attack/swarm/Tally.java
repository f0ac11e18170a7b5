package kvant.bench.attack.swarm;

import java.util.Map;
import java.util.TreeMap;

/// The observations of a swarm.
///
/// @param opened number of established connections
/// @param ended number of those closed by the node
/// @param statuses number of answers by status code
public record Tally(long opened, long ended, long readBytes, Map<Integer, Long> statuses) {

    public Tally {
        statuses = new TreeMap<>(statuses);
    }

    /// A readable summary.
    public String text() {
        return opened + " connections, " + ended + " ended by the node, " + readBytes
                + " bytes read, answers by status " + statuses;
    }

    public long answers() {
        return statuses.values().stream().mapToLong(Long::longValue).sum();
    }

    /// Number of answers with other status codes.
    public long answersBut(Integer... expected) {
        Map<Integer, Long> others = new TreeMap<>(statuses);
        for (Integer status : expected) {
            others.remove(status);
        }
        return others.values().stream().mapToLong(Long::longValue).sum();
    }
}
