package kvant.lsm.version;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import kvant.engine.EngineException;
import kvant.lsm.bytes.Keys;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.Storage;
import kvant.lsm.table.TableInfo;
import kvant.lsm.table.TableProperties;

/// The last defence against an edit after which tables of one run overlap: a look-up asks one table of each run, so
/// that acknowledged writes could not be read any more, and the next merge would drop them for good. No merge should
/// cause this; if one does, it fails, and the store continues with its present tables.
final class OverlapCheck {

    /// A table of a run that the edit changes.
    private record Member(TableInfo info, TableProperties keys, boolean isAdded) {}

    private OverlapCheck() {}

    /// Refuses overlapping tables. Existing overlaps are ignored: only a merge brings them in order.
    ///
    /// @param current the version that the edit is going to change
    /// @param opened the tables that it adds, but for those that it moves
    /// @throws EngineException.Io naming two tables
    static void refuse(Storage storage, Version current, VersionEdit edit, List<LiveTable> opened) {
        if (edit.addedTables().isEmpty()) {
            return;
        }
        List<Member> members = membersByKey(current, edit, opened);
        for (int i = 1; i < members.size(); i++) {
            Member one = members.get(i - 1);
            Member other = members.get(i);
            boolean concernsEdit = one.isAdded() || other.isAdded();
            if (concernsEdit
                    && one.info().run() == other.info().run()
                    && Keys.compare(one.keys().largestKey(), other.keys().smallestKey()) >= 0) {
                throw overlap(storage, one.info(), other.info());
            }
        }
    }

    /// The tables of all runs that get new ones, run by run.
    private static List<Member> membersByKey(Version current, VersionEdit edit, List<LiveTable> opened) {
        Set<Long> changed = new HashSet<>();
        edit.addedTables().forEach(table -> changed.add(table.run()));
        Set<Long> removed = new HashSet<>(edit.removedTables());
        Map<Long, TableProperties> keys = new HashMap<>();
        List<Member> members = new ArrayList<>();
        for (LiveTable table : current.tables()) {
            if (removed.contains(table.number())) {
                keys.put(table.number(), table.table().properties());
            } else if (changed.contains(table.info().run())) {
                members.add(new Member(table.info(), table.table().properties(), false));
            }
        }
        opened.forEach(table -> keys.put(table.number(), table.table().properties()));
        for (TableInfo table : edit.addedTables()) {
            members.add(new Member(table, Objects.requireNonNull(keys.get(table.number())), true));
        }
        members.sort(Comparator.comparingLong((Member each) -> each.info().run())
                .thenComparing(each -> each.keys().smallestKey(), Keys::compare));
        return members;
    }

    private static EngineException overlap(Storage storage, TableInfo one, TableInfo other) {
        return new EngineException.Io(
                "a change of " + storage.describe(FileNames.MANIFEST) + " is refused, because the keys of its tables "
                        + one.number() + " and " + other.number() + " would overlap in run " + one.run()
                        + ": the store stays as it is; please report this",
                null);
    }
}
