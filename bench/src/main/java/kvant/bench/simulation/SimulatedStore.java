package kvant.bench.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import kvant.lsm.bytes.Keys;
import kvant.lsm.compaction.Choice;
import kvant.lsm.compaction.MergePart;
import kvant.lsm.version.Levels;
import kvant.lsm.version.Shape;
import kvant.lsm.version.TableCuts;
import org.jspecify.annotations.Nullable;

/// Runs of simulated tables. Applies choices to them as [kvant.lsm.compaction.CompactionJob] does to files.
/// Belongs to one thread.
final class SimulatedStore {

    private final int recordBytes;
    private final int tableRecords;

    /// By run, the oldest first.
    private final TreeMap<Long, List<SimulatedTable>> runs = new TreeMap<>();

    private long lastNumber;

    SimulatedStore(int recordBytes, int tableRecords) {
        this.recordBytes = recordBytes;
        this.tableRecords = tableRecords;
    }

    Shape shape() {
        List<Shape.RunShape> shapes = new ArrayList<>();
        runs.forEach((id, tables) -> shapes.addFirst(new Shape.RunShape(
                id, tables.stream().map(SimulatedTable::shape).toList())));
        return new Shape(shapes);
    }

    /// Writes a memtable as the newest run.
    ///
    /// @param records ascending
    /// @return bytes written
    long flush(int[] records) {
        return write(records, Levels.newestRun(++lastNumber));
    }

    /// What a choice will have written, decided when it begins: until it ends, its inputs stay as they are.
    ///
    /// @param records ascending; none where tables are only moved
    /// @param removed numbers of the tables that go when it ends
    record Work(Choice choice, int[] records, List<Long> removed) {}

    Work begin(Choice choice) {
        return switch (choice) {
            case Choice.Rest rest -> new Work(rest, new int[0], List.of());
            case Choice.Move move -> new Work(move, new int[0], move.tables());
            case Choice.Merge merge -> new Work(merge, merged(merge), merge.tables());
        };
    }

    /// A part of a merge, which ends by itself.
    Work begin(Choice.Merge merge, MergePart part) {
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
        take(new HashSet<>(tables));
    }

    /// @return bytes written
    long finish(Work work) {
        return switch (work.choice()) {
            case Choice.Rest _ -> 0;
            case Choice.Move move -> {
                take(new HashSet<>(move.tables())).forEach(table -> add(table, move.outputRun()));
                yield 0;
            }
            case Choice.Merge merge -> {
                take(new HashSet<>(work.removed()));
                yield write(work.records(), merge.outputRun(), merge.cuts());
            }
        };
    }

    /// The newest record of a key; null where there is none.
    @Nullable
    Integer find(int key) {
        for (long run : runs.descendingKeySet()) {
            for (SimulatedTable table : runs.getOrDefault(run, List.of())) {
                int place = Arrays.binarySearch(table.records(), SimulatedTable.put(key));
                int record = place >= 0 ? place : -place - 1;
                if (record < table.records().length && SimulatedTable.key(table.records()[record]) == key) {
                    return table.records()[record];
                }
            }
        }
        return null;
    }

    private int[] merged(Choice.Merge merge) {
        int[] merged = new int[0];
        for (Choice.Input input : merge.inputs().reversed()) {
            merged = newerOver(concatenated(tables(input)), merged);
        }
        return withoutNeedlessDeletions(merged, merge);
    }

    private List<SimulatedTable> tables(Choice.Input input) {
        return runs.getOrDefault(input.run(), List.of()).stream()
                .filter(table -> input.tables().contains(table.number()))
                .toList();
    }

    private long write(int[] records, long run) {
        return write(records, run, List.of());
    }

    private long write(int[] records, long run, List<byte[]> keys) {
        TableCuts cuts = new TableCuts((long) tableRecords * recordBytes, keys, shape().beneath(run));
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

    private void add(SimulatedTable table, long run) {
        List<SimulatedTable> tables = runs.computeIfAbsent(run, _ -> new ArrayList<>());
        tables.add(table);
        tables.sort(Comparator.comparingInt(SimulatedTable::smallest));
    }

    private List<SimulatedTable> take(Set<Long> numbers) {
        List<SimulatedTable> taken = new ArrayList<>();
        runs.values().forEach(tables -> {
            tables.stream().filter(table -> numbers.contains(table.number())).forEach(taken::add);
            tables.removeIf(table -> numbers.contains(table.number()));
        });
        runs.values().removeIf(List::isEmpty);
        taken.sort(Comparator.comparingInt(SimulatedTable::smallest));
        return taken;
    }

    private static int[] concatenated(List<SimulatedTable> tables) {
        return tables.stream()
                .flatMapToInt(table -> Arrays.stream(table.records()))
                .toArray();
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

    private int[] withoutNeedlessDeletions(int[] records, Choice.Merge merge) {
        Set<Long> inputs = new HashSet<>(merge.tables());
        List<SimulatedTable> older = new ArrayList<>();
        runs.headMap(merge.outputRun()).values().forEach(older::addAll);
        older.removeIf(table -> inputs.contains(table.number()));
        return Arrays.stream(records)
                .filter(each -> !SimulatedTable.isDeletion(each)
                        || older.stream()
                                .anyMatch(table -> table.smallest() <= SimulatedTable.key(each)
                                        && SimulatedTable.key(each) <= table.largest()))
                .toArray();
    }
}
