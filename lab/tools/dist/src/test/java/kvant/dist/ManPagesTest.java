package kvant.dist;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Pages are compressed to the same bytes each time.
class ManPagesTest {

    @TempDir
    private Path folder;

    private static byte[] bytesOf(FileTree tree, String path) throws IOException {
        try (InputStream in = FileTree.open(requireNonNull(tree.entries().get(path)))) {
            return requireNonNull(in).readAllBytes();
        }
    }

    @Test
    void aPageIsCompressedWithoutItsTime() throws IOException {
        Path page = Files.writeString(folder.resolve("kvant-serve.1"), ".TH KVANT 1");
        Files.writeString(folder.resolve("other"), "no page");
        FileTree first = ManPages.compressed(folder);
        Files.setLastModifiedTime(page, FileTime.fromMillis(0));
        FileTree second = ManPages.compressed(folder);

        String path = "share/man/man1/kvant-serve.1.gz";
        assertThat(first.entries()).containsOnlyKeys("share", "share/man", "share/man/man1", path);
        assertThat(bytesOf(first, path)).isEqualTo(bytesOf(second, path));
        try (InputStream in = new GZIPInputStream(
                requireNonNull(FileTree.open(requireNonNull(first.entries().get(path)))))) {
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo(".TH KVANT 1");
        }
    }
}
