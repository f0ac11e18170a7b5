package kvant.lsm.background;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import kvant.lsm.compaction.CompactionJob;
import kvant.lsm.compaction.CompactionPlan;
import kvant.lsm.compaction.Leveled;
import kvant.lsm.store.FullCompaction;
import kvant.lsm.table.TableInfo;
import kvant.lsm.version.Levels;
import kvant.lsm.version.VersionEdit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A merge of several tables may write one table across the gap between them. Nothing is brought there before it ends,
/// and then it is.
class MergeGapsTest {

    private static final long FIVE = Levels.runOf(5);
    private static final long SIX = Levels.runOf(6);
    private static final int TABLE_KEYS = 3;

    /// At which merges of level 0 give way to nothing; see [IdleStore#claims].
    private static final int URGENT_RUNS = 10;

    private final IdleStore store;
    private final FullCompaction requests;

    MergeGapsTest() throws IOException {
        store = new IdleStore();
        requests = store.store().fullCompaction();
    }

    @AfterEach
    void close() throws IOException {
        store.close();
    }

    @Test
    void nothingIsMovedIntoTheGapOfAPartOfAFullMerge() throws IOException {
        writeAroundTheGap(SIX, 0);
        writeAroundTheGap(FIVE, 1_000);
        CompactionScheduler claims = store.claims(new Leveled(2, 1 << 20, 2), 1);
        long request = requests.request();
        store.end(claims, claim(claims), false, null); // an ordinary one
        MergeTask part = claim(claims);
        assertThat(part.fullMerge()).isEqualTo(request);
        assertThat(part.tables()).hasSize(4);

        List<Long> inGap = numbers(store.write(FIVE, 2_010, 2_010 + TABLE_KEYS));
        assertThat(claim(claims)).as("it waits").isNull();
        assertThat(claims.noRoom()).isNull();
        assertThat(claims.isAtRest()).isFalse();

        store.end(claims, part, false, null);
        MergeTask moved = claim(claims);
        assertThat(moved.choice()).isEqualTo(new CompactionPlan.Move(inGap, SIX));
        store.end(claims, moved, false, null);
    }

    /// The picker is asked again without what has to wait.
    @Test
    void whatLiesInNoGapDoesNotWait() throws IOException {
        writeAroundTheGap(SIX, 0);
        writeAroundTheGap(FIVE, 1_000);
        CompactionScheduler claims = store.claims(new Leveled(2, 1 << 20, 2), 1);
        requests.request();
        store.end(claims, claim(claims), false, null);
        MergeTask part = claim(claims);

        store.write(FIVE, 2_010, 2_010 + TABLE_KEYS);
        List<Long> behind = numbers(store.write(FIVE, 2_050, 2_050 + TABLE_KEYS));
        MergeTask moved = claim(claims);
        assertThat(moved.choice()).isEqualTo(new CompactionPlan.Move(behind, SIX));
        store.end(claims, moved, false, null);
        store.end(claims, part, false, null);
    }

    @Test
    void aPartOfAFullMergeThatWouldMoveATableIntoAGapWaitsAndIsNotForgotten() throws IOException {
        List<TableInfo> last = writeAroundTheGap(SIX, 0);
        List<TableInfo> flushed = writeAroundTheGap(Levels.newestRun(500), 1_000);
        CompactionScheduler claims = store.claims(
                new Leveled(1, last.stream().mapToLong(TableInfo::bytes).sum(), 2), 1);
        MergeTask ordinary = claim(claims);
        assertThat(ordinary.tables()).hasSize(4);

        // As at the end of a merge in parts, which has yet to be given back.
        store.install(VersionEdit.compaction(List.of(), numbers(flushed)));
        List<Long> inGap = numbers(store.write(FIVE, 2_010, 2_010 + TABLE_KEYS));
        long request = requests.request();
        assertThat(claim(claims)).as("it waits").isNull();
        assertThat(requests.pending()).as("and is not done").isEqualTo(request);

        store.end(claims, ordinary, true, null);
        MergeTask part = claim(claims);
        assertThat(part.fullMerge()).isEqualTo(request);
        assertThat(part.choice()).isEqualTo(new CompactionPlan.Move(inGap, SIX));
        store.install(CompactionJob.move(part.version(), (CompactionPlan.Move) part.choice()));
        store.end(claims, part, true, null);
        assertThat(claim(claims)).as("everything is merged").isNull();
        assertThat(requests.isDone(request)).isTrue();
    }

    /// Else there could always be another one, and the full merge would never end.
    @Test
    void whatTakesTheTablesOfAPartThatWaitsBeginsBehindIt() throws IOException {
        List<TableInfo> last = store.write(SIX, 0, TABLE_KEYS);
        List<TableInfo> flushed = writeAroundTheGap(Levels.newestRun(500), 1_000);
        CompactionScheduler claims = store.claims(new Leveled(1, last.getFirst().bytes(), 2), 2);
        MergeTask ordinary = claim(claims);
        assertThat(ordinary.tables()).hasSize(3);
        store.install(VersionEdit.compaction(List.of(), numbers(flushed)));
        List<Long> atItsEnd = numbers(store.write(FIVE, 2_022, 2_022 + TABLE_KEYS));
        long request = requests.request();
        assertThat(claim(claims)).as("the part waits").isNull();

        List<Long> above = new ArrayList<>();
        for (int run = 0; run < URGENT_RUNS / 2; run++) { // of level 0, which is chosen before the table beneath it
            above.addAll(numbers(store.write(Levels.newestRun(600 + run), 3_023, 3_023 + TABLE_KEYS)));
        }
        assertThat(claim(claims)).as("it would take the table of the part").isNull();

        store.end(claims, ordinary, false, null);
        MergeTask part = claim(claims);
        assertThat(part.fullMerge()).isEqualTo(request);
        assertThat(part.choice()).isEqualTo(new CompactionPlan.Move(atItsEnd, SIX));
        store.end(claims, part, false, null);
        MergeTask behind = claim(claims);
        assertThat(behind.fullMerge()).isZero();
        assertThat(behind.tables()).containsAll(above).containsAll(atItsEnd);
        store.end(claims, behind, false, null);
    }

    /// Writes would be slowed down.
    @Test
    void aLongLevelZeroWaitsForNoPart() throws IOException {
        List<TableInfo> last = store.write(SIX, 0, TABLE_KEYS);
        List<TableInfo> flushed = writeAroundTheGap(Levels.newestRun(500), 1_000);
        CompactionScheduler claims = store.claims(new Leveled(1, last.getFirst().bytes(), 2), 2);
        MergeTask ordinary = claim(claims);
        store.install(VersionEdit.compaction(List.of(), numbers(flushed)));
        store.write(FIVE, 2_022, 2_022 + TABLE_KEYS);
        requests.request();
        assertThat(claim(claims)).as("the part waits").isNull();

        for (int run = 0; run < URGENT_RUNS; run++) {
            store.write(Levels.newestRun(600 + run), 3_023, 3_023 + TABLE_KEYS);
        }
        MergeTask urgent = claim(claims);
        assertThat(urgent.fullMerge()).isZero();
        assertThat(urgent.tables()).hasSize(URGENT_RUNS + 1);
        store.end(claims, urgent, false, null);
        store.end(claims, ordinary, false, null);
    }

    /// A table from key 0 on and one from key 20 on.
    private List<TableInfo> writeAroundTheGap(long run, long first) throws IOException {
        List<TableInfo> left = store.write(run, first, first + TABLE_KEYS);
        List<TableInfo> right = store.write(run, first + 20, first + 20 + TABLE_KEYS);
        assertThat(List.of(left, right)).allMatch(tables -> tables.size() == 1);
        return List.of(left.getFirst(), right.getFirst());
    }

    private static @Nullable MergeTask claim(CompactionScheduler claims) {
        CompactionScheduler.Claim claim = claims.claim();
        return claim == null ? null : claim.task();
    }

    private static List<Long> numbers(List<TableInfo> tables) {
        return tables.stream().map(TableInfo::number).toList();
    }
}
