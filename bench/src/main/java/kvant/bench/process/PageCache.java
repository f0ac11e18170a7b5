package kvant.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// What the kernel keeps of files in memory.
public final class PageCache {

    private PageCache() {}

    /// Drops the pages of all files in a folder (`posix_fadvise`). A page that a process has mapped stays.
    public static void forget(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            String _ = Programs.output(List.of("sync"), 60);
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String _ = Programs.output(List.of("dd", "if=" + file, "iflag=nocache", "count=0"), 60);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
