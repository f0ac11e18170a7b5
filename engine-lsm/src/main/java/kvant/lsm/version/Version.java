package kvant.lsm.version;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import kvant.lsm.record.Beneath;
import kvant.lsm.record.RecordCursor;

/// Which tables make up the store at one moment: runs, newest first. Immutable, and counted: whoever reads
/// from it for longer than one look-up holds a reference, and the files of a table that no version holds any
/// more are deleted.
public final class Version {

    private final List<Run> runs;
    private final List<LiveTable> tables;
    private final Consumer<LiveTable> obsolete;

    /// Starts at one, for the creator. At zero it is dead and cannot be acquired again.
    private final AtomicInteger references = new AtomicInteger(1);

    /// @param obsolete takes tables that nobody holds any more
    Version(Collection<LiveTable> members, Consumer<LiveTable> obsolete) {
        this.tables = List.copyOf(members);
        this.obsolete = obsolete;
        this.runs = runsOf(tables);
        tables.forEach(LiveTable::acquire);
    }

    /// Newest first.
    public List<Run> runs() {
        return runs;
    }

    /// Takes a reference.
    ///
    /// @return false when the version is dead; a newer one is then in its place
    public boolean acquire() {
        while (true) {
            int count = references.get();
            if (count == 0) {
                return false;
            }
            if (references.compareAndSet(count, count + 1)) {
                return true;
            }
        }
    }

    public void release() {
        if (references.decrementAndGet() == 0) {
            for (LiveTable table : tables) {
                if (table.release()) {
                    obsolete.accept(table);
                }
            }
        }
    }

    /// What bears on merging; made anew by each call.
    public Shape shape() {
        return new Shape(runs.stream().map(Run::shape).toList());
    }

    /// A cursor over some tables of a run. The caller holds a reference.
    ///
    /// @param tables numbers
    public RecordCursor cursor(long run, List<Long> tables) {
        return runs.stream()
                .filter(each -> each.id() == run)
                .findFirst()
                .orElseThrow()
                .cursor(Set.copyOf(tables));
    }

    /// Where records may lie that are older than what is merged into a run.
    ///
    /// @param merged numbers of the tables that are being merged
    public Beneath beneath(long outputRun, Set<Long> merged) {
        return new OlderTables(runs, outputRun, merged);
    }

    public TableInfo tableInfo(long number) {
        return tables.stream()
                .map(LiveTable::info)
                .filter(info -> info.number() == number)
                .findFirst()
                .orElseThrow();
    }

    List<LiveTable> tables() {
        return tables;
    }

    private static List<Run> runsOf(List<LiveTable> tables) {
        Map<Long, List<LiveTable>> byRun = tables.stream()
                .collect(Collectors.groupingBy(table -> table.info().run()));
        List<Run> runs = new ArrayList<>();
        byRun.forEach((id, members) -> runs.add(new Run(id, members)));
        runs.sort(Comparator.comparingLong(Run::id).reversed());
        return List.copyOf(runs);
    }
}
