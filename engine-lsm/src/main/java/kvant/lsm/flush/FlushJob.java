package kvant.lsm.flush;

import java.io.IOException;
import java.util.List;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.record.Beneath;
import kvant.lsm.record.SurvivorCursor;
import kvant.lsm.version.RunWriter;
import kvant.lsm.version.TableInfo;

/// Writes a sealed memtable as a new run.
public final class FlushJob {

    private FlushJob() {}

    /// Of each key the newest version goes into the run. Deletions go with it: what they hide may lie
    /// beneath.
    ///
    /// @param run number of the new run, above all others
    public static List<TableInfo> run(Memtable memtable, long run, RunWriter writer) throws IOException {
        return writer.write(new SurvivorCursor(memtable.cursor(), Beneath.UNKNOWN, 0), run);
    }
}
