package kvant.archive;

import java.util.Map;
import java.util.TreeMap;

/// The times at which versions were written, to about a tenth of a second: the clock when a version was first seen.
/// Bounded: when there are too many, every second one is dropped. Any thread may call it.
final class TimeSamples {

    static final int MOST = 1 << 14;

    // Guarded by this.
    private final TreeMap<Long, Long> millisOfVersions = new TreeMap<>();
    private long archived = -1;

    /// Notes the newest version at a time.
    synchronized void sample(long version, long millis) {
        if (version <= archived || !millisOfVersions.isEmpty() && millisOfVersions.lastKey() >= version) {
            return; // seen before
        }
        millisOfVersions.put(version, millis);
        if (millisOfVersions.size() > MOST) {
            boolean[] drop = {false}; // the later one of two stays: a version never seems older than it is
            millisOfVersions.keySet().removeIf(each -> each < version && (drop[0] ^= true));
        }
    }

    /// @param otherwise result for a version that was not seen yet
    synchronized long millisOf(long version, long otherwise) {
        Map.Entry<Long, Long> seen = millisOfVersions.ceilingEntry(version);
        return seen == null ? otherwise : seen.getValue();
    }

    /// All up to a version is archived: its times are no longer needed.
    synchronized void archived(long version) {
        archived = version;
        millisOfVersions.headMap(version, true).clear();
    }

    /// The time at which the oldest unarchived version was written; `otherwise` if all are archived.
    synchronized long oldestMillis(long otherwise) {
        Map.Entry<Long, Long> oldest = millisOfVersions.firstEntry();
        return oldest == null ? otherwise : oldest.getValue();
    }
}
