package kvant.engine.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.zip.CRC32C;
import kvant.engine.EngineException;
import kvant.engine.kit.ExpiryClock;
import kvant.engine.kit.ExpiryClock.Epoch;
import kvant.engine.kit.ExpiryClock.State;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExpiryFileTest {

    private static final State STATE = new State(1_700_000_000_000L, List.of(new Epoch(7, 90), new Epoch(12, 80)));

    @TempDir
    Path folder;

    private Path file = Path.of("");

    @BeforeEach
    void place() {
        file = folder.resolve("data/EXPIRY");
    }

    @Test
    void keepsWhatIsInTheFormatDocument() {
        assertThat(ExpiryFile.text(STATE))
                .isEqualTo("kvant expiry 1\nseen=1700000000000\nepoch=7 90\nepoch=12 80\nchecksum=%s\n"
                        .formatted(ExpiryFile.text(STATE)
                                .replaceAll("(?s).*checksum=", "")
                                .strip()));
        assertThat(ExpiryFile.parse(ExpiryFile.text(STATE))).isEqualTo(STATE);
        assertThat(ExpiryFile.parse(ExpiryFile.text(State.NEW))).isEqualTo(State.NEW);
    }

    @Test
    void everyFlippedBitIsNoticedAndTheFileNotUsed() throws IOException {
        try (DataDirectory data = DataDirectory.open(folder.resolve("data"), "test")) {
            byte[] whole = ExpiryFile.text(STATE).getBytes(StandardCharsets.US_ASCII);
            Files.write(file, whole);
            assertThat(ExpiryFile.read(data)).isEqualTo(STATE);
            for (int bit = 0; bit < whole.length * 8; bit += 3) {
                byte[] damaged = whole.clone();
                damaged[bit / 8] ^= (byte) (1 << bit % 8);
                Files.write(file, damaged);
                assertThat(ExpiryFile.read(data)).as("bit %d", bit).isEqualTo(State.NEW);
            }
        }
    }

    @Test
    void aFileOfALaterVersionIsRefusedAndOneThatIsDamagedIsNot() throws IOException {
        try (DataDirectory data = DataDirectory.open(folder.resolve("data"), "test")) {
            String later = "kvant expiry 2\nnobody knows\n";
            CRC32C crc = new CRC32C();
            crc.update(later.getBytes(StandardCharsets.US_ASCII));
            Files.writeString(file, later + "checksum=%08x\n".formatted(crc.getValue()));
            assertThatThrownBy(() -> ExpiryFile.read(data))
                    .isInstanceOf(EngineException.CannotOpen.class)
                    .hasMessage(
                            file + " has format version 2, this version of Kvant knows 1: use the version that wrote"
                                    + " it");
            Files.writeString(file, later + "checksum=00000000\n");
            assertThat(ExpiryFile.read(data)).isEqualTo(State.NEW);
        }
    }

    @Test
    void savesAtTheEndOfAnEpochAndAtTheClose() {
        try (DataDirectory data = DataDirectory.open(folder.resolve("data"), "test")) {
            ExpiryClock clock = ExpiryClock.of(InstantSource.fixed(Instant.ofEpochMilli(1_000)));
            try (ExpiryFile _ = new ExpiryFile(data, clock)) {
                assertThat(file).doesNotExist();
                clock.isExpired(900, 1);
            }
            assertThat(ExpiryFile.read(data)).isEqualTo(new State(900, List.of()));

            ExpiryClock setBack =
                    new ExpiryClock(InstantSource.fixed(Instant.ofEpochMilli(100)), ExpiryFile.read(data));
            try (ExpiryFile _ = new ExpiryFile(data, setBack)) {
                setBack.written(500, 2);
                assertThat(ExpiryFile.read(data)).isEqualTo(setBack.state());
            }
            assertThat(setBack.state().epochs()).containsExactly(new Epoch(1, 900));
        }
    }

    /// A directory that was put in the place of the opened one has a clock of its own.
    @Test
    void savesNothingIntoAnotherDirectory() throws IOException {
        try (DataDirectory data = DataDirectory.open(folder.resolve("data"), "test")) {
            ExpiryClock clock = ExpiryClock.of(InstantSource.fixed(Instant.ofEpochMilli(1_000)));
            try (ExpiryFile _ = new ExpiryFile(data, clock)) {
                clock.isExpired(900, 1);
                Files.move(folder.resolve("data"), folder.resolve("away"));
                Files.createDirectory(folder.resolve("data"));
            }
            assertThat(folder.resolve("data")).isEmptyDirectory();
        }
    }
}
