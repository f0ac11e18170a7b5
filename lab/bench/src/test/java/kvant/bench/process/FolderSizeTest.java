package kvant.bench.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderSizeTest {

    @TempDir
    Path folder;

    @Test
    void filesOfAllFoldersCountAndFoldersDoNot() throws IOException {
        Files.write(folder.resolve("a"), new byte[1_000]);
        Files.write(Files.createDirectory(folder.resolve("lsm")).resolve("b"), new byte[20]);

        assertThat(FolderSize.bytes(folder)).isEqualTo(1_020);
    }

    @Test
    void whatIsNotThereCountsNothing() {
        assertThat(FolderSize.bytes(folder.resolve("nothing"))).isZero();
    }
}
