package kvant.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LibCTest {

    @Test
    void librariesComeWithTheirLocaleAndTheirPackages(@TempDir Path folder) throws Exception {
        assumeTrue(LibC.isKnown(), "not Debian");
        Path program = Files.createDirectories(folder.resolve("program/bin"));
        Files.copy(Path.of("/usr/bin/env"), program.resolve("java")); // needs the C library alone
        Path jars = Files.createDirectories(folder.resolve("jars"));

        assertThat(LibC.of(folder.resolve("program"), jars, folder.resolve("work"))
                        .entries())
                .containsKeys("usr/lib/locale/C.utf8/LC_CTYPE", "var/lib/dpkg/status.d/libc6");
    }
}
