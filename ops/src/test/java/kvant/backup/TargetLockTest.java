package kvant.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import kvant.text.UserException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Two processes that both take themselves for the one that may change a place.
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class TargetLockTest {

    /// The step of another process in between.
    private interface Step {
        void run() throws IOException;
    }

    @TempDir
    Path folder;

    private Path data = Path.of("");
    private ObjectStore store = new FailingStore(List.of(), 0);

    @BeforeEach
    void open() throws IOException {
        data = Samples.store(folder.resolve("data"));
        store = DirectoryStore.open(folder.resolve("backups"), true);
    }

    @Test
    void oneOfTwoWhoFindTheSameDeadHolderTakesItOver() throws IOException {
        leave(own().replaceFirst("since=.*", "since=2020-01-01Z"));
        List<TargetLock> second = new ArrayList<>();
        Step other = () -> second.add(TargetLock.take(store, false));
        ObjectStore first = new ForwardingStore(store) {
            @Override
            public InputStream get(String name) throws IOException {
                InputStream there = super.get(name);
                if (second.isEmpty()) {
                    other.run();
                }
                return there;
            }
        };

        assertThatThrownBy(() -> TargetLock.take(first, false))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("has just begun");

        assertThatCode(() -> second.getFirst().requireHeld("")).doesNotThrowAnyException();
    }

    /// The server has stored it, and the answer was lost: the library repeats the request.
    @Test
    void whoseRequestIsRepeatedHasTheLockAllTheSame() throws IOException {
        ObjectStore repeating = new ForwardingStore(store) {
            @Override
            public boolean create(String name, byte[] content) throws IOException {
                super.create(name, content);
                return super.create(name, content);
            }

            @Override
            public boolean replace(String name, byte[] expected, byte[] content) throws IOException {
                super.replace(name, expected, content);
                return super.replace(name, expected, content);
            }
        };

        TargetLock.take(repeating, false).close();
        leave("host=elsewhere\nprocess=1\nsince=then\n");
        TargetLock.take(repeating, true).close();

        assertThat(folder.resolve("backups")).isDirectoryNotContaining("glob:**/lock*");
    }

    @Test
    void aLockWithoutANonceThatADeadProcessHasLeftIsTakenOver() throws IOException {
        leave(own().replaceFirst("since=.*", "since=2020-01-01Z").replaceFirst("nonce=.*\n", ""));

        assertThatCode(() -> TargetLock.take(store, false).close()).doesNotThrowAnyException();
    }

    @Test
    void whoeverHasLostItLeavesItToItsHolder() throws IOException {
        TargetLock first = TargetLock.take(store, false);
        TargetLock second = TargetLock.take(store, true);

        first.close();

        assertThatCode(() -> second.requireHeld("")).doesNotThrowAnyException();
        assertThatThrownBy(() -> TargetLock.take(store, false))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("host=")
                .hasMessageNotContaining("nonce");
    }

    @Test
    void aBackupWhoseLockWasTakenHasNoList() throws IOException {
        TargetLock lock = TargetLock.take(store, false);
        ObjectStore taken = new ForwardingStore(store) {
            @Override
            public void put(String name, Path content, String sha256) throws IOException {
                super.put(name, content, sha256);
                TargetLock.take(store, true);
            }
        };

        assertThatThrownBy(() -> new BackupWriter(taken, lock, Clock.systemUTC(), _ -> {}).write(data, "lsm"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining(store.describe(""))
                .hasMessageContaining("run it again");

        assertThat(store.list(BackupFormat.LISTS)).isEmpty();
    }

    /// The other one has read which lists there are before this one was.
    @Test
    void aBackupWhoseLockIsTakenWhileItsListIsWrittenIsNoSuccess() throws IOException {
        TargetLock lock = TargetLock.take(store, false);
        ObjectStore taken = new ForwardingStore(store) {
            @Override
            public void put(String name, byte[] content) throws IOException {
                TargetLock.take(store, true);
                super.put(name, content);
            }
        };

        assertThatThrownBy(() -> new BackupWriter(taken, lock, Clock.systemUTC(), _ -> {}).write(data, "lsm"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("may lack files")
                .hasMessageContaining("kvant backup verify");
        assertThat(store.list(BackupFormat.LISTS)).hasSize(1);
    }

    @Test
    void whoeverHasLostItDeletesNoList() throws IOException {
        String first = Samples.backUp(store, data).backup().id();
        Samples.backUp(store, data);
        TargetLock lock = TargetLock.take(store, false);
        TargetLock.take(store, true);

        assertThatThrownBy(() -> new Retention(store, lock).keep(1))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("nothing more was deleted");
        assertThatThrownBy(() -> new Retention(store, lock).delete(first)).isInstanceOf(UserException.class);

        assertThat(Catalog.read(store).backups()).hasSize(2);
    }

    @Test
    void whoeverLosesItWhileListsAreDeletedDeletesNoFile() throws IOException {
        Samples.backUp(store, data);
        Files.writeString(data.resolve("lsm/MANIFEST"), "second");
        Samples.backUp(store, data);
        int files = store.list(BackupFormat.FILES).size();
        TargetLock lock = TargetLock.take(store, false);
        ObjectStore taken = new ForwardingStore(store) {
            @Override
            public void delete(String name) throws IOException {
                super.delete(name);
                TargetLock.take(store, true);
            }
        };

        assertThatThrownBy(() -> new Retention(taken, lock).keep(1)).isInstanceOf(UserException.class);

        assertThat(store.list(BackupFormat.LISTS)).hasSize(1);
        assertThat(store.list(BackupFormat.FILES)).hasSize(files);
    }

    @Test
    void whoeverHasLostItDeletesNoDamagedList() throws IOException {
        String id = Samples.backUp(store, data).backup().id();
        store.put(BackupFormat.list(id), ObjectStoreContract.bytes("damaged"));
        TargetLock lock = TargetLock.take(store, false);
        TargetLock.take(store, true);

        assertThatThrownBy(() -> new Retention(store, lock).delete(id)).isInstanceOf(UserException.class);

        assertThat(store.list(BackupFormat.LISTS)).containsKey(id);
    }

    /// The content of a lock of this process.
    private String own() throws IOException {
        try (TargetLock _ = TargetLock.take(store, false)) {
            return ObjectStoreContract.read(store, TargetLock.NAME);
        }
    }

    private void leave(String content) throws IOException {
        store.create(TargetLock.NAME, ObjectStoreContract.bytes(content));
    }
}
