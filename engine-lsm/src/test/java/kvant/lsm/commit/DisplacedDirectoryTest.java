package kvant.lsm.commit;

import static kvant.engine.Samples.put;
import static kvant.engine.Samples.settle;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import kvant.engine.EngineException;
import kvant.engine.Samples;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import kvant.lsm.LogPlace;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A data directory that goes away, or is exchanged, while a node serves it.
class DisplacedDirectoryTest {

    @TempDir
    Path folder;

    private Path data = Path.of("");

    @BeforeEach
    void place() {
        data = folder.resolve("data");
    }

    @Test
    void aRemovedDirectoryStopsWritesAndShowsInHealth() throws IOException {
        try (LsmEngine engine = open()) {
            Samples.write(engine, put("a", "1"));
            remove(data);

            assertThat(engine.health().ready()).as("noticed without a write").isFalse();
            assertStops(engine, "was removed or renamed");

            assertThat(Samples.get(engine, "a")).as("reads continue").isEqualTo("1");
        }
        assertThat(data).as("nothing is put in its place").doesNotExist();
    }

    @Test
    void aRemovedLogDirectoryStopsWritesAndShowsInHealth() throws IOException {
        Path logs = folder.resolve("logs");
        try (LsmEngine engine = LsmEngine.open(data, options().with(o -> o.logPlace = LogPlace.in(logs)))) {
            Samples.write(engine, put("a", "1"));
            remove(logs);

            assertThat(engine.health().ready()).as("noticed without a write").isFalse();
            assertStops(engine, "the log directory " + logs + " was removed or renamed");
        }
        assertThat(logs).as("nothing is put in its place").doesNotExist();
    }

    @Test
    void aRenamedDirectoryHoldsAllThatWasAcknowledged() throws IOException {
        Path away = folder.resolve("away");
        int acknowledged = 0;
        try (LsmEngine engine = open()) {
            for (int i = 0; i < 20; i++) {
                Samples.write(engine, put("key" + i, "value"));
            }
            Files.move(data, away);
            Write write = settle(engine, WriteBatch.of(put("key20", "value")));
            for (acknowledged = 20; write.outcome() == Write.Outcome.APPLIED; acknowledged++) {
                write = settle(engine, WriteBatch.of(put("key" + (acknowledged + 1), "value")));
            }
            Files.move(away, data);
            assertStops(engine, "was removed or renamed");
        }
        try (LsmEngine engine = open()) {
            assertThat(Samples.scan(engine, "", null)).hasSize(acknowledged);
        }
    }

    /// The other directory's files may have the same names.
    @Test
    void aDirectoryInThePlaceOfTheStoresOwnIsLeftAlone() throws IOException {
        Path other = folder.resolve("other");
        LsmEngine.open(other, options()).close();
        List<String> before;
        try (LsmEngine engine = open()) {
            Samples.write(engine, put("a", "1".repeat(40_000)));
            Files.move(data, folder.resolve("away"));
            Files.move(other, data);
            before = names();

            assertStops(engine, "another directory is in the place");
        }
        assertThat(names()).isEqualTo(before);
    }

    private static void assertStops(LsmEngine engine, String why) {
        await().atMost(Duration.ofNanos(Samples.timeoutNanos()))
                .untilAsserted(() -> assertThat(
                                settle(engine, WriteBatch.of(put("b", "2"))).failure())
                        .isInstanceOf(EngineException.LogFailed.class)
                        .hasMessageContainingAll(why, "restart")
                        .hasMessageNotContaining("\n"));
        assertThat(engine.health().checks())
                .anyMatch(check -> check.name().equals("writes")
                        && !check.ok()
                        && check.detail().contains(why));
    }

    private LsmEngine open() {
        return LsmEngine.open(data, options());
    }

    private static LsmOptions options() {
        return LsmOptions.defaults().withMemtable(1 << 20);
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(data.resolve("lsm"))) {
            return files.map(file -> file + " " + file.toFile().length())
                    .sorted()
                    .toList();
        }
    }

    private static void remove(Path tree) throws IOException {
        try (Stream<Path> files = Files.walk(tree)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
