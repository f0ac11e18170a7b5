package kvant.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The kernel's page cache for files.
public final class PageCache {

    private static final int MOST_SECONDS = 60;

    private PageCache() {}

    /// Drops the cached pages of all files in a folder (`posix_fadvise`). Pages mapped by a process remain.
    public static void forget(Path folder) throws IOException {
        run("sync"); // dirty pages cannot be dropped
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                run("dd", "if=" + file, "iflag=nocache", "count=0");
            }
        }
    }

    private static void run(String... command) throws IOException {
        try {
            String _ = Programs.output(List.of(command), MOST_SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
