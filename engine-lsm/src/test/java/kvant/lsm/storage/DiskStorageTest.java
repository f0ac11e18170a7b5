package kvant.lsm.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import kvant.engine.directory.DataDirectory;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
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

    @Test
    void filesOfADirectoryInThePlaceOfTheStoresOwnStayAsTheyAre() throws Exception {
        Path place = directory.resolve("data");
        try (DataDirectory data = DataDirectory.open(place, FileNames.ENGINE)) {
            Storage storage = DiskStorage.open(data, FileNames.DIRECTORY);
            Files.move(place, directory.resolve("away"));
            Path file =
                    Files.createDirectories(place.resolve(FileNames.DIRECTORY)).resolve("f");
            Files.write(file, new byte[3]);
            assertRefused(() -> storage.create("g").close());
            assertRefused(() -> storage.truncate("f", 1));
            assertRefused(() -> storage.rename("f", "g"));
            assertRefused(() -> storage.delete("f"));
            assertThat(file).hasSize(3);
            assertThat(file.resolveSibling("g")).doesNotExist();
        }
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(IOException.class).hasMessageContaining("removed or renamed");
    }
}
