package kvant.lsm;

import static kvant.engine.Samples.get;
import static kvant.engine.Samples.put;
import static kvant.engine.Samples.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import kvant.engine.EngineException;
import kvant.engine.Inspection;
import kvant.engine.directory.ExaminedDirectory;
import kvant.lsm.operate.Findings;
import kvant.lsm.operate.StoreCheck;
import kvant.lsm.operate.StoreInspection;
import kvant.lsm.storage.Damage;
import kvant.lsm.storage.DiskStorage;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.LogsApart;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The logs of a store are where they should be, or the store is not opened.
class LogPlaceTest {

    @TempDir
    Path folder;

    private Path data = Path.of("");
    private Path logs = Path.of("");

    @BeforeEach
    void place() {
        data = folder.resolve("data");
        logs = folder.resolve("disk/logs");
    }

    @Test
    void logsAreInTheirDirectoryAlone() throws IOException {
        try (LsmEngine engine = open(LogPlace.in(logs))) {
            write(engine, put("a", "1"));
            assertThat(logsIn(logs.resolve("logs"))).isNotEmpty();
        }
        assertThat(logsIn(data.resolve("lsm"))).isEmpty();
        assertThat(Files.getPosixFilePermissions(logs.resolve("logs"))).hasSize(3);
        assertHas("a", "1", LogPlace.in(logs));
        assertHas("a", "1", LogPlace.AS_IT_IS);
    }

    @Test
    void aStoreIsNotOpenedWithoutItsLogs() throws IOException {
        begin("a", "1");
        assertRefused(data, LogPlace.INSIDE, "start with --lsm.log-dir " + logs, "to bring them back");

        Path away = folder.resolve("away");
        Files.move(logs, away);
        for (LogPlace place : List.of(LogPlace.in(logs), LogPlace.AS_IT_IS, LogPlace.in(data))) {
            assertRefused(data, place, logs.toString(), "missing", "mount the disk");
        }
        assertThat(logs).as("nothing is put in its place").doesNotExist();

        Path other = folder.resolve("other");
        LsmEngine.open(folder.resolve("second"), options(LogPlace.in(other))).close();
        assertRefused(data, LogPlace.in(other), "are in " + logs, other + " has those of the store ");

        Files.move(away, logs);
        assertHas("a", "1", LogPlace.in(logs));
    }

    /// A mount point without its disk is an empty directory.
    @Test
    void eachRefusalSaysWhatIsWrong() throws IOException {
        begin("a", "1");
        Path away = folder.resolve("away");
        Files.move(logs, away);
        assertRefused(data, LogPlace.AS_IT_IS, "are in " + logs + ", and that is missing: mount the disk");
        Path named = folder.resolve("named");
        assertRefused(data, LogPlace.in(named), "are in " + logs + ", and " + named + " is missing: mount the disk");

        Files.createDirectory(logs);
        assertRefused(data, LogPlace.AS_IT_IS, "that has no logs of a store (no file logs/LOGS): mount the disk that");
        Files.createDirectory(logs.resolve("logs"));
        assertRefused(data, LogPlace.AS_IT_IS, "that has no logs of a store (no file logs/LOGS): mount the disk that");
        Files.writeString(named, "a file");
        assertRefused(data, LogPlace.in(named), named + " is no directory that this user may look into");

        Path second = folder.resolve("second");
        Path other = folder.resolve("other");
        LsmEngine.open(second, options(LogPlace.in(other))).close();
        assertRefused(data, LogPlace.in(other), other + " has those of the store " + second + ": name the directory");

        Files.delete(other.resolve("logs/LOGS"));
        assertRefused(folder.resolve("third"), LogPlace.in(other), other + " has logs, and no file that says of which");
        assertHas("a", "1", LogPlace.in(away));
    }

    @Test
    void logsGoOutAndComeBack() throws IOException {
        try (LsmEngine engine = open(LogPlace.INSIDE)) {
            write(engine, put("a", "1"));
        }
        assertHas("a", "1", LogPlace.in(logs));
        assertThat(logsIn(data.resolve("lsm"))).isEmpty();
        try (LsmEngine engine = open(LogPlace.in(logs))) {
            write(engine, put("b", "2"));
        }
        assertHas("b", "2", LogPlace.in(data));
        assertThat(logsIn(logs.resolve("logs"))).isEmpty();
        assertThat(logsIn(data.resolve("lsm"))).isNotEmpty();
        assertHas("a", "1", LogPlace.INSIDE);
        assertHas("b", "2", LogPlace.in(data.resolve("lsm")));

        LsmEngine.open(folder.resolve("second"), options(LogPlace.in(logs))).close(); // free for any store
    }

    /// A crash may leave a log directory that was chosen, and a store that does not know of it yet.
    @Test
    void whatWasChosenInVainIsChosenAgain() throws IOException {
        begin("a", "1");
        assertHas("a", "1", LogPlace.in(data));
        String pair = "kvant logs apart\nlayout=1\nid=" + "0".repeat(32) + "\nother=" + data + "\n";
        Files.writeString(logs.resolve("logs/LOGS"), pair);

        assertRefused(folder.resolve("second"), LogPlace.in(logs), "has the logs of the store " + data);
        assertHas("a", "1", LogPlace.in(logs));
    }

    @Test
    void directoriesMayBeMoved() throws IOException {
        begin("a", "1");
        Path moved = folder.resolve("moved");
        Files.move(logs, moved);
        assertHas("a", "1", LogPlace.in(moved));
        assertHas("a", "1", LogPlace.AS_IT_IS);

        Path store = folder.resolve("store");
        Files.move(data, store);
        data = store;
        assertHas("a", "1", LogPlace.in(moved));
    }

    @Test
    void twoStoresDoNotShareADirectory() throws IOException {
        Path second = folder.resolve("second");
        try (LsmEngine engine = open(LogPlace.in(logs))) {
            write(engine, put("a", "1"));
            assertRefused(second, LogPlace.in(logs), "is held by this very process");
        }
        assertRefused(second, LogPlace.in(logs), "has the logs of the store " + data, "choose another directory");
        assertRefused(second, LogPlace.in(data), "is the data directory of a store");
        assertRefused(logs, LogPlace.INSIDE, "has the logs of a store", "no data directory");
        assertHas("a", "1", LogPlace.in(logs));
    }

    /// Logs there could be lost: a backup empties a directory of the store.
    @Test
    void logsAreNotPutWithinTheirStore() throws IOException {
        LsmEngine.open(data, options(LogPlace.INSIDE)).close();
        Path link = Files.createSymbolicLink(folder.resolve("link"), data);
        for (String inside : List.of("lsm/logs", "backup", "backup/logs", "x/../y/z")) {
            for (Path store : List.of(data, link)) {
                assertRefused(data, LogPlace.in(store.resolve(inside)), "lies within the store " + data);
            }
        }
        try (Stream<Path> files = Files.list(data)) {
            assertThat(files.map(Path::getFileName).map(Path::toString)).doesNotContain("backup", "x", "y");
        }
        assertThat(data.resolve("lsm/logs")).doesNotExist();
    }

    /// The one that the store names has what was written last.
    @Test
    void aCopyOfLogsIsNotTakenBesideThem() throws IOException {
        begin("a", "1");
        Path copy = folder.resolve("copy");
        copy(logs, copy);
        assertRefused(data, LogPlace.in(copy), "are in " + logs, copy + " is a copy: start with --lsm.log-dir " + logs);
        assertHas("a", "1", LogPlace.AS_IT_IS);
        assertHas("a", "1", LogPlace.in(logs));
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file)));
            }
        }
        Files.setPosixFilePermissions(to, Files.getPosixFilePermissions(from));
    }

    /// Two stores would take each other's logs for theirs.
    @Test
    void aCopyDoesNotTakeTheLogsOfItsOriginal() throws IOException {
        begin("a", "1");
        Path copy = folder.resolve("copy");
        copy(data, copy);
        assertRefused(copy, LogPlace.in(logs), "of which " + copy + " is a copy");
        assertRefused(copy, LogPlace.AS_IT_IS, "of which " + copy + " is a copy");
        assertHas("a", "1", LogPlace.in(logs));
    }

    @Test
    void aDamagedPairIsRefused() throws IOException {
        begin("a", "1");
        Path pair = data.resolve("lsm/LOGS");
        String text = Files.readString(pair);
        Files.writeString(pair, text.replace("id=", "id=x"));
        assertThatThrownBy(() -> open(LogPlace.in(logs)))
                .isInstanceOf(EngineException.Corruption.class)
                .hasMessageContaining(pair.toString());
        Files.writeString(pair, text.replace("layout=1", "layout=2"));
        assertRefused(data, LogPlace.in(logs), "has layout 2", "use the version that wrote it");
    }

    @Test
    void toolsFindTheLogs() throws IOException {
        try (LsmEngine engine = open(LogPlace.in(logs))) {
            write(engine, put("a", "1"));
            Objects.requireNonNull(engine.maintenance()).checkpoint(folder.resolve("copy"), _ -> {});
            assertLogsShown(
                    Objects.requireNonNull(engine.maintenance()).inspect().logs());
        }
        Findings found = new Findings(LogsApart.find(DiskStorage.open(data.resolve(FileNames.DIRECTORY))));
        assertThat(found.problems).isEmpty();
        assertThat(found.notes).isEmpty();
        assertThat(found.summary.replayed()).isEqualTo(1);
        try (ExaminedDirectory examined = ExaminedDirectory.open(data)) {
            assertLogsShown(StoreInspection.of(examined).logs());
        }
        try (LsmEngine copy = LsmEngine.open(folder.resolve("copy"), options(LogPlace.INSIDE))) {
            assertThat(get(copy, "a")).isEqualTo("1");
        }
    }

    @Test
    void aCheckTellsOfLogsThatAreNotThere() throws IOException {
        begin("a", "1");
        Files.move(logs, folder.resolve("away"));
        Findings found = new Findings(DiskStorage.open(data.resolve(FileNames.DIRECTORY)));
        int missing = found.problems.size();
        assertThat(missing).isPositive();
        try (ExaminedDirectory examined = ExaminedDirectory.open(data)) {
            StoreCheck.run(examined, found);
            assertThatThrownBy(() -> StoreInspection.of(examined))
                    .isInstanceOf(EngineException.CannotOpen.class)
                    .hasMessageContaining(logs.toString());
        }
        Findings.Problem first = found.problems.get(missing);
        assertThat(first.kind()).isEqualTo(Damage.FILE_MISSING);
        assertThat(first.file()).endsWith("lsm/LOGS");
        assertThat(first.what()).contains(logs.toString(), "mount the disk");
    }

    private void assertLogsShown(List<Inspection.Log> shown) {
        assertThat(shown).isNotEmpty().allSatisfy(log -> {
            assertThat(log.name()).startsWith(logs.toString());
            assertThat(log.bytes()).isPositive();
        });
    }

    private void begin(String key, String value) {
        try (LsmEngine engine = open(LogPlace.in(logs))) {
            write(engine, put(key, value));
        }
    }

    private void assertHas(String key, String value, LogPlace place) {
        try (LsmEngine engine = open(place)) {
            assertThat(get(engine, key)).isEqualTo(value);
        }
    }

    private static void assertRefused(Path store, LogPlace place, String... why) {
        assertThatThrownBy(() -> LsmEngine.open(store, options(place)))
                .isInstanceOf(EngineException.CannotOpen.class)
                .hasMessageContainingAll(why)
                .hasMessageNotContaining("\n");
    }

    private LsmEngine open(LogPlace place) {
        return LsmEngine.open(data, options(place));
    }

    private static LsmOptions options(LogPlace place) {
        return LsmOptions.defaults().withMemtable(1 << 20).with(o -> o.logPlace = place);
    }

    private static List<Path> logsIn(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".log")).toList();
        }
    }
}
