package kvant.dist;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/// Options for tests that need no program.
final class SmallPackages {

    static final Instant TIME = Instant.ofEpochSecond(1_700_000_000);

    private SmallPackages() {}

    static PackageOptions options(Path out) {
        return new PackageOptions(root(), out, "1.2.3-SNAPSHOT", TIME, Platform.LINUX_X86_64);
    }

    /// Of the source tree.
    static Path root() {
        return Path.of("../../..").toAbsolutePath().normalize();
    }

    /// Of the source tree: what the first `version` of its pom says.
    static String version() {
        try {
            String pom = Files.readString(root().resolve("pom.xml"));
            int from = pom.indexOf("<version>") + "<version>".length();
            return pom.substring(from, pom.indexOf("</version>", from));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static FileTree program() {
        return new FileTree()
                .text("bin/kvant", "#!/bin/sh\n", FileTree.PROGRAM)
                .text("NOTICE", "of others", FileTree.PLAIN)
                .link("lib/link", "../NOTICE");
    }
}
