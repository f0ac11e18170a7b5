package kvant.bench.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageCacheTest {

    @TempDir
    Path folder;

    @Test
    void theKernelIsToldToDropPagesNamesAndInodes() throws IOException {
        Path control = Files.createFile(folder.resolve("drop_caches"));

        assertThat(PageCache.drop(control)).isTrue();
        assertThat(control).hasContent("3\n");
    }

    @Test
    void whereItCannotBeToldNothingIsWritten() throws IOException {
        Path control = folder.resolve("drop_caches");

        assertThat(PageCache.drop(control)).isFalse();
        assertThat(control).doesNotExist();
    }
}
