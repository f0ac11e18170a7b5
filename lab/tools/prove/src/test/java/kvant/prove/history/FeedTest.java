package kvant.prove.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import kvant.prove.history.Follower.Change;
import kvant.prove.history.Operation.Cell;
import kvant.prove.history.Operation.Outcome;
import kvant.prove.stage.Figures;
import kvant.prove.stage.Stage;
import kvant.text.child.QuickNodes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/// The change feed, followed across kills of its node: as lines and as events all the time, and once from its start.
///
/// `-Dkvant.tries=N`, `-Dkvant.operations=N` and `-Dkvant.seed=N` as in [HistoriesTest].
@Tag("full") // nearly a minute of nodes that are killed
class FeedTest {

    private static final long SEED = Long.getLong("kvant.seed", System.nanoTime() & 0xffff);
    private static final int OPERATIONS = Integer.getInteger("kvant.operations", 800);

    /// Where all is kept.
    private static final List<String> RETAIN = List.of("--changes-retain", "64MiB");

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path folder;

    @BeforeAll
    static void quickNodes() {
        QuickNodes.use("-Xmx256m", "-XX:+UseSerialGC");
    }

    @Test
    @Timeout(value = 1, unit = TimeUnit.HOURS) // for many of them
    void followersGetEachWriteOnceAndInOrderAcrossKills() throws Exception {
        Figures figures = new Figures();
        try (Stage stage = new Stage(
                folder, SEED, Duration.ofHours(1), Integer.getInteger("kvant.tries", 1), System.out::println)) {
            while (stage.next()) {
                long even = 2 * (stage.seed() + stage.trip()); // the engine lsm
                Setup setup = Setup.of(even, stage.random(-1), OPERATIONS);
                HistoryRun run = new HistoryRun(stage, setup, RETAIN, UnaryOperator.identity(), figures);
                follow(run, figures);
                logsThatAreGone(run);
                run.dispose();
            }
        }
        System.out.println("seed " + SEED + ": " + figures);
        assertThat(figures.number("kills") + figures.number("stops")).isPositive();
    }

    private static void follow(HistoryRun run, Figures figures) throws Exception {
        List<Follower> followers = List.of(new Follower(run.lives, false), new Follower(run.lives, true));
        List<Thread> threads = followers.stream()
                .map(one -> Thread.ofPlatform().daemon().start(one))
                .toList();
        List<Operation> history = run.run();
        followers.forEach(Follower::finish);
        for (Thread thread : threads) {
            thread.join();
        }
        Follower late = new Follower(run.lives, false);
        assertThat(late.follow(run.lives.await(), 0)).isEmpty();
        for (Follower follower : followers) {
            List<Change> _ = follower.changes(); // or what went wrong
            assertThat(follower.follow(run.lives.await(), 0)).isEmpty();
            assertThat(follower.changes()).as("seed %d", SEED).isEqualTo(late.changes());
        }
        figures.add("changes", late.changes().size());
        assertThat(fault(history, late.changes())).as("seed %d", SEED).isEmpty();
        run.judge(history);
    }

    /// A start without `--changes-retain` deletes the logs that only followers need.
    private static void logsThatAreGone(HistoryRun run) throws Exception {
        run.restart(List.of());
        assertThat(new Follower(run.lives, false).follow(run.lives.await(), 0)).isEqualTo("gone");
    }

    @Test
    void aGapADuplicateAndAWriteThatNobodyMadeAreFound() {
        Operation put = Operation.asked("PUT", List.of(), new Cell(0, 1)).done(5);
        Operation batch = Operation.asked("batch", List.of(), new Cell(4, 2), new Cell(5, 3))
                .done(7);
        Operation open = Operation.asked("PUT", List.of(), new Cell(1, 4));
        List<Operation> history = List.of(put, batch, open);
        Change first = new Change(5, false, new Cell(0, 1));
        Change second = new Change(6, true, new Cell(4, 2));
        Change third = new Change(7, false, new Cell(5, 3));
        assertThat(fault(history, List.of(first, second, third))).isEmpty();
        assertThat(fault(history, List.of(second, third))).startsWith("the feed has 0 of 1");
        assertThat(fault(history, List.of(first, second))).startsWith("the feed has 1 of 2");
        assertThat(fault(history, List.of(first, first, second, third))).startsWith("the feed has 2 of 1");
        assertThat(fault(history, List.of(first, new Change(6, false, new Cell(4, 2)), third)))
                .startsWith("the feed parts");
        assertThat(fault(history, List.of(new Change(4, false, new Cell(0, 1)), second, third)))
                .startsWith("the feed has another");
        Change unknown = new Change(8, false, new Cell(0, 9));
        assertThat(fault(history, List.of(first, second, third, unknown))).isEqualTo("1 changes that no client made");
        Change deleted = new Change(8, false, new Cell(0, 0));
        assertThat(fault(history, List.of(first, second, third, deleted)))
                .isEqualTo("1 deletes in the feed, not 0 to 0");
        assertThat(fault(List.of(put.refused()), List.of(first))).startsWith("the feed has what was refused");
    }

    @Test
    void updatesThatWereAppliedTogetherAreOneChange() {
        Operation first = Operation.asked("SET GET", List.of(), new Cell(0, 1)).done(0, new Cell(0, Cell.ABSENT));
        Operation second = Operation.asked("SET GET", List.of(), new Cell(0, 2)).done(0, new Cell(0, 1));
        List<Change> feed = List.of(new Change(5, false, new Cell(0, 2)));
        assertThat(fault(List.of(first.at(1, 10, 30), second.at(2, 20, 40)), feed))
                .isEmpty();
        assertThat(fault(List.of(first.at(1, 10, 30), second.at(2, 20, 40)), List.of()))
                .startsWith("the feed has 0 of 1");
        assertThat(fault(List.of(first.at(1, 10, 20), second.at(2, 30, 40)), feed))
                .startsWith("the feed has 0 of 1");
        Operation other = Operation.asked("SET GET", List.of(), new Cell(1, 2)).done(0, new Cell(1, 0));
        assertThat(fault(
                        List.of(first.at(1, 10, 30), other.at(2, 20, 40)),
                        List.of(new Change(5, false, new Cell(1, 2)))))
                .startsWith("the feed has 0 of 1");
        Operation put = Operation.asked("SET", List.of(), new Cell(0, 2)).done(0);
        assertThat(fault(List.of(first.at(1, 10, 30), put.at(2, 20, 40)), feed)).startsWith("the feed has 0 of 1");
    }

    /// @return what the feed lacks or has too much, as the clients know it; or empty
    private static String fault(List<Operation> history, List<Change> feed) {
        Map<Cell, List<Integer>> places = new HashMap<>();
        Map<Integer, Integer> last = new HashMap<>();
        for (int i = 0; i < feed.size(); i++) {
            Cell cell = feed.get(i).cell();
            places.computeIfAbsent(cell, _ -> new ArrayList<>()).add(i);
            last.put(cell.key(), cell.value());
        }
        int known = 0;
        for (Operation one : history) {
            List<Integer> found = new ArrayList<>();
            List<Cell> puts = one.writes().stream()
                    .filter(cell -> cell.value() != Cell.ABSENT)
                    .toList();
            puts.forEach(cell -> found.addAll(places.getOrDefault(cell, List.of())));
            known += found.size();
            String fault = found.isEmpty() && isReplaced(one, history, places) ? "" : fault(one, puts, found, feed);
            boolean isLast = one.name().equals("last GET");
            Cell read = isLast ? one.reads().getFirst() : new Cell(0, 0);
            if (!fault.isEmpty() || isLast && read.value() != last.getOrDefault(read.key(), Cell.ABSENT)) {
                return fault + (isLast ? "the feed ends with another value" : "") + ": " + one;
            }
        }
        long puts = feed.stream()
                .filter(change -> change.cell().value() != Cell.ABSENT)
                .count();
        return known == puts ? deletes(history, feed.size() - puts) : (puts - known) + " changes that no client made";
    }

    /// Whether an update may have been applied together with another one of its key, whose result alone was written
    /// then: docs/resp.md, Updates.
    private static boolean isReplaced(Operation one, List<Operation> history, Map<Cell, List<Integer>> places) {
        return isUpdate(one)
                && history.stream()
                        .filter(other -> other != one && isUpdate(other) && other.outcome() != Outcome.REFUSED)
                        .filter(other -> one.called() < other.ended() && other.called() < one.ended())
                        .map(other -> other.writes().getFirst())
                        .filter(cell -> cell.key() == one.writes().getFirst().key())
                        .anyMatch(cell -> cell.value() == Cell.ABSENT || places.containsKey(cell));
    }

    private static boolean isUpdate(Operation one) {
        return List.of("SET GET", "GETDEL").contains(one.name())
                || one.name().equals("SET") && !one.conditions().isEmpty();
    }

    private static String fault(Operation one, List<Cell> puts, List<Integer> found, List<Change> feed) {
        if (one.outcome() == Outcome.REFUSED) {
            return found.isEmpty() ? "" : "the feed has what was refused";
        }
        if (found.size() != puts.size() && !(one.isOpen() && found.isEmpty())) {
            return "the feed has " + found.size() + " of " + puts.size() + " writes";
        }
        for (int i = 1; i < found.size(); i++) {
            int first = Math.min(found.get(i - 1), found.get(i));
            if (!feed.subList(first, Math.max(found.get(i - 1), found.get(i))).stream()
                    .allMatch(Change::more)) {
                return "the feed parts what was written as one";
            }
        }
        boolean isVersioned =
                one.version() != 0 && !puts.isEmpty() && one.writes().getLast().equals(puts.getLast());
        return isVersioned && feed.get(found.getLast()).version() != one.version()
                ? "the feed has another version"
                : "";
    }

    /// A delete has no version. Over HTTP each is a change; that of RESP is none where the key is absent.
    private static String deletes(List<Operation> history, long fed) {
        long least = 0;
        long most = 0;
        for (Operation one : history) {
            long deletes = one.writes().stream()
                    .filter(cell -> cell.value() == Cell.ABSENT)
                    .count();
            boolean isHttp = one.name().equals("DELETE") || one.name().equals("batch");
            least += one.outcome() == Outcome.DONE && isHttp ? deletes : 0;
            most += one.outcome() == Outcome.REFUSED ? 0 : deletes;
        }
        return fed >= least && fed <= most ? "" : fed + " deletes in the feed, not " + least + " to " + most;
    }
}
