package kvant.lsm.compaction;

import java.util.List;

/// Decides what to merge, from the sizes of the runs alone: a pure function, size-tiered (the "universal"
/// style of RocksDB).
///
/// Neighbours are merged while the next older run is not larger than what has been gathered so far, so that
/// a record is rewritten about log2(data / memtable) times. When what lies above the oldest run has grown to
/// its size, everything is merged, which bounds the space that dead versions take to about that of the live
/// ones.
///
/// @param minRuns fewer runs than this are left alone
/// @param maxRuns more runs than this are merged whatever their sizes, because each costs a read
public record Picker(int minRuns, int maxRuns) {

    public static final Picker DEFAULT = new Picker(4, 10);

    public Picker {
        if (minRuns < 2 || maxRuns < minRuns) {
            throw new IllegalArgumentException("at least 2 runs are merged, and at least as many are allowed");
        }
    }

    /// @param runBytes sizes of the runs, newest first
    public Choice pick(List<Long> runBytes) {
        int runs = runBytes.size();
        if (runs < minRuns) {
            return new Choice.Rest();
        }
        long oldest = runBytes.getLast();
        long above = sum(runBytes, 0, runs - 1);
        if (above >= oldest) {
            return new Choice.Merge(0, runs);
        }
        for (int first = 0; first < runs - 1; first++) {
            int count = similarFrom(runBytes, first);
            if (count >= minRuns) {
                return new Choice.Merge(first, count);
            }
        }
        return runs > maxRuns ? new Choice.Merge(0, runs - maxRuns + 1) : new Choice.Rest();
    }

    /// How many neighbours, from this one on, are each no larger than all before them together.
    private static int similarFrom(List<Long> runBytes, int first) {
        long gathered = runBytes.get(first);
        int next = first + 1;
        while (next < runBytes.size() && runBytes.get(next) <= gathered) {
            gathered += runBytes.get(next);
            next++;
        }
        return next - first;
    }

    private static long sum(List<Long> sizes, int from, int to) {
        long total = 0;
        for (int i = from; i < to; i++) {
            total += sizes.get(i);
        }
        return total;
    }
}
