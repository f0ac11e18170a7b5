package kvant.bench.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import kvant.lsm.bytes.Keys;
import kvant.lsm.compaction.CompactionPlan;
import kvant.lsm.compaction.MergePart;
import kvant.lsm.version.Levels;
import kvant.lsm.version.Shape;
import kvant.lsm.version.TableCuts;
import org.jspecify.annotations.Nullable;

/// Runs of simulated tables. Applies choices to them as [kvant.lsm.compaction.CompactionJob] does to files.
/// Belongs to one thread.
final class SimulatedStore {

    /// Where a table is.
    private record Place(SimulatedRun run, SimulatedTable table) {}

    private final int recordBytes;
    private final long tableBytes;

    /// By number, the oldest first.
    private final TreeMap<Long, SimulatedRun> runs = new TreeMap<>();

    /// Of each table, by number.
    private final Map<Long, Place> places = new HashMap<>();

    private long lastNumber;

    SimulatedStore(int recordBytes, int tableRecords) {
        this.recordBytes = recordBytes;
        this.tableBytes = (long) tableRecords * recordBytes;
    }

    Shape shape() {
        List<Shape.RunShape> shapes = new ArrayList<>();
        runs.descendingMap().values().forEach(run -> shapes.add(run.shape()));
        return new Shape(shapes);
    }

    /// Writes a memtable as the newest run.
    ///
    /// @param records ascending
    /// @return bytes written
    long flush(int[] records) {
        return write(records, Levels.newestRun(++lastNumber), TableCuts.bySize(tableBytes));
    }

    /// The output of a choice, decided when it begins: until it ends, its inputs stay as they are.
    ///
    /// @param records ascending; none where tables are only moved
    /// @param removed numbers of the tables that go when it ends
    record Work(CompactionPlan choice, int[] records, List<Long> removed) {}

    Work begin(CompactionPlan choice) {
        return switch (choice) {
            case CompactionPlan.Rest rest -> new Work(rest, new int[0], List.of());
            case CompactionPlan.Move move -> new Work(move, new int[0], move.tables());
            case CompactionPlan.Merge merge -> new Work(merge, merged(merge), merge.tables());
        };
    }

    /// A part of a merge, which ends by itself.
    Work begin(CompactionPlan.Merge merge, MergePart part) {
        int[] records = Arrays.stream(merged(merge))
                .filter(record -> isWithin(part, SimulatedTable.keyBytes(record)))
                .toArray();
        return new Work(merge, records, part.replaced());
    }

    private static boolean isWithin(MergePart part, byte[] key) {
        byte[] to = part.to();
        return Keys.compare(key, part.from()) >= 0 && (to == null || Keys.compare(key, to) < 0);
    }

    /// All parts of a merge have ended.
    void remove(List<Long> tables) {
        take(tables);
    }

    /// @return bytes written
    long finish(Work work) {
        return switch (work.choice()) {
            case CompactionPlan.Rest _ -> 0;
            case CompactionPlan.Move move -> {
                take(move.tables()).forEach(table -> add(table, move.outputRun()));
                yield 0;
            }
            case CompactionPlan.Merge merge -> {
                TableCuts cuts = new TableCuts(tableBytes, merge.cuts(), shape().beneath(merge.outputRun()));
                take(work.removed());
                yield write(work.records(), merge.outputRun(), cuts);
            }
        };
    }

    /// The newest record of a key; null where there is none.
    @Nullable
    Integer find(int key) {
        for (SimulatedRun run : runs.descendingMap().values()) {
            SimulatedTable table = run.around(key);
            Integer record = table == null ? null : table.find(key);
            if (record != null) {
                return record;
            }
        }
        return null;
    }

    private int[] merged(CompactionPlan.Merge merge) {
        int[] merged = new int[0];
        for (CompactionPlan.Input input : merge.inputs().reversed()) {
            merged = newerOver(concatenated(tables(input)), merged);
        }
        return withoutNeedlessDeletions(merged, merge);
    }

    private List<SimulatedTable> tables(CompactionPlan.Input input) {
        return input.tables().stream()
                .map(number -> Objects.requireNonNull(places.get(number)).table())
                .toList();
    }

    private long write(int[] records, long run, TableCuts cuts) {
        if (records.length > 0) {
            byte[] first = SimulatedTable.keyBytes(records[0]);
            cuts.begin(first, 0, first.length);
        }
        int from = 0;
        for (int i = 1; i <= records.length; i++) {
            if (i == records.length || endsBefore(records[i], (long) (i - from) * recordBytes, cuts)) {
                add(SimulatedTable.of(++lastNumber, Arrays.copyOfRange(records, from, i), recordBytes), run);
                from = i;
            }
        }
        return (long) records.length * recordBytes;
    }

    private static boolean endsBefore(int record, long bytes, TableCuts cuts) {
        byte[] key = SimulatedTable.keyBytes(record);
        return cuts.endBefore(key, 0, key.length, bytes);
    }

    private void add(SimulatedTable table, long number) {
        SimulatedRun run = runs.computeIfAbsent(number, SimulatedRun::new);
        run.add(table);
        places.put(table.number(), new Place(run, table));
    }

    private List<SimulatedTable> take(List<Long> numbers) {
        List<SimulatedTable> taken = new ArrayList<>();
        for (Long number : numbers) {
            Place place = Objects.requireNonNull(places.remove(number));
            place.run().remove(place.table());
            if (place.run().isEmpty()) {
                runs.remove(place.run().id());
            }
            taken.add(place.table());
        }
        return taken;
    }

    private static int[] concatenated(List<SimulatedTable> tables) {
        int[] all = new int
                [tables.stream().mapToInt(table -> table.records().length).sum()];
        int size = 0;
        for (SimulatedTable table : tables) {
            System.arraycopy(table.records(), 0, all, size, table.records().length);
            size += table.records().length;
        }
        return all;
    }

    /// Of a key that is in both, the newer record is left.
    private static int[] newerOver(int[] newer, int[] older) {
        int[] result = new int[newer.length + older.length];
        int size = 0;
        int n = 0;
        int o = 0;
        while (n < newer.length || o < older.length) {
            boolean takeNewer = o == older.length
                    || n < newer.length && SimulatedTable.key(newer[n]) <= SimulatedTable.key(older[o]);
            if (takeNewer && o < older.length && SimulatedTable.key(newer[n]) == SimulatedTable.key(older[o])) {
                o++;
            }
            result[size++] = takeNewer ? newer[n++] : older[o++];
        }
        return Arrays.copyOf(result, size);
    }

    private int[] withoutNeedlessDeletions(int[] records, CompactionPlan.Merge merge) {
        Set<Long> inputs = new HashSet<>(merge.tables());
        return Arrays.stream(records)
                .filter(each -> !SimulatedTable.isDeletion(each)
                        || olderMayHold(SimulatedTable.key(each), merge.outputRun(), inputs))
                .toArray();
    }

    /// Whether a table of an older run, other than these, lies around a key.
    private boolean olderMayHold(int key, long run, Set<Long> others) {
        for (SimulatedRun older : runs.headMap(run).values()) {
            SimulatedTable table = older.around(key);
            if (table != null && !others.contains(table.number())) {
                return true;
            }
        }
        return false;
    }
}
