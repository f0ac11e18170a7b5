package kvant.lsm.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskStorageTest {

    /// More than is written at a time, and no multiple of it.
    private static final int ROOM_BYTES = (5 << 19) + 13;

    @TempDir
    Path directory;

    @Test
    void roomIsZerosThatWhatIsWrittenReplacesFromWhereItStood() throws Exception {
        Storage storage = DiskStorage.open(directory);
        try (WritableFile file = storage.create("f")) {
            file.write(ByteBuffer.wrap(new byte[] {1, 2}));
            file.preallocate(ROOM_BYTES);
            file.write(ByteBuffer.wrap(new byte[] {3}));
            file.preallocate(10); // there is more already
            file.sync();
            byte[] expected = Arrays.copyOf(new byte[] {1, 2, 3}, ROOM_BYTES);
            assertThat(Files.readAllBytes(directory.resolve("f"))).isEqualTo(expected);
            file.truncate(2);
            assertThat(Files.readAllBytes(directory.resolve("f"))).containsExactly(1, 2);
            file.write(ByteBuffer.wrap(new byte[] {4}));
            assertThat(Files.readAllBytes(directory.resolve("f"))).containsExactly(1, 2, 4);
        }
    }
}
