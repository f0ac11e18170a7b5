package kvant.lsm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import kvant.lsm.sim.SimStorage;
import kvant.lsm.storage.FileNames;
import kvant.lsm.table.TableInfo;
import kvant.lsm.version.Manifest;

/// Counts the merges that were carried out in parts, as the manifest tells of them: when all parts are installed, an
/// edit takes away what else they have read, and adds nothing. What the parts have written is newer, and lies beneath.
final class SplitMerges {

    private List<TableInfo> before = List.of();
    private long count;

    long count() {
        return count;
    }

    /// Looks at the manifest after each call that concerns it.
    ///
    /// @param image a copy, with all that the process has written
    void look(SimStorage image) {
        if (!image.files().contains(FileNames.MANIFEST)) {
            return;
        }
        try {
            List<TableInfo> now = Manifest.read(image).tables();
            count += endsOne(before, now) ? 1 : 0;
            before = now;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean endsOne(List<TableInfo> before, List<TableInfo> now) {
        Set<Long> left = numbers(now);
        List<TableInfo> removed = new ArrayList<>(before);
        removed.removeIf(table -> left.contains(table.number()));
        boolean adds = !numbers(before).containsAll(left);
        return !adds
                && !removed.isEmpty()
                && now.stream().anyMatch(table -> removed.stream().allMatch(read -> isMergedInto(read, table)));
    }

    private static boolean isMergedInto(TableInfo read, TableInfo written) {
        return read.run() > written.run() && read.number() < written.number();
    }

    private static Set<Long> numbers(List<TableInfo> tables) {
        return tables.stream().map(TableInfo::number).collect(Collectors.toSet());
    }
}
