package kvant.lsm.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// The kernel begins with a file before it is synced, and is not given more than two pieces at a time.
@EnabledOnOs(OS.LINUX)
class WritebackTest {

    private static final int PIECE_BYTES = 1 << 20;

    @TempDir
    Path directory;

    @Test
    void theKernelTakesAPieceOfAFileAndNothingOfWhatIsNotThere() throws Exception {
        Path file = Files.write(directory.resolve("f"), new byte[PIECE_BYTES]);
        assertThat(Writeback.begin(file, 0, 0, PIECE_BYTES)).isTrue();
        assertThat(Writeback.begin(file, 0, PIECE_BYTES / 2, PIECE_BYTES)).isTrue();
        assertThat(Writeback.begin(file, 0, PIECE_BYTES, PIECE_BYTES))
                .as("no bytes would mean all that follow")
                .isFalse();
        assertThat(Writeback.begin(directory.resolve("missing"), 0, 0, PIECE_BYTES))
                .isFalse();
    }

    @Test
    void whatLiesTwoPiecesBackIsOnTheDisk() throws Exception {
        Path path = directory.resolve("f");
        try (WritableFile file = DiskStorage.open(directory).create("f")) {
            for (int i = 0; i < 3; i++) {
                file.write(ByteBuffer.wrap(new byte[PIECE_BYTES]));
                assumeTrue(
                        PageCache.pages(path, (long) i * PIECE_BYTES, PIECE_BYTES)
                                        .dirty()
                                > 0,
                        "the file system does not count dirty pages");
                file.beginWriteback();
            }
            assertThat(PageCache.pages(path, 0, 2 * PIECE_BYTES)).isEqualTo(new PageCache.Pages(0, 0));
            assertThat(PageCache.pages(path, 2 * PIECE_BYTES, PIECE_BYTES).dirty())
                    .as("the last piece is on its way at least")
                    .isZero();
        }
    }
}
