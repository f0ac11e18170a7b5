package kvant.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import kvant.text.UserException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Backups that share files, and what becomes of them when something fails.
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class BackupTest {

    @TempDir
    Path folder;

    private Path data = Path.of("");
    private Path place = Path.of("");
    private ObjectStore store = new FailingStore(List.of(), 0);

    @BeforeEach
    void open() throws IOException {
        data = Samples.store(folder.resolve("data"));
        place = folder.resolve("backups");
        store = DirectoryStore.open(place, true);
    }

    @Test
    void filesOfAnEarlierBackupAreNotCopiedAgain() throws Exception {
        assertThat(Samples.backUp(store, data).copiedFiles()).isEqualTo(5);
        Files.writeString(data.resolve("lsm/00000003.table"), Samples.table("third"));
        Files.writeString(data.resolve("lsm/MANIFEST"), "one more");

        BackupWriter.Result second = Samples.backUp(store, data);

        assertThat(second.copiedFiles()).isEqualTo(2);
        assertThat(second.copiedBytes()).isEqualTo(Samples.table("third").length() + "one more".length());
        assertThat(second.backup().files()).hasSize(6);
    }

    @Test
    void aTableOfAnEarlierBackupIsNotEvenRead() throws Exception {
        Backup first = Samples.backUp(store, data).backup();
        byte[] table = Files.readAllBytes(data.resolve("lsm/00000001.table"));
        table[table.length / 2] ^= 1; // noticed only by a read of the whole table
        Files.write(data.resolve("lsm/00000001.table"), table);

        assertThat(Samples.backUp(store, data).backup().files()).isEqualTo(first.files());
    }

    @Test
    void anotherTableOfTheSameNameAndSizeIsCopied() throws Exception {
        Samples.backUp(store, data);
        Map<String, String> before = Samples.contents(data);
        Files.writeString(data.resolve("lsm/00000001.table"), Samples.table("other"));
        assertThat(Samples.contents(data).get("lsm/00000001.table")).hasSameSizeAs(before.get("lsm/00000001.table"));

        assertThat(Samples.backUp(store, data).copiedFiles()).isEqualTo(1);

        assertThat(restored("latest")).isEqualTo(Samples.contents(data));
    }

    @Test
    void aFileThatChangesIsReadWholeEachTime() throws Exception {
        Files.writeString(data.resolve("lsm/MANIFEST"), Samples.table("manifest"));
        Samples.backUp(store, data);
        byte[] manifest = Files.readAllBytes(data.resolve("lsm/MANIFEST"));
        manifest[manifest.length / 2] ^= 1;
        Files.write(data.resolve("lsm/MANIFEST"), manifest);

        assertThat(Samples.backUp(store, data).copiedFiles()).isEqualTo(1);
    }

    @Test
    void everyBackupIsRestoredAsItWas() throws Exception {
        String first = Samples.backUp(store, data).backup().id();
        Map<String, String> before = Samples.contents(data);
        Files.writeString(data.resolve("lsm/MANIFEST"), "something else");
        Files.delete(data.resolve("lsm/00000001.table"));
        String second = Samples.backUp(store, data).backup().id();

        assertThat(restored(first)).isEqualTo(before);
        assertThat(restored(second)).isEqualTo(Samples.contents(data));
        assertThat(restored("latest")).isEqualTo(Samples.contents(data));
    }

    @Test
    void aBackupIsLaterThanAllBeforeItWhateverTheClockSays() throws Exception {
        Clock set = Clock.fixed(Instant.parse("2020-02-29T23:59:59.999Z"), ZoneOffset.UTC);
        String first = Samples.backUp(store, data).backup().id();
        String second = Samples.backUp(store, set, data).backup().id();

        assertThat(second).isGreaterThan(first);
        assertThat(Catalog.read(store).find("latest", store).id()).isEqualTo(second);
    }

    @Test
    void whatNoKeptBackupNeedsIsDeletedAndNothingElse() throws Exception {
        Samples.backUp(store, data);
        Files.writeString(data.resolve("lsm/MANIFEST"), "second");
        String second = Samples.backUp(store, data).backup().id();
        Files.delete(data.resolve("lsm/00000001.table"));
        Files.writeString(data.resolve("lsm/MANIFEST"), "third");
        String third = Samples.backUp(store, data).backup().id();

        assertThat(Samples.keep(store, 2).files()).isEqualTo(1); // the first manifest
        assertThat(verified()).isEmpty();
        assertThat(Samples.delete(store, second).files()).isEqualTo(2); // the second one, and the table
        assertThat(verified()).isEmpty();
        assertThat(Catalog.read(store).backups()).extracting(Backup::id).containsExactly(third);
        assertThat(restored("latest")).isEqualTo(Samples.contents(data));
    }

    /// A backup with retention fails from each of its calls on, and is made again.
    @Test
    void aBackupThatFailsAnywhereLeavesOneThatIsWhole() throws Exception {
        Map<String, String> before = Samples.contents(data);
        Path later = Samples.store(folder.resolve("later"));
        Files.writeString(later.resolve("lsm/MANIFEST"), "second");
        Files.writeString(later.resolve("lsm/00000003.table"), Samples.table("third"));
        Files.delete(later.resolve("lsm/00000001.table"));
        Map<String, String> after = Samples.contents(later);
        boolean ended = false;
        int calls = 0;
        for (; !ended; calls++) {
            store = DirectoryStore.open(folder.resolve("backups" + calls), true);
            Samples.backUp(store, data);
            ended = backsUpWithRetention(new FailingStore(List.of(store), calls), later);

            assertThat(verified()).as("after " + calls + " calls").isEmpty();
            assertThat(restored("latest")).as("after " + calls + " calls").isIn(before, after);

            assertThat(backsUpWithRetention(store, later)).isTrue();
            assertThat(restored("latest")).isEqualTo(after);
            assertThat(Catalog.read(store).backups()).hasSize(1);
            assertThat(store.list(BackupFormat.FILES)).hasSize(5); // nothing of what was broken off
        }
        assertThat(calls).isGreaterThan(8);
    }

    private static boolean backsUpWithRetention(ObjectStore store, Path data) {
        try {
            Samples.backUp(store, data);
            Samples.keep(store, 1);
            return true;
        } catch (IOException _) {
            return false; // as it is to be
        }
    }

    @Test
    void everyFlippedByteAndEveryMissingFileIsFound() throws Exception {
        Samples.backUp(store, data);
        for (String name : store.list(BackupFormat.FILES).keySet()) {
            Path file = place.resolve("files").resolve(name);
            byte[] sound = Files.readAllBytes(file);
            for (int at = 0; at < sound.length; at += Math.max(1, sound.length / 5)) {
                byte[] damaged = sound.clone();
                damaged[at] ^= 4;
                Files.write(file, damaged);
                refusesAll("is damaged");
            }
            Files.write(file, new byte[0]);
            refusesAll("is damaged");
            Files.delete(file);
            refusesAll("is missing");
            Files.write(file, sound);
        }
        assertThat(verified()).isEmpty();
    }

    @Test
    void aDamagedListIsNoBackup() throws Exception {
        String id = Samples.backUp(store, data).backup().id();
        Path list = place.resolve("backups").resolve(id);
        byte[] sound = Files.readAllBytes(list);
        for (int at = 0; at < sound.length; at += 7) {
            byte[] damaged = sound.clone();
            damaged[at] ^= 1;
            Files.write(list, damaged);

            assertThat(Catalog.read(store).damaged()).as("byte " + at).containsOnlyKeys(id);
            assertThatThrownBy(() -> restored("latest")).isInstanceOf(UserException.class);
            assertThatThrownBy(() -> Samples.keep(store, 1))
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining("nothing was deleted");
        }
        assertThat(Samples.delete(store, id).files()).isEqualTo(5);
        assertThat(Catalog.read(store).newest()).isEmpty();
    }

    @Test
    void aFileThatIsDamagedInTheBackupIsCopiedAgainOnceItIsDeleted() throws Exception {
        Backup first = Samples.backUp(store, data).backup();
        store.delete(BackupFormat.file(first.files().getFirst().sha256()));
        assertThat(verified()).hasSize(1);

        assertThat(Samples.backUp(store, data).copiedFiles()).isEqualTo(1);

        assertThat(verified()).isEmpty();
    }

    @Test
    void aDirectoryInUseIsNotRestoredInto() throws Exception {
        Backup backup = Samples.backUp(store, data).backup();
        Path used = Files.createDirectory(folder.resolve("used"));
        Path file = Files.writeString(used.resolve("file"), "mine");

        assertThatThrownBy(() -> new Restore(store, used, _ -> {}).run(backup))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("is not empty");
        assertThatThrownBy(() -> new Restore(store, file, _ -> {}).run(backup))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("is a file");

        assertThat(used).isDirectoryContaining(file::equals);
        assertThat(file).hasContent("mine");
    }

    @Test
    void halfARestoreIsNoStore() throws Exception {
        Backup backup = Samples.backUp(store, data).backup();
        assertThat(backup.files().getLast().path()).isEqualTo("KVANT");
        for (int calls = 0; calls < 5; calls++) {
            Path target = Files.createDirectories(folder.resolve("target"));
            FailingStore failing = new FailingStore(List.of(store), calls);

            assertThatThrownBy(() -> new Restore(failing, target, _ -> {}).run(backup))
                    .isInstanceOf(IOException.class);

            assertThat(target).isEmptyDirectory();
        }
    }

    @Test
    void aListLeadsNowhereElse() {
        for (String path : List.of("../data/KVANT", "/etc/passwd", "lsm/../../KVANT", "..", "lsm//KVANT", "a b")) {
            Backup evil = new Backup(
                    "20260101T000000000Z", "lsm", List.of(new Backup.Stored(path, 1, "0".repeat(64), "0".repeat(64))));

            assertThatThrownBy(() -> BackupFormat.decode(evil.id(), BackupFormat.encode(evil), "it"))
                    .as(path)
                    .isInstanceOf(UserException.class);
        }
    }

    /// A list of format version 1: every later version reads it, and writes the same until it has another one.
    @Test
    void aListOfVersion1IsReadAndWritten() {
        String list = "kvant backup 1\nid=20260101T000000000Z\nengine=lsm\n"
                + "file=" + "a".repeat(64) + " 7 " + "b".repeat(64) + " lsm/1.table\n"
                + "file=" + "c".repeat(64) + " 5 " + "d".repeat(64) + " KVANT\n"
                + "sha256=015c516f4890be03045b29deb79ef9d7784652c096fb12a9ab03c081c2b1038b\n";
        Backup backup = BackupFormat.decode("20260101T000000000Z", list.getBytes(StandardCharsets.UTF_8), "it");

        assertThat(backup.files())
                .containsExactly(
                        new Backup.Stored("lsm/1.table", 7, "a".repeat(64), "b".repeat(64)),
                        new Backup.Stored("KVANT", 5, "c".repeat(64), "d".repeat(64)));
        assertThat(new String(BackupFormat.encode(backup), StandardCharsets.UTF_8))
                .isEqualTo(list);
    }

    @Test
    void aNewerVersionIsNoDamage() {
        byte[] newer = "kvant backup 2\n".getBytes(StandardCharsets.UTF_8);

        assertThatThrownBy(() -> BackupFormat.decode("20260101T000000000Z", newer, "it"))
                .isInstanceOf(UserException.class)
                .hasMessage("it has format version 2, this version of Kvant knows 1: use the version that wrote it");
        for (String wrong : new String[] {"kvant backup\n", "kvant backup x\n", "kvant backup 0\n"}) {
            assertThatThrownBy(() ->
                            BackupFormat.decode("20260101T000000000Z", wrong.getBytes(StandardCharsets.UTF_8), "it"))
                    .as(wrong)
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining("is damaged, or no list of a backup");
        }
    }

    @Test
    void onlyOneChangesBackupsAtATime() throws Exception {
        try (TargetLock _ = TargetLock.take(store, false)) {
            assertThatThrownBy(() -> TargetLock.take(store, false))
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining("another process")
                    .hasMessageContaining("--take-lock");
        }
        TargetLock.take(store, false).close();
    }

    @Test
    void whatADeadProcessOfThisMachineHoldsIsTakenOver() throws Exception {
        try (TargetLock _ = TargetLock.take(store, false)) {
            String held = ObjectStoreContract.read(store, TargetLock.NAME);
            store.delete(TargetLock.NAME);
            Files.createDirectories(place.resolve("unfinished"));
            Files.writeString(place.resolve("unfinished/half"), "half");
            String dead = held.replaceFirst("since=.*", "since=2020-01-01Z");
            store.create(TargetLock.NAME, ObjectStoreContract.bytes(dead));

            TargetLock.take(store, false).close();

            assertThat(place.resolve("unfinished")).isEmptyDirectory();
            store.create(TargetLock.NAME, ObjectStoreContract.bytes(dead.replaceFirst("host=.*", "host=elsewhere")));
            assertThatThrownBy(() -> TargetLock.take(store, false)).hasMessageContaining("host=elsewhere");
            TargetLock.take(store, true).close();
        }
    }

    private void refusesAll(String what) throws IOException {
        assertThat(verified()).singleElement().asString().contains(what, place.toString(), "no good for backup");
        assertThatThrownBy(() -> restored("latest"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining(what)
                .hasMessageContaining(place.toString());
        assertThat(folder.resolve("restored")).doesNotExist();
    }

    private List<String> verified() throws IOException {
        List<String> problems = new ArrayList<>();
        Catalog.verify(store, Catalog.read(store).backups(), problems::add);
        return problems;
    }

    private Map<String, String> restored(String id) throws IOException {
        Path target = folder.resolve("restored");
        new Restore(store, target, _ -> {}).run(Catalog.read(store).find(id, store));
        Map<String, String> contents = Samples.contents(target);
        try (var tree = Files.walk(target)) {
            for (Path each : new ArrayList<>(tree.toList()).reversed()) {
                Files.delete(each);
            }
        }
        return contents;
    }
}
