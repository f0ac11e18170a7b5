package kvant.lsm.background;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import kvant.engine.EngineException;
import kvant.engine.Samples;
import kvant.engine.kit.ExpiryClock;
import kvant.lsm.compaction.Leveled;
import kvant.lsm.memtable.ArenaMemtable;
import kvant.lsm.record.ListCursor;
import kvant.lsm.record.Tag;
import kvant.lsm.sim.SimStorage;
import kvant.lsm.store.FullCompaction;
import kvant.lsm.store.Store;
import kvant.lsm.store.StoreOptions;
import kvant.lsm.table.TableContext;
import kvant.lsm.table.TableOptions;
import kvant.lsm.value.ValueOptions;
import kvant.lsm.version.Levels;
import kvant.lsm.version.Manifest;
import kvant.lsm.version.TableInfo;
import kvant.lsm.version.VersionEdit;
import kvant.lsm.version.VersionSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Which merge comes next: on a store of two levels, of which the upper one is always too large, because no task is
/// carried out here.
class MergeClaimsTest {

    private static final long HEADROOM_BYTES = 1_000;

    private final SimStorage storage = new SimStorage();
    private Store store;
    private MergeClaims claims;
    private FullCompaction requests;

    @BeforeEach
    void open() throws IOException {
        VersionSet versions =
                VersionSet.open(storage, new Random(1), 1 << 20, Manifest.read(storage), new TableContext(0));
        StoreOptions options = new StoreOptions(
                () -> new ArenaMemtable(100),
                _ -> 0,
                new TableOptions(64, 300),
                ValueOptions.DEFAULT,
                HEADROOM_BYTES,
                new Random(1),
                ExpiryClock.of(InstantSource.system()));
        store = new Store(storage, options, versions, new ArenaMemtable(100), 0);
        write(6, 1);
        write(5, 1_000);
        claims = new MergeClaims(store.background(), new Leveled(2, 600, 2), InstantSource.system());
        requests = store.operators().requests().fullCompaction();
    }

    @AfterEach
    void close() throws IOException {
        store.beginClose();
        store.close();
        assertThat(storage.openMaps()).as("versions that are held").isZero();
    }

    @Test
    void partsOfAFullMergeAndOrdinaryMergesTakeTurns() {
        long request = requests.request();
        List<Long> kinds = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            MergeTask task = claims.claim();
            kinds.add(task.fullMerge());
            end(task, false, null);
        }
        assertThat(kinds).containsExactly(0L, request, 0L, request, 0L, request);
        assertThat(requests.progress().leftBytes()).isPositive();
    }

    @Test
    void besideAPartThereAreOrdinaryMergesOfOtherTables() {
        long request = requests.request();
        end(claims.claim(), false, null);
        MergeTask part = claims.claim();
        assertThat(part.fullMerge()).isEqualTo(request);
        MergeTask beside = claims.claim();
        assertThat(beside.fullMerge()).isZero();
        assertThat(beside.tables()).doesNotContainAnyElementsOf(part.tables());
        end(part, true, null);
        end(beside, false, null);
    }

    @Test
    void aPartThatFailsEndsTheRequestAndNoOther() {
        long first = requests.request();
        end(claims.claim(), false, null);
        end(claims.claim(), false, new EngineException.Io("simulated", null));
        assertThat(requests.pending()).isZero();
        assertThatThrownBy(() -> requests.isDone(first)).hasMessageContaining("simulated");
        long second = requests.request();
        assertThat(requests.isDone(second)).isFalse();
        assertThat(requests.pending()).isEqualTo(second);
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
        MergeTask task = claims.claim();
        long bytes = task.inputs().stream().mapToLong(TableInfo::bytes).sum();
        end(task, false, null);
        storage.setUsableBytes(HEADROOM_BYTES + bytes - 1);
        MergeTask smaller = claims.claim();
        if (smaller != null) { // another one may need less
            assertThat(smaller.inputs().stream().mapToLong(TableInfo::bytes).sum())
                    .isLessThan(bytes);
            end(smaller, false, null);
        }
        storage.setUsableBytes(HEADROOM_BYTES);
        assertThat(claims.claim()).isNull();
        assertThat(claims.noRoom()).hasMessageContaining("goes on when there is room");
        storage.setUsableBytes(Long.MAX_VALUE);
        end(claims.claim(), false, null);
        assertThat(claims.noRoom()).isNull();
    }

    @Test
    void aFullMergeNeedsRoomForItsLargestPartAndNotForTheStore() {
        long all = 0;
        for (var run : store.readers().current().version().runs()) {
            all += run.bytes();
        }
        storage.setUsableBytes(HEADROOM_BYTES + all - 1);
        long possible = requests.request();
        MergeTask ordinary = claims.claim();
        end(ordinary, false, null);
        MergeTask part = claims.claim();
        assertThat(part.fullMerge()).isEqualTo(possible);
        end(part, false, new EngineException.Io("enough", null));

        storage.setUsableBytes(HEADROOM_BYTES + 500);
        long impossible = requests.request();
        claims.claim();
        assertThatThrownBy(() -> requests.isDone(impossible)).isInstanceOf(EngineException.StorageFull.class);
    }

    private void end(MergeTask task, boolean carriedThrough, EngineException failure) {
        store.readers().release(task.version());
        claims.giveBack(task, carriedThrough, failure);
    }

    private void write(int level, long firstSequence) throws IOException {
        List<ListCursor.Entry> records = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            records.add(new ListCursor.Entry(
                    Samples.bytes("key-%03d".formatted(i)), Tag.of(firstSequence + i, Tag.PUT), new byte[20]));
        }
        List<TableInfo> tables = store.background()
                .tables()
                .runWriter(_ -> {})
                .write(new ListCursor(records), Levels.runOf(level))
                .tables();
        store.background().tables().installCompaction(VersionEdit.compaction(tables, List.of()));
    }
}
