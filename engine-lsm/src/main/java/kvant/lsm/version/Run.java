package kvant.lsm.version;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import kvant.engine.Lookup;
import kvant.lsm.bytes.KeyRange;
import kvant.lsm.bytes.Keys;
import kvant.lsm.record.Reading;
import kvant.lsm.record.RecordCursor;
import kvant.lsm.table.Table;
import kvant.lsm.table.TableInfo;
import kvant.lsm.table.TableProperties;
import org.jspecify.annotations.Nullable;

/// Tables that do not overlap, in key order: what one flush or one compaction wrote. Immutable.
public final class Run {

    private final long id;
    private final LiveTable[] tables;
    private final byte[][] largestKeys;
    private final KeyRange keys;
    private final long[] fences; // of the largest keys, one next to the other: a search touches few cache lines
    private final KeyRange.IsBefore isBefore; // whether a table ends before a key
    private final long bytes;

    Run(long id, List<LiveTable> members) {
        this.id = id;
        List<LiveTable> sorted = new ArrayList<>(members);
        sorted.sort(Comparator.comparing(table -> table.table().properties().smallestKey(), Keys::compare));
        this.tables = sorted.toArray(LiveTable[]::new);
        this.largestKeys = sorted.stream()
                .map(table -> table.table().properties().largestKey())
                .toArray(byte[][]::new);
        this.keys =
                new KeyRange(sorted.getFirst().table().properties().smallestKey(), largestKeys[largestKeys.length - 1]);
        this.isBefore = (table, key) -> Keys.compare(largestKeys[table], key) < 0;
        this.fences = Arrays.stream(largestKeys).mapToLong(keys::fence).toArray();
        this.bytes = sorted.stream().mapToLong(table -> table.info().bytes()).sum();
    }

    public long id() {
        return id;
    }

    /// Size of its files.
    public long bytes() {
        return bytes;
    }

    Shape.RunShape shape() {
        return new Shape.RunShape(
                id, Arrays.stream(tables).map(LiveTable::shape).toList());
    }

    public List<TableInfo> tableInfos() {
        List<TableInfo> infos = new ArrayList<>();
        for (LiveTable table : tables) {
            infos.add(table.info());
        }
        return infos;
    }

    /// The properties of its tables, in the order of [#tableInfos].
    public List<TableProperties> tableProperties() {
        List<TableProperties> properties = new ArrayList<>();
        for (LiveTable table : tables) {
            properties.add(table.table().properties());
        }
        return properties;
    }

    /// Looks a key up in the one table that may hold it; see [kvant.lsm.table.Table#find].
    public @Nullable Lookup find(byte[] key, long hash, Reading reading, boolean mayBlock) {
        int table = firstEndingNotBefore(key);
        return table == tables.length ? null : tables[table].table().find(key, hash, reading, mayBlock);
    }

    /// A cursor over all of its tables. The caller holds the version.
    public RecordCursor cursor() {
        return new RunCursor(Table::cursor);
    }

    /// The same for threads that may not wait for a disk; see [Table#residentCursor].
    public RecordCursor residentCursor() {
        return new RunCursor(Table::residentCursor);
    }

    /// A cursor over some of its tables, for merges; see [Table#checkingCursor]. The caller holds the version.
    RecordCursor checkingCursor(Set<Long> numbers) {
        Run some = new Run(
                id,
                Arrays.stream(tables)
                        .filter(table -> numbers.contains(table.number()))
                        .toList());
        return some.new RunCursor(Table::checkingCursor);
    }

    LiveTable[] tables() {
        return tables;
    }

    private int firstEndingNotBefore(byte[] key) {
        return keys.firstNotBefore(fences, key, isBefore);
    }

    /// One table after the other.
    private final class RunCursor implements RecordCursor {

        private final Function<Table, RecordCursor> opener;
        private int table = tables.length;
        private @Nullable RecordCursor current;

        RunCursor(Function<Table, RecordCursor> opener) {
            this.opener = opener;
        }

        @Override
        public boolean seek(byte[] key) {
            table = firstEndingNotBefore(key);
            return enter(key);
        }

        @Override
        public boolean next() {
            if (current == null) {
                return false;
            }
            if (current.next()) {
                return true;
            }
            table++;
            return enter(Keys.START);
        }

        private boolean enter(byte[] key) {
            current = table < tables.length ? opener.apply(tables[table].table()) : null;
            return current != null && current.seek(key);
        }

        private RecordCursor current() {
            RecordCursor cursor = current;
            if (cursor == null) {
                throw new IllegalStateException("the cursor stands on no record");
            }
            return cursor;
        }

        @Override
        public byte[] keyArray() {
            return current().keyArray();
        }

        @Override
        public int keyOffset() {
            return current().keyOffset();
        }

        @Override
        public int keyLength() {
            return current().keyLength();
        }

        @Override
        public long tag() {
            return current().tag();
        }

        @Override
        public int valueLength() {
            return current().valueLength();
        }

        @Override
        public void copyValue(int from, byte[] target, int offset, int length) {
            current().copyValue(from, target, offset, length);
        }
    }
}
