package kvant.lsm.background;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import kvant.engine.EngineException;
import kvant.lsm.compaction.Leveled;
import kvant.lsm.compaction.MergePart;
import kvant.lsm.store.FullCompaction;
import kvant.lsm.store.Quarantine;
import kvant.lsm.store.Store;
import kvant.lsm.table.TableInfo;
import kvant.lsm.version.Levels;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which merge comes next: on a store of two levels, of which the upper one is always too large, because no task is
/// carried out here.
class CompactionSchedulerTest {

    private final IdleStore idle;
    private final Store store;
    private CompactionScheduler claims;
    private FullCompaction requests;

    CompactionSchedulerTest() throws IOException {
        idle = new IdleStore();
        store = idle.store();
    }

    @BeforeEach
    void open() throws IOException {
        idle.write(Levels.runOf(6), 0, 100);
        idle.write(Levels.runOf(5), 1_000, 1_100);
        claims = claims(1);
        requests = store.fullCompaction();
    }

    private CompactionScheduler claims(int threads) {
        return claims(threads, 600);
    }

    private CompactionScheduler claims(int threads, long baseBytes) {
        return idle.claims(new Leveled(2, baseBytes, 2), threads);
    }

    /// Claims that are about to merge both levels as a whole.
    private CompactionScheduler beforeMergeOfAll(int threads) {
        claims = claims(threads, 1 << 20);
        requests.request();
        end(claim(), false, null); // an ordinary one
        return claims;
    }

    @AfterEach
    void close() throws IOException {
        idle.close();
    }

    @Test
    void partsOfAFullMergeAndOrdinaryMergesTakeTurns() {
        long request = requests.request();
        List<Long> kinds = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            MergeTask task = claim();
            kinds.add(task.fullMerge());
            end(task, false, null);
        }
        assertThat(kinds).containsExactly(0L, request, 0L, request, 0L, request);
        assertThat(requests.progress().leftBytes()).isPositive();
    }

    @Test
    void besideAPartThereAreOrdinaryMergesOfOtherTables() {
        long request = requests.request();
        end(claim(), false, null);
        MergeTask part = claim();
        assertThat(part.fullMerge()).isEqualTo(request);
        MergeTask beside = claim();
        assertThat(beside.fullMerge()).isZero();
        assertThat(beside.tables()).doesNotContainAnyElementsOf(part.tables());
        end(part, true, null);
        end(beside, false, null);
    }

    @Test
    void aPartThatFailsEndsTheRequestAndNoOther() {
        long first = requests.request();
        end(claim(), false, null);
        end(claim(), false, new EngineException.Io("simulated", null));
        assertThat(requests.pending()).isZero();
        assertThatThrownBy(() -> requests.isDone(first)).hasMessageContaining("simulated");
        long second = requests.request();
        assertThat(requests.isDone(second)).isFalse();
        assertThat(requests.pending()).isEqualTo(second);
    }

    /// One that is read through finds nothing wrong in the end: there is no damage to tell of.
    @Test
    void aFullMergeThatHasLeftOutSuspectedTablesIsNotDone() {
        Quarantine quarantine = store.health().quarantine();
        List<Long> suspected = store.readers().current().version().runs().stream()
                .flatMap(run -> run.tableInfos().stream())
                .map(TableInfo::number)
                .toList();
        quarantine.suspect(suspected);
        long request = requests.request();
        assertThat(claim()).as("all tables are left out").isNull();
        assertThat(requests.pending()).isZero();
        assertThatThrownBy(() -> requests.isDone(request))
                .isInstanceOf(EngineException.Busy.class)
                .hasMessageContaining("some tables were left out");

        suspected.forEach(quarantine::readable);
        long again = requests.request();
        end(claim(), false, null); // an ordinary one
        MergeTask part = claim();
        assertThat(part.fullMerge()).isEqualTo(again);
        end(part, false, null);
    }

    @Test
    void aRequestThatWasAnsweredStaysSo() {
        long good = requests.request();
        requests.answer(good);
        long bad = requests.request();
        requests.fail(bad, new EngineException.Io("simulated", null));
        long later = requests.request();
        requests.fail(later, new EngineException.Io("another", null));
        assertThat(requests.isDone(good)).isTrue();
        assertThatThrownBy(() -> requests.isDone(bad)).hasMessageContaining("simulated");
        assertThatThrownBy(() -> requests.isDone(later)).hasMessageContaining("another");
    }

    @Test
    void noMergeBeginsThatTheDiskHasNoRoomFor() {
        MergeTask task = claim();
        long bytes = task.inputBytes();
        end(task, false, null);
        idle.setUsableBytes(IdleStore.HEADROOM_BYTES + bytes - 1);
        MergeTask smaller = claim();
        if (smaller != null) { // another one may need less
            assertThat(smaller.inputBytes()).isLessThan(bytes);
            end(smaller, false, null);
        }
        idle.setUsableBytes(IdleStore.HEADROOM_BYTES);
        assertThat(claim()).isNull();
        assertThat(claims.noRoom()).hasMessageContaining("continues when there is room");
        idle.setUsableBytes(Long.MAX_VALUE);
        end(claim(), false, null);
        assertThat(claims.noRoom()).isNull();
    }

    /// A merge that may begin on a full disk may also begin where a little more is free.
    @ParameterizedTest
    @ValueSource(longs = {-1, 0, 1})
    void theReserveServesMergesThatDropDeletions(long moreBytes) {
        idle.setUsableBytes(IdleStore.HEADROOM_BYTES + moreBytes);
        assertThat(store.tables().refuseRoomForDeletions(IdleStore.HEADROOM_BYTES / 2))
                .isNull();
        assertThat(store.tables().refuseRoomForDeletions(IdleStore.HEADROOM_BYTES))
                .hasMessageContaining("continues when there is room");
    }

    @Test
    void aFullMergeNeedsRoomForItsLargestPartAndNotForTheStore() {
        long all = 0;
        for (var run : store.readers().current().version().runs()) {
            all += run.bytes();
        }
        idle.setUsableBytes(IdleStore.HEADROOM_BYTES + all - 1);
        long possible = requests.request();
        MergeTask ordinary = claim();
        end(ordinary, false, null);
        MergeTask part = claim();
        assertThat(part.fullMerge()).isEqualTo(possible);
        end(part, false, new EngineException.Io("enough", null));

        idle.setUsableBytes(IdleStore.HEADROOM_BYTES + 500);
        long impossible = requests.request();
        claim();
        assertThatThrownBy(() -> requests.isDone(impossible)).isInstanceOf(EngineException.StorageFull.class);
    }

    @Test
    void threadsGetThePartsOfAMergeBeforeAnythingElse() {
        CompactionScheduler.Claim first = beforeMergeOfAll(3).claim();
        MergeTask task = first.task();
        assertThat(task.parts()).hasSize(3);
        List<MergePart> claimed = new ArrayList<>(List.of(first.part()));
        while (claimed.size() < task.parts().size()) {
            CompactionScheduler.Claim next = claims.claim();
            assertThat(next.task()).isSameAs(task);
            claimed.add(next.part());
        }
        assertThat(claimed).isEqualTo(task.parts());
        assertThat(claim()).as("all tables are taken").isNull();
        for (int i = 1; i < claimed.size(); i++) {
            assertThat(claims.endPart(task, true, null)).isFalse();
        }
        end(task, true, null);
        assertThat(task.isCarriedThrough()).isTrue();
    }

    @Test
    void noPartBeginsAfterOneHasFailed() {
        MergeTask task = beforeMergeOfAll(2).claim().task();
        assertThat(task.parts()).hasSize(2);
        end(task, false, new EngineException.Io("simulated", null));
        assertThat(task.failure()).hasMessageContaining("simulated");
        MergeTask next = claim();
        assertThat(next).isNotSameAs(task);
        end(next, false, null);
    }

    @Test
    void atTheEndOfTheEngineNoPartBeginsAndNoneIsForgotten() {
        MergeTask task = beforeMergeOfAll(2).claim().task();
        assertThat(claims.endPart(task, true, null)).as("another part waits").isFalse();
        assertThat(claims.abandon()).isSameAs(task);
        assertThat(claims.abandon()).isNull();
        assertThat(task.isCarriedThrough()).isFalse();
        store.readers().release(task.version());
    }

    @Test
    void whoeverWorksOnThePartThatIsLeftEndsTheTask() {
        MergeTask task = beforeMergeOfAll(2).claim().task();
        assertThat(claims.abandon()).as("a part goes on").isNull();
        end(task, true, null);
    }

    private @Nullable MergeTask claim() {
        CompactionScheduler.Claim claim = claims.claim();
        return claim == null ? null : claim.task();
    }

    private void end(MergeTask task, boolean carriedThrough, @Nullable EngineException failure) {
        idle.end(claims, task, carriedThrough, failure);
    }
}
