package kvant.bench.simulation;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import kvant.lsm.compaction.CompactionPlan;
import kvant.lsm.compaction.Picker;
import kvant.lsm.version.Shape;

/// Runs a picker on a simulated store, and reports what it costs.
///
/// Merging takes no simulated time: after each flush the picker is called until it rests. So the figures are
/// those of a store that keeps up with its writers.
///
/// @param picker for tables and memtables of the sizes given here
/// @param keys how many different keys there are at a time
/// @param recordBytes of a key with its value
/// @param memtableBytes of the records that one flush writes
/// @param writes how many there are
public record Simulation(
        Picker picker,
        WritePattern workload,
        int keys,
        int recordBytes,
        long memtableBytes,
        long tableBytes,
        long writes,
        long seed) {

    /// More keys than this would only take longer.
    public static final int MAX_KEYS = 1 << 22;

    /// The figures when this much had been written.
    ///
    /// @param writtenBytes by users
    /// @param writeAmplification bytes of flushes and merges for each byte that users wrote; the log comes on top
    /// @param spaceAmplification bytes of all tables for each byte of live records
    /// @param peakSpaceAmplification the most of it since the point before, with the inputs of a merge counted
    ///     until its outputs are there
    /// @param runs how many a get may have to ask
    public record Point(
            long writtenBytes,
            double writeAmplification,
            double spaceAmplification,
            double peakSpaceAmplification,
            int runs) {}

    public Simulation {
        if (keys < 1 || keys > MAX_KEYS || recordBytes < 1 || memtableBytes < recordBytes || tableBytes < recordBytes) {
            throw new IllegalArgumentException("a simulation needs 1 to " + MAX_KEYS
                    + " keys, and memtables and tables that hold at least one record");
        }
    }

    /// @return one point for each flush, in order
    public List<Point> run() {
        Random random = new Random(seed);
        SimulatedStore store = new SimulatedStore(recordBytes, Math.clamp(tableBytes / recordBytes, 1, MAX_KEYS));
        long memtableRecords = memtableBytes / recordBytes;
        TreeMap<Integer, Integer> memtable = new TreeMap<>();
        BitSet live = new BitSet(); // keys that hold a value
        long liveKeys = 0;
        List<Point> points = new ArrayList<>();
        long flushedAndMerged = 0;
        for (long write = 0; write < writes; write++) {
            int next = workload.next(write, keys, random);
            int key = next < 0 ? ~next : next;
            memtable.put(key, next < 0 ? SimulatedTable.deletion(key) : SimulatedTable.put(key));
            liveKeys += (next >= 0 ? 1 : 0) - (live.get(key) ? 1 : 0);
            live.set(key, next >= 0);
            if (memtable.size() < memtableRecords && write < writes - 1) {
                continue;
            }
            flushedAndMerged += store.flush(
                    memtable.values().stream().mapToInt(Integer::intValue).toArray());
            memtable.clear();
            long liveBytes = Math.max(1, liveKeys * recordBytes);
            long peakBytes = store.shape().bytes();
            for (CompactionPlan choice = pick(store); !(choice instanceof CompactionPlan.Rest); choice = pick(store)) {
                long before = store.shape().bytes();
                long merged = store.finish(store.begin(choice));
                flushedAndMerged += merged;
                peakBytes = Math.max(peakBytes, before + merged);
            }
            Shape shape = store.shape();
            long written = (write + 1) * recordBytes;
            points.add(new Point(
                    written,
                    (double) flushedAndMerged / written,
                    (double) shape.bytes() / liveBytes,
                    (double) peakBytes / liveBytes,
                    shape.runs().size()));
        }
        return points;
    }

    private CompactionPlan pick(SimulatedStore store) {
        return picker.pick(store.shape(), Set.of(), 0);
    }
}
