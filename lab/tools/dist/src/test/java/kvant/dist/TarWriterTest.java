package kvant.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Archives hold what the tree says, and nothing of the disk or the clock.
class TarWriterTest {

    @TempDir
    Path folder;

    @Test
    void keepsModesLinksAndContentBelowTheirFolders() throws IOException {
        List<Unpacked.Entry> entries = Unpacked.tarGz(new ByteArrayInputStream(archive(SmallPackages.program())));

        assertThat(entries.stream().map(entry -> entry.header().getName()))
                .containsExactly("NOTICE", "bin/", "bin/kvant", "lib/", "lib/link");
        assertThat(entries.get(0).content()).asString().isEqualTo("of others");
        assertThat(entries.get(2).header().getMode() & 0777).isEqualTo(0755);
        assertThat(entries.get(4).header().getLinkName()).isEqualTo("../NOTICE");
    }

    @Test
    void whatTheDiskSaysOfAFileDoesNotMatter() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "x");
        FileTree tree = new FileTree().file("file", file, FileTree.PLAIN);
        byte[] first = archive(tree);

        Files.setLastModifiedTime(file, FileTime.from(Instant.EPOCH));
        assertThat(file.toFile().setReadable(true, true)).isTrue();

        assertThat(archive(tree)).isEqualTo(first);
        Unpacked.Entry entry = Unpacked.tarGz(new ByteArrayInputStream(first)).getFirst();
        assertThat(entry.header().getModTime().toInstant()).isEqualTo(SmallPackages.TIME);
        assertThat(entry.header().getUserName()).isEqualTo("root");
        assertThat(entry.header().getLongUserId()).isZero();
    }

    private static byte[] archive(FileTree tree) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new TarWriter(SmallPackages.TIME).gzip(out, tree);
        return out.toByteArray();
    }
}
