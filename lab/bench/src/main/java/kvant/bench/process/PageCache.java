package kvant.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import kvant.lab.process.Programs;

/// The kernel's page cache for files.
public final class PageCache {

    private PageCache() {}

    /// Drops the cached pages of all files in a folder (`posix_fadvise`). Pages mapped by a process remain.
    public static void forget(Path folder) throws IOException {
        Programs.run("sync"); // dirty pages cannot be dropped
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Programs.run("dd", "if=" + file, "iflag=nocache", "count=0");
            }
        }
    }
}
