package kvant.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import kvant.text.UserException;
import org.junit.jupiter.api.Test;

/// A directory as a place for backups.
class DirectoryStoreTest extends ObjectStoreContract {

    @Override
    protected DirectoryStore open() throws IOException {
        return DirectoryStore.open(folder.resolve("backups"), true);
    }

    @Test
    void othersReadNothing() throws Exception {
        Samples.backUp(open(), Samples.store(folder.resolve("data")));

        try (var tree = Files.walk(folder.resolve("backups"))) {
            for (Path each : tree.toList()) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
                        .as(each.toString())
                        .endsWith("------");
            }
        }
    }

    @Test
    void ofManyWhoReplaceTheSameOneSucceeds() throws Exception {
        for (int round = 0; round < 20; round++) {
            DirectoryStore store = open();
            store.put("lock", bytes("left"));
            List<Future<Boolean>> outcomes = new ArrayList<>();
            try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
                for (int i = 0; i < 8; i++) {
                    byte[] own = bytes("own " + i);
                    outcomes.add(threads.submit(() -> open().replace("lock", bytes("left"), own)));
                }
            }
            List<String> winners = new ArrayList<>();
            for (int i = 0; i < outcomes.size(); i++) {
                if (outcomes.get(i).get()) {
                    winners.add("own " + i);
                }
            }
            assertThat(winners).containsExactly(read(store, "lock"));
        }
        try (var files = Files.list(folder.resolve("backups"))) {
            assertThat(files.map(file -> String.valueOf(file.getFileName())).filter(name -> name.startsWith("lock")))
                    .containsExactly("lock");
        }
    }

    /// A reader that finds half a lock would give half of it back.
    @Test
    void aCreatedFileIsWholeWhenItIsThere() throws Exception {
        DirectoryStore store = open();
        byte[] content = new byte[8 << 20];
        Path file = folder.resolve("backups").resolve("lock");
        try (ExecutorService other = Executors.newSingleThreadExecutor()) {
            Future<Boolean> created = other.submit(() -> store.create("lock", content));
            while (!Files.exists(file)) {
                assertThat(created.isDone() && !created.get()).isFalse();
                Thread.onSpinWait();
            }
            assertThat(Files.size(file)).isEqualTo(content.length);
            assertThat(created.get()).isTrue();
        }
        assertThat(store.create("lock", content)).as("a second time").isFalse();
        assertThat(folder.resolve("backups").resolve("unfinished")).isEmptyDirectory();
    }

    /// Between the look at a lock and its removal another one may have taken it over.
    @Test
    void whatIsAnotherOnesByNowIsGivenBack() throws Exception {
        DirectoryStore store = open();
        store.create("lock", bytes("another's"));

        assertThat(store.swap("lock", bytes("left"), bytes("own"))).isFalse();

        assertThat(read(store, "lock")).isEqualTo("another's");
        assertThat(folder.resolve("backups")).isDirectoryNotContaining("glob:**/lock.*");
    }

    @Test
    void aDirectoryIsMadeOnlyWhereItIsAskedFor() {
        assertThatThrownBy(() -> DirectoryStore.open(folder.resolve("none"), false))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("there is no directory");
        assertThatThrownBy(() -> DirectoryStore.open(folder.resolve("none/below"), true))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("create that first");
    }

    @Test
    void aFullDiskFailsTheBackupAndNoEarlierOne() throws Exception {
        Path disk = Files.createDirectory(folder.resolve("disk"));
        assumeThat(run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk.toString()))
                .as("not run here: no right to mount")
                .isZero();
        try {
            Path data = Samples.store(folder.resolve("data"));
            ObjectStore store = DirectoryStore.open(disk.resolve("backups"), true);
            Backup first = Samples.backUp(store, data).backup();
            Files.write(data.resolve("lsm/00000003.table"), new byte[2 << 20]);

            assertThatThrownBy(() -> Samples.backUp(store, data))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("No space left");

            assertThat(Catalog.read(store).backups()).containsExactly(first);
            List<String> problems = new ArrayList<>();
            assertThat(Catalog.verify(store, List.of(first), problems::add))
                    .as(problems.toString())
                    .isZero();
            assertThat(store.list("unfinished")).isEmpty();
            Files.delete(data.resolve("lsm/00000003.table"));
            assertThat(Samples.backUp(store, data).copiedFiles()).isZero();
        } finally {
            assertThat(run("umount", disk.toString())).isZero();
        }
    }

    private static int run(String... command) throws Exception {
        return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor();
    }
}
