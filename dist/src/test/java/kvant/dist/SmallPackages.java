package kvant.dist;

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
        return Path.of("").toAbsolutePath().getParent();
    }

    static FileTree program() {
        return new FileTree()
                .text("bin/kvant", "#!/bin/sh\n", FileTree.PROGRAM)
                .text("NOTICE", "of others", FileTree.PLAIN)
                .link("lib/link", "../NOTICE");
    }
}
