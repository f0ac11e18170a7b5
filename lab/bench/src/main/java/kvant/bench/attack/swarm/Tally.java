package kvant.bench.attack.swarm;

import java.util.Map;
import java.util.TreeMap;

/// What a swarm saw.
///
/// @param opened connections that stood
/// @param ended of those, the ones that the node ended
/// @param statuses answers by status
public record Tally(long opened, long ended, long readBytes, Map<Integer, Long> statuses) {

    public Tally {
        statuses = new TreeMap<>(statuses);
    }

    /// For a person.
    public String text() {
        return opened + " connections, " + ended + " ended by the node, " + readBytes
                + " bytes read, answers by status " + statuses;
    }

    public long answers() {
        return statuses.values().stream().mapToLong(Long::longValue).sum();
    }

    /// Answers that have another status than these.
    public long answersBut(Integer... expected) {
        Map<Integer, Long> others = new TreeMap<>(statuses);
        for (Integer status : expected) {
            others.remove(status);
        }
        return others.values().stream().mapToLong(Long::longValue).sum();
    }
}
