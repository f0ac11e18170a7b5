package kvant.lsm.version;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import kvant.lsm.bytes.Keys;
import kvant.lsm.record.TombstoneFilter;

/// The key ranges of all tables that are older than the output of a merge and not part of it. Belongs to one merge:
/// each run has a pointer that moves up with ascending keys.
final class OlderTables implements TombstoneFilter {

    private final List<List<LiveTable>> runs;
    private final int[] next;

    /// @param output the run that is being written
    /// @param inputs numbers of the tables that are being merged
    OlderTables(List<Run> runs, long output, Set<Long> inputs) {
        this.runs = runs.stream()
                .filter(run -> run.id() < output)
                .map(run -> Arrays.stream(run.tables())
                        .filter(table -> !inputs.contains(table.number()))
                        .toList())
                .filter(tables -> !tables.isEmpty())
                .toList();
        this.next = new int[this.runs.size()];
    }

    @Override
    public boolean mayHold(byte[] key, int offset, int length) {
        for (int run = 0; run < next.length; run++) {
            List<LiveTable> tables = runs.get(run);
            while (next[run] < tables.size()
                    && Keys.compare(
                                    key,
                                    offset,
                                    length,
                                    tables.get(next[run]).table().properties().largestKey())
                            > 0) {
                next[run]++;
            }
            if (next[run] < tables.size()
                    && Keys.compare(
                                    key,
                                    offset,
                                    length,
                                    tables.get(next[run]).table().properties().smallestKey())
                            >= 0) {
                return true;
            }
        }
        return false;
    }
}
