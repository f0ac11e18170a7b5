package kvant.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.compress.archivers.ar.ArArchiveEntry;
import org.apache.commons.compress.archivers.ar.ArArchiveInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A Debian package around a small program, read back part by part.
class DebianPackageTest {

    @TempDir
    Path folder;

    private final Map<String, byte[]> parts = new LinkedHashMap<>();
    private Path file = Path.of("");

    @BeforeEach
    void make() throws IOException {
        FileTree program = SmallPackages.program().text("share/man/man1/kvant.1.gz", "a page", FileTree.PLAIN);
        file = new DebianPackage(SmallPackages.options(folder)).write(program);
        try (ArArchiveInputStream ar = new ArArchiveInputStream(Files.newInputStream(file))) {
            for (ArArchiveEntry part = ar.getNextEntry(); part != null; part = ar.getNextEntry()) {
                parts.put(part.getName(), ar.readAllBytes());
            }
        }
    }

    @Test
    void hasThePartsThatDpkgReadsInTheirOrder() {
        assertThat(file).hasFileName("kvant_1.2.3~snapshot_amd64.deb");
        assertThat(new ArrayList<>(parts.keySet())).containsExactly("debian-binary", "control.tar.gz", "data.tar.gz");
        assertThat(parts.get("debian-binary")).asString().isEqualTo("2.0\n");
    }

    @Test
    void saysWhatItIsAndWhoseFilesAreConfiguration() throws IOException {
        assertThat(text("control.tar.gz", "control"))
                .contains("\nVersion: 1.2.3~snapshot\n", "\nArchitecture: amd64\n")
                .doesNotContainPattern("@[a-z]+@");
        assertThat(text("control.tar.gz", "conffiles")).isEqualTo("/etc/kvant/kvant.yaml\n");
        assertThat(text("control.tar.gz", "md5sums")).contains("  usr/lib/kvant/NOTICE\n", "  etc/kvant/kvant.yaml\n");
    }

    @Test
    void scriptsCanBeRun() throws IOException {
        List<Unpacked.Entry> control = entries("control.tar.gz");

        for (String script : List.of("postinst", "prerm", "postrm")) {
            assertThat(control)
                    .anyMatch(entry -> entry.header().getName().equals(script)
                            && (entry.header().getMode() & 0777) == 0755);
        }
    }

    @Test
    void theProgramIsOnThePath() throws IOException {
        assertThat(entries("data.tar.gz"))
                .anyMatch(entry -> entry.header().getName().equals("usr/bin/kvant")
                        && entry.header().getLinkName().equals("../lib/kvant/bin/kvant"))
                .anyMatch(entry -> entry.header().getName().equals("usr/lib/kvant/bin/kvant"));
    }

    @Test
    void itsPagesAreWhereManLooks() throws IOException {
        assertThat(entries("data.tar.gz"))
                .anyMatch(entry -> entry.header().getName().equals("usr/lib/kvant/share/man/man1/kvant.1.gz"))
                .anyMatch(entry -> entry.header().getName().equals("usr/share/man/man1/kvant.1.gz")
                        && entry.header().getLinkName().equals("../../../lib/kvant/share/man/man1/kvant.1.gz"));
    }

    @Test
    void aSnapshotIsOlderThanItsRelease() {
        assertThat(DebianPackage.version("0.2.0-SNAPSHOT")).isEqualTo("0.2.0~snapshot");
        assertThat(DebianPackage.version("0.2.0")).isEqualTo("0.2.0");
    }

    private List<Unpacked.Entry> entries(String part) throws IOException {
        return Unpacked.tarGz(new ByteArrayInputStream(parts.getOrDefault(part, new byte[0])));
    }

    private String text(String part, String name) throws IOException {
        return entries(part).stream()
                .filter(entry -> entry.header().getName().equals(name))
                .map(entry -> new String(entry.content(), StandardCharsets.UTF_8))
                .findFirst()
                .orElseThrow();
    }
}
