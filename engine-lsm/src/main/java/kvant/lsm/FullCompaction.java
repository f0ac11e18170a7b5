package kvant.lsm;

import java.util.List;
import kvant.lsm.table.TableProperties;
import kvant.lsm.version.Run;

/// A merge of everything that somebody has asked for. Requests are counted: a merge of all runs that begins after a
/// request answers it. The compaction thread asks and reports, any thread requests.
final class FullCompaction {

    // Guarded by this.
    private long requested;
    private long begun;
    private long done;

    /// @return what [#isDone] is to be asked with
    synchronized long request() {
        return ++requested;
    }

    synchronized boolean isDone(long request) {
        return done >= request;
    }

    /// Called before the compaction thread takes the version that it then works on: what was asked for until here has
    /// been asked of that version.
    synchronized void begin() {
        begun = requested;
    }

    /// Whether all runs are to be merged now. Where that would change nothing, the requests are answered at once.
    synchronized boolean isDue(List<Run> runs) {
        if (done < begun && isMerged(runs)) {
            done = begun;
        }
        return done < begun;
    }

    /// A merge has been installed.
    ///
    /// @param runs how many there were when it began
    synchronized void merged(List<Run> inputs, int runs) {
        if (inputs.size() == runs) {
            done = Math.max(done, begun);
        }
    }

    /// One run without deletions is what a merge would give back.
    private static boolean isMerged(List<Run> runs) {
        return runs.isEmpty()
                || runs.size() == 1
                        && runs.getFirst().tableProperties().stream()
                                .mapToLong(TableProperties::deletions)
                                .allMatch(deletions -> deletions == 0);
    }
}
