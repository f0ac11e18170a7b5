package kvant.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// What the kernel keeps of files in memory.
public final class PageCache {

    private static final int MOST_SECONDS = 60;

    private PageCache() {}

    /// Drops the pages of all files in a folder (`posix_fadvise`). A page that a process has mapped stays.
    public static void forget(Path folder) throws IOException {
        run("sync"); // pages that are not written yet cannot be dropped
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
