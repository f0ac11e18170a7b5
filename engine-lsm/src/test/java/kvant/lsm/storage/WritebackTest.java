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

/// The kernel begins with each piece of a file before the file is synced.
@EnabledOnOs(OS.LINUX)
class WritebackTest {

    private static final int PIECE_BYTES = 1 << 20;

    @TempDir
    Path directory;

    @Test
    void theKernelTakesAPieceOfAFileAndNothingOfWhatIsNotThere() throws Exception {
        Path file = Files.write(directory.resolve("f"), new byte[PIECE_BYTES]);
        assertThat(CLibrary.beginWriteback(file, 0, PIECE_BYTES)).isTrue();
        assertThat(CLibrary.beginWriteback(file, PIECE_BYTES / 2, PIECE_BYTES)).isTrue();
        assertThat(CLibrary.beginWriteback(file, PIECE_BYTES, PIECE_BYTES))
                .as("no bytes would mean all that follow")
                .isFalse();
        assertThat(CLibrary.beginWriteback(directory.resolve("missing"), 0, PIECE_BYTES))
                .isFalse();
    }

    @Test
    void whatWasWrittenIsOnItsWayToTheDisk() throws Exception {
        Path path = directory.resolve("f");
        try (WritableFile file = DiskStorage.open(directory).create("f")) {
            for (int i = 0; i < 3; i++) {
                file.write(ByteBuffer.wrap(new byte[PIECE_BYTES]));
                long offset = (long) i * PIECE_BYTES;
                assumeTrue(
                        PageCache.dirtyPages(path, offset, PIECE_BYTES) > 0,
                        "the file system does not count dirty pages");
                file.beginWriteback();
                assertThat(PageCache.dirtyPages(path, offset, PIECE_BYTES)).isZero();
            }
        }
    }
}
