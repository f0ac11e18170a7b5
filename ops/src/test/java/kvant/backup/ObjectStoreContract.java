package kvant.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Behaviour of every place for backups.
public abstract class ObjectStoreContract {

    @TempDir
    protected Path folder;

    /// An empty one.
    protected abstract ObjectStore open() throws Exception;

    @Test
    void whatWasPutIsThereAsItWas() throws Exception {
        Path content = Files.writeString(folder.resolve("content"), "a table".repeat(300_000));
        try (ObjectStore store = open()) {
            assertThat(store.list("files")).isEmpty();

            store.put("files/a", content, Hashes.of(content));
            store.put("backups/b", bytes("a list"));

            assertThat(read(store, "files/a")).isEqualTo(Files.readString(content));
            assertThat(read(store, "backups/b")).isEqualTo("a list");
            assertThat(store.list("files")).hasSize(1).containsEntry("a", Files.size(content));
            assertThat(store.list("backups")).hasSize(1).containsEntry("b", 6L);
        }
    }

    @Test
    void whatIsPutReplacesWhatWasThere() throws Exception {
        try (ObjectStore store = open()) {
            store.put("files/a", bytes("damaged"));
            Path content = Files.writeString(folder.resolve("content"), "sound");

            store.put("files/a", content, Hashes.of(content));

            assertThat(read(store, "files/a")).isEqualTo("sound");
        }
    }

    @Test
    void whatIsNotWhatItShouldBeIsNotStored() throws Exception {
        Path content = Files.writeString(folder.resolve("content"), "something");
        try (ObjectStore store = open()) {
            assertThatThrownBy(() -> store.put("files/a", content, Hashes.of(bytes("something else"))))
                    .isInstanceOf(IOException.class);

            assertThat(store.list("files")).isEmpty();
        }
    }

    @Test
    void aNameIsTakenOnce() throws Exception {
        try (ObjectStore store = open()) {
            assertThat(store.create("lock", bytes("one"))).isTrue();
            assertThat(store.create("lock", bytes("two"))).isFalse();
            assertThat(read(store, "lock")).isEqualTo("one");

            store.delete("lock");

            assertThat(store.create("lock", bytes("three"))).isTrue();
        }
    }

    @Test
    void whatIsReplacedHasTheContentThatWasExpected() throws Exception {
        try (ObjectStore store = open()) {
            store.create("lock", bytes("one"));

            for (String other : List.of("on", "one more", "two", "")) {
                assertThat(store.replace("lock", bytes(other), bytes("three"))).isFalse();
            }
            assertThat(read(store, "lock")).isEqualTo("one");
            assertThat(store.replace("lock", bytes("one"), bytes("two"))).isTrue();
            assertThat(read(store, "lock")).isEqualTo("two");

            store.delete("lock");
            assertThat(store.replace("lock", bytes("two"), bytes("three"))).isFalse();
            assertThatThrownBy(() -> store.get("lock")).isInstanceOf(NoSuchFileException.class);
        }
    }

    @Test
    void whatIsNotThereIsMissing() throws Exception {
        try (ObjectStore store = open()) {
            assertThatThrownBy(() -> store.get("files/a")).isInstanceOf(NoSuchFileException.class);
            store.delete("files/a");
        }
    }

    @Test
    void backupsAreMadeVerifiedRestoredAndDeleted() throws Exception {
        Path data = Samples.store(folder.resolve("data"));
        try (ObjectStore store = open()) {
            Backup first = Samples.backUp(store, data).backup();
            Files.writeString(data.resolve("lsm/MANIFEST"), "another manifest");
            Backup second = Samples.backUp(store, data).backup();

            List<String> problems = new ArrayList<>();
            assertThat(Catalog.verify(store, List.of(first, second), problems::add))
                    .as(problems.toString())
                    .isZero();
            Retention.Result deleted = Samples.keep(store, 1);
            assertThat(deleted.backups()).containsExactly(first.id());
            assertThat(deleted.files()).isEqualTo(1);
            new Restore(store, folder.resolve("again"), _ -> {})
                    .run(Catalog.read(store).find("latest", store));
            assertThat(Samples.contents(folder.resolve("again"))).isEqualTo(Samples.contents(data));
        }
    }

    @Test
    void moreFilesThanAPageOfAListAreListed() throws Exception {
        try (ObjectStore store = open()) {
            for (int i = 0; i < 50; i++) {
                store.put("files/" + i, bytes("x"));
            }

            assertThat(store.list("files")).hasSize(50);
        }
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String read(ObjectStore store, String name) throws IOException {
        try (InputStream in = store.get(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
