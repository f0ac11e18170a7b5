package kvant.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import kvant.archive.ArchiveIndex.LogObject;
import kvant.archive.ArchiveRestore.RestorePoint;
import kvant.archive.ArchiveRestore.Restored;
import kvant.backup.DirectoryStore;
import kvant.engine.EngineException;
import kvant.engine.Mutation;
import kvant.engine.Samples;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import kvant.lsm.LsmEngine;
import kvant.text.UserException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// After any failure at any moment, the target has a state that the store had, and the archive continues.
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class ArchiveFaultsTest {

    private static final RestorePoint LATEST = new RestorePoint.Latest();

    /// Of a machine that has other work.
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    Path folder;

    private final MemoryPlace place = new MemoryPlace();
    private int restores;

    private ArchiveFixture fixture() {
        return new ArchiveFixture(folder.resolve("data"), folder, place);
    }

    private Path target() {
        return folder.resolve("restored" + restores++);
    }

    private Restored restored(ArchiveFixture store) throws IOException {
        return restored(store, LATEST);
    }

    /// Restores, and compares with what the store held.
    private Restored restored(ArchiveFixture store, RestorePoint point) throws IOException {
        Path target = target();
        Restored restored = store.restore(target).run(point, 0);
        assertThat(ArchiveFixture.contents(target)).isEqualTo(store.states.get(restored.version()));
        return restored;
    }

    /// A process that ends at any call that changes the target, before or after its effect: of puts, merges, bases, of
    /// deletions and of the take-over itself. The next process continues.
    @Test
    void aProcessThatEndsAtAnyStepLeavesAStateAndTheNextOneGoesOn() throws Exception {
        int points = 0;
        boolean ended = true;
        for (int n = 1; ended; n++) {
            for (boolean done : List.of(false, true)) {
                place.objects.clear();
                Path data = folder.resolve("data" + n + done);
                try (ArchiveFixture store = new ArchiveFixture(data, folder, place)) {
                    store.options = ArchiveFixture.OPTIONS.with(o -> o.keep = Duration.ofMinutes(1));
                    place.dieAt(n, done);
                    ended = !runUntilDeath(store);
                    place.fault = null;
                    points++;
                    if (isRestorable()) {
                        restored(store);
                    }
                    store.putSome(1);
                    store.archived();
                    assertThat(restored(store).version()).isEqualTo(store.states.lastKey());
                    assertThat(ArchiveRestore.verify(
                                    place, problem -> assertThat(problem).isEmpty()))
                            .isZero();
                    assertThat(ArchiveIndex.read(place.open(""), 0).spans())
                            .as("no gap")
                            .hasSize(1);
                }
            }
        }
        assertThat(points).isGreaterThan(50);
    }

    /// @return whether it came to its end
    private static boolean runUntilDeath(ArchiveFixture store) {
        try {
            for (int process = 0; process < 2; process++) {
                Archiver archiver = store.archived();
                for (int i = 0; i < 4; i++) {
                    store.putSome(1);
                    store.clock.millis += Duration.ofSeconds(20).toMillis();
                    if (!ArchiveFixture.worked(archiver)) {
                        return false;
                    }
                }
                ArchiveFixture.keep(archiver);
                store.clock.millis += Duration.ofDays(2).toMillis();
            }
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    private boolean isRestorable() throws IOException {
        return !ArchiveIndex.read(place.open(""), 0).usableBases().isEmpty();
    }

    /// A new base behind a gap would hide it: so a version between two bases is restored.
    @Test
    void aRestartArchivesEachVersionThatTheLastProcessHasLeft() throws Exception {
        try (ArchiveFixture store = fixture()) {
            Archiver archiver = store.archived();
            store.putSome(1);
            archiver.round();
            store.putSome(2);
            store.archived(); // another process
            assertThat(ArchiveIndex.read(place.open(""), 0).cover(0).end()).isEqualTo(3);
            assertThat(restored(store, new RestorePoint.Version(2)).version()).isEqualTo(2);
        }
    }

    @Test
    void aTargetThatFailsForAWhileCostsNoWriteAndNothingIsLost() throws Exception {
        try (ArchiveFixture store = fixture()) {
            Archiver archiver = store.paced();
            archiver.start();
            await().atMost(PATIENCE).until(() -> archiver.state.version == 0 && isRestorable());
            for (String trouble : List.of("No space left on device", "Read-only file system", "500 InternalError")) {
                place.fault = (_, _, _) -> {
                    throw new IOException(trouble);
                };
                store.putSome(20);
                long held = store.states.lastKey();
                await().atMost(PATIENCE)
                        .untilAsserted(
                                () -> assertThat(archiver.check().detail()).contains(trouble));
                assertThat(archiver.check().ok()).as("the node stays ready").isTrue();
                assertThat(archiver.state.version).isLessThan(held);
                assertThat(archiver.state.lagSeconds()).isNotNegative();
                place.fault = null;
                await().atMost(PATIENCE).until(() -> archiver.state.version == held);
            }
            assertThat(archiver.state.failures).hasValueGreaterThan(2);
            archiver.close();
            assertThat(restored(store).version()).isEqualTo(store.states.lastKey());
        }
    }

    /// A put whose answer is lost is repeated with the same content, though more was written meanwhile.
    @Test
    void anUnansweredPutIsRepeatedAsItWas() throws Exception {
        try (ArchiveFixture store = fixture()) {
            Archiver archiver = store.archived();
            store.putSome(1);
            place.fault = (call, name, done) -> {
                if (call.equals("put") && name.startsWith("log/") && done) {
                    throw new IOException("the answer is lost");
                }
            };
            assertThat(ArchiveFixture.worked(archiver)).isFalse();
            store.putSome(1);
            place.fault = null;
            archiver.round();
            assertThat(ArchiveIndex.objects(place.open("")))
                    .extracting(LogObject::from, LogObject::to)
                    .as("the first one was not put again as a longer one")
                    .containsExactly(tuple(0L, 1L), tuple(1L, 2L));
            assertThat(restored(store).version()).isEqualTo(2);
        }
    }

    @Test
    void aSlowTargetHoldsNoWriteUpAndAtTheEndNoLongerThanTheLimit() throws Exception {
        try (ArchiveFixture store = fixture()) {
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch released = new CountDownLatch(1);
            store.options = ArchiveFixture.OPTIONS.with(o -> o.closeLimit = Duration.ofMillis(50));
            store.archived();
            place.fault = (call, name, done) -> {
                if (call.equals("put") && name.startsWith("log/") && !done) {
                    begun.countDown();
                    awaited(released);
                }
            };
            Archiver archiver = store.paced();
            archiver.start();
            store.putSome(1);
            awaited(begun);
            store.putSome(50); // while the put is in progress
            archiver.close(); // returns
            released.countDown();
            place.fault = null;
            store.archived();
            assertThat(restored(store).version()).isEqualTo(store.states.lastKey());
        }
    }

    /// An object of a kilobyte takes a tenth of a second, and the next one has more of what came meanwhile.
    @Test
    void aTargetOf10KilobytesASecondLagsAndLosesNothing() throws Exception {
        try (ArchiveFixture store = fixture()) {
            store.options = ArchiveFixture.OPTIONS.with(o -> o.objectBytes = 8 << 10);
            Archiver archiver = store.paced();
            store.engine.accompany(archiver);
            archiver.start();
            await().atMost(PATIENCE).until(() -> archiver.state.version == 0 && isRestorable());
            place.bytesPerSecond = 10_000;
            store.putSome(60);
            long newest = store.states.lastKey();
            assertThat(archiver.state.version)
                    .as("no write has waited for the target")
                    .isLessThan(newest);
            await().atMost(PATIENCE).until(() -> archiver.state.version == newest);
            archiver.close();
            assertThat(restored(store).version()).isEqualTo(newest);
            assertThat(restored(store, new RestorePoint.Version(newest / 2)).version())
                    .isEqualTo(newest / 2);
        }
    }

    private static void awaited(CountDownLatch latch) {
        try {
            assertThat(latch.await(Samples.timeoutNanos(), TimeUnit.NANOSECONDS))
                    .isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /// A listing that lacks the newest objects has them put once more, in the next epoch.
    @Test
    void aListingThatLagsLosesNothing() throws Exception {
        try (ArchiveFixture store = fixture()) {
            Archiver archiver = store.archived();
            for (int i = 0; i < 6; i++) {
                store.putSome(1);
                archiver.round();
                place.unlisted.addAll(
                        place.objects.tailMap("log/").headMap("log0").keySet());
                place.unlisted.addAll(
                        place.objects.tailMap("epochs/").headMap("epochs0").keySet());
                if (i == 3) {
                    archiver = store.archived(); // a new process, which sees none of it
                }
                ArchiveFixture.keep(archiver);
            }
            place.unlisted.clear();
            assertThat(restored(store).version()).isEqualTo(6);
            assertThat(restored(store, new RestorePoint.Version(3)).version()).isEqualTo(3);
            ArchiveFixture.keep(archiver);
            assertThat(restored(store, new RestorePoint.Version(3)).version()).isEqualTo(3);
        }
    }

    @Test
    void aRestoredStoreTakesTheArchiveAndTheOldOneStopsAndOverwritesNothing() throws Exception {
        try (ArchiveFixture old = fixture()) {
            old.putSome(3);
            Archiver first = old.archived();
            old.putSome(2);
            first.round();
            Path elsewhere = target();
            old.restore(elsewhere).run(new RestorePoint.Version(4), 0);
            TreeMap<Long, Map<String, String>> states = new TreeMap<>(old.states.headMap(5L));
            try (ArchiveFixture restored =
                    new ArchiveFixture(elsewhere, folder, place, states, old.clock, ArchiveFixture.SYNCED)) {
                Archiver second = restored.archived();
                restored.put("only", "in the restored one");
                second.round();
                old.put("late", "in the old one");
                assertThatThrownBy(first::round)
                        .isInstanceOf(Ownership.Lost.class)
                        .hasMessageContaining("is the archive of another store")
                        .hasMessageContaining("--archive-take-over");
                assertThatThrownBy(() -> ArchiveFixture.keep(first)).isInstanceOf(Ownership.Lost.class);
                restored.put("more", "in the restored one");
                second.round();
                assertThat(restored(restored).version()).isEqualTo(6);
                assertThat(restored(restored, new RestorePoint.Version(5)).version())
                        .isEqualTo(5);
                assertThatThrownBy(() -> old.archiver().round())
                        .as("a restart of the old one takes nothing")
                        .isInstanceOf(Ownership.Lost.class);
                assertThat(old.restore(target()).run(LATEST, 1).version())
                        .as("what the old one had is there under its epoch")
                        .isGreaterThanOrEqualTo(5);
            }
        }
    }

    @Test
    void aStoreThatHasNothingToDoWithTheArchiveIsRefusedAndTakesItOverWhenTold() throws Exception {
        try (ArchiveFixture one = fixture();
                ArchiveFixture other = new ArchiveFixture(folder.resolve("other"), folder, place)) {
            one.putSome(2);
            one.archived();
            other.put("another", "store");
            assertThatThrownBy(() -> other.archiver().round()).isInstanceOf(Ownership.Lost.class);
            assertThat(restored(one).version()).isEqualTo(2);
            other.options = ArchiveFixture.OPTIONS.with(o -> o.takeOver = true);
            other.archived();
            assertThat(restored(other).version()).isEqualTo(1);
        }
    }

    /// Also where a copy of the directory is started next to it.
    @Test
    void ofTwoCopiesOfAStoreOneAloneHasTheArchive() throws Exception {
        ArchiveFixture store = fixture();
        store.putSome(2);
        store.archived();
        store.close();
        Path copy = folder.resolve("copy");
        try (var tree = Files.walk(folder.resolve("data"))) {
            for (Path each : tree.toList()) {
                Files.copy(each, copy.resolve(folder.resolve("data").relativize(each)));
            }
        }
        try (ArchiveFixture one = new ArchiveFixture(
                        folder.resolve("data"), folder, place, store.states, store.clock, ArchiveFixture.SYNCED);
                LsmEngine two = LsmEngine.open(copy, ArchiveFixture.SYNCED)) {
            one.archived();
            Samples.write(two, WriteBatch.of(new Mutation.Delete("k".getBytes(UTF_8))));
            assertThatThrownBy(() -> Ownership.take(
                            place.open(""),
                            OwnerFile.folder(copy),
                            two.changes().newest(),
                            false,
                            one.clock))
                    .isInstanceOf(Ownership.Lost.class);
            one.putSome(1);
            one.archived();
            assertThat(restored(one).version()).isEqualTo(3);
        }
    }

    @Test
    void aDataDirectoryThatIsGoneIsNotMadeAnew() {
        Path gone = folder.resolve("gone");
        assertThatThrownBy(() -> OwnerFile.folder(gone)).isInstanceOf(NoSuchFileException.class);
        assertThat(gone).doesNotExist();
    }

    /// Its rounds have nothing to put: the look at the whole archive finds it.
    @Test
    void anIdleStoreSaysThatItsArchiveWasTaken() throws Exception {
        try (ArchiveFixture store = fixture()) {
            store.putSome(1);
            Archiver archiver = store.paced();
            archiver.start();
            await().atMost(PATIENCE).until(() -> archiver.state.version == 1 && isRestorable());
            Ownership.take(place.open(""), OwnerFile.folder(folder), 0, true, store.clock);
            await().atMost(PATIENCE).until(() -> archiver.state.stopped);
            archiver.close(); // after one more round
            assertThat(archiver.check().detail()).contains("STOPPED: memory: is the archive of another store");
        }
    }

    /// Two processes that take it in the same moment: the number of an epoch is given once.
    @Test
    void whoIsSlowerInTakingTheArchiveIsToldSo() throws Exception {
        try (ArchiveFixture one = fixture();
                ArchiveFixture other = new ArchiveFixture(folder.resolve("other"), folder, place)) {
            one.options = ArchiveFixture.OPTIONS.with(o -> o.takeOver = true);
            other.options = one.options;
            boolean[] between = new boolean[1];
            place.fault = (call, name, done) -> {
                if (call.equals("create") && name.startsWith("epochs/") && !done && !between[0]) {
                    between[0] = true;
                    other.archived();
                }
            };
            assertThatThrownBy(() -> one.archiver().round()).isInstanceOf(Ownership.Lost.class);
            assertThat(between[0]).isTrue();
        }
    }

    @Test
    void logsAreHeldUntilTheArchiveHasThemAndNoLonger() throws Exception {
        try (ArchiveFixture store = fixture()) {
            Archiver archiver = store.archived();
            place.fault = (_, _, _) -> {
                throw new IOException("away");
            };
            store.putSome(1_500); // many memtables
            store.engine.awaitRest();
            long held = logBytes(store.data);
            assertThat(held).isGreaterThan(1 << 20);
            assertThat(ArchiveFixture.worked(archiver)).isFalse();
            place.fault = null;
            archiver.round();
            assertThat(archiver.state.gaps).hasValue(0);
            assertThat(logBytes(store.data)).isLessThan(held / 4);
            assertThat(restored(store).version()).isEqualTo(store.states.lastKey());
        }
    }

    private static long logBytes(Path data) throws IOException {
        long bytes = 0;
        try (var files = Files.list(data.resolve("lsm"))) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".log")).toList()) {
                bytes += Files.size(file);
            }
        }
        return bytes;
    }

    @Test
    void whatIsNoLongerHeldIsAGapBehindWhichANewBaseBegins() throws Exception {
        try (ArchiveFixture store = new ArchiveFixture(
                folder.resolve("data"),
                folder,
                place,
                new TreeMap<>(Map.of(0L, Map.of())),
                new ArchiveFixture.SetClock(),
                ArchiveFixture.SYNCED.with(o -> o.heldLogBytes = 256 << 10))) {
            store.putSome(2);
            Archiver archiver = store.archived();
            store.putSome(1_500); // meanwhile the target takes nothing
            store.engine.awaitRest();
            archiver.round();
            assertThat(archiver.state.gaps).hasValue(1);
            ArchiveFixture.keep(archiver);
            store.putSome(2);
            archiver.round();
            ArchiveIndex report = ArchiveIndex.read(place.open(""), 0);
            assertThat(report.spans()).hasSize(2);
            assertThat(report.isWhole()).isTrue();
            assertThat(restored(store).version()).isEqualTo(store.states.lastKey());
            assertThat(restored(store, new RestorePoint.Version(2)).version()).isEqualTo(2);
            assertThatThrownBy(() -> store.restore(target()).run(new RestorePoint.Version(1_000), 0))
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining("the last state before it that can be restored is version 2");
        }
    }

    /// Power cuts included: what is acknowledged is in the target, whatever becomes of the node.
    @Test
    void withAckAWriteIsAcknowledgedOnceTheArchiveHasIt() throws Exception {
        try (ArchiveFixture store = fixture()) {
            store.options = ArchiveFixture.OPTIONS.with(o -> {
                o.interval = Duration.ofHours(1);
                o.ack = true;
            });
            Archiver archiver = store.paced();
            store.engine.accompany(archiver);
            archiver.start();
            await().atMost(PATIENCE).until(() -> archiver.state.version == 0 && isRestorable());
            for (int i = 0; i < 5; i++) {
                store.putSome(1); // does not wait for the interval
                assertThat(archiver.state.version).isEqualTo(store.states.lastKey());
                assertThat(restored(store).version()).isEqualTo(store.states.lastKey());
            }
            AtomicReference<String> atTarget = new AtomicReference<>("");
            CountDownLatch released = new CountDownLatch(1);
            place.fault = (call, name, done) -> {
                if (call.equals("put") && name.startsWith("log/") && !done) {
                    awaited(released);
                    atTarget.set(name);
                }
            };
            CompletableFuture<String> seen = CompletableFuture.supplyAsync(() -> {
                store.putSome(1);
                return atTarget.get();
            });
            await().atMost(PATIENCE)
                    .until(() -> ArchiveFixture.contents(store.engine).containsValue("value 5" + "x".repeat(700)));
            assertThat(seen).as("read by others, and not acknowledged").isNotDone();
            released.countDown();
            assertThat(seen.get()).as("put before it was acknowledged").startsWith("log/");
            place.fault = null;
            // Another store takes the archive: nothing more is acknowledged, or written.
            store.clock.millis++;
            OwnerFile.NONE.write(OwnerFile.folder(folder));
            Ownership.take(place.open(""), OwnerFile.folder(folder), 0, true, store.clock);
            byte[] key = "unknown".getBytes(UTF_8);
            Write unknown = Samples.settle(store.engine, WriteBatch.put(key, key));
            assertThat(unknown.failure()).isInstanceOf(EngineException.OutcomeUnknown.class);
            await().atMost(PATIENCE).until(() -> archiver.state.stopped);
            byte[] refusedKey = "refused".getBytes(UTF_8);
            Write refused = Samples.settle(store.engine, WriteBatch.put(refusedKey, key));
            assertThat(refused.failure()).isInstanceOf(EngineException.Unavailable.class);
            assertThat(ArchiveFixture.contents(store.engine)).doesNotContainKey("refused");
            archiver.close();
        }
    }

    @Test
    void withAckAWriteThatTheArchiveDoesNotTakeInTimeHasAnUnknownOutcome() throws Exception {
        try (ArchiveFixture store = fixture()) {
            store.options = ArchiveFixture.OPTIONS.with(o -> {
                o.ack = true;
                o.ackLimit = Duration.ofMillis(1);
                o.closeLimit = Duration.ofSeconds(5);
            });
            place.fault = (_, _, _) -> {
                throw new IOException("away");
            };
            Archiver archiver = store.paced();
            store.engine.accompany(archiver);
            archiver.start();
            byte[] key = "key".getBytes(UTF_8);
            Write late = Samples.settle(store.engine, WriteBatch.put(key, key));
            assertThat(late.failure())
                    .isInstanceOf(EngineException.OutcomeUnknown.class)
                    .hasMessageContaining("not known to be in the archive");
            archiver.close();
        }
    }

    /// The same in a directory, with threads, over restarts of the store.
    @Test
    void aStoreIsArchivedInADirectoryOverItsRestarts() throws Exception {
        Path root = folder.resolve("target");
        ArchivePlace directory = name -> DirectoryStore.open(
                name.isEmpty() ? root : DirectoryStore.open(root, true) == null ? root : root.resolve(name), true);
        TreeMap<Long, Map<String, String>> states = new TreeMap<>(Map.of(0L, Map.of()));
        ArchiveFixture.SetClock clock = new ArchiveFixture.SetClock();
        for (int start = 0; start < 3; start++) {
            try (ArchiveFixture store = new ArchiveFixture(
                    folder.resolve("data"), folder, directory, states, clock, ArchiveFixture.SYNCED)) {
                Archiver archiver = store.paced();
                archiver.start();
                store.putSome(200);
                await().atMost(PATIENCE).until(() -> archiver.state.version == states.lastKey());
                store.putSome(3);
                archiver.close();
                assertThat(restored(store).version()).isEqualTo(states.lastKey());
            }
        }
    }
}
