package kvant.bench.process;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/// What the kernel keeps of files in memory.
public final class PageCache {

    private static final Path CONTROL = Path.of("/proc/sys/vm/drop_caches");

    /// Pages, and names and inodes (`proc_sys_vm(5)`).
    private static final String EVERYTHING = "3\n";

    private static final int MOST_SECONDS = 60;

    private PageCache() {}

    /// Drops what the kernel keeps of all files of this machine, names and inodes included; where this process may not,
    /// which takes root, the pages of one folder alone.
    ///
    /// @return whether all of it
    public static boolean dropOrForget(Path folder) throws IOException {
        boolean dropped = drop(CONTROL);
        if (!dropped) {
            forget(folder);
        }
        return dropped;
    }

    /// @return false where this process may not write to the file that does it
    static boolean drop(Path control) throws IOException {
        if (!Files.isWritable(control)) {
            return false;
        }
        sync();
        try {
            Files.writeString(control, EVERYTHING, StandardOpenOption.WRITE);
            return true;
        } catch (AccessDeniedException _) {
            return false; // root of a container
        }
    }

    /// Drops the pages of all files in a folder (`posix_fadvise`). A page that a process has mapped stays.
    public static void forget(Path folder) throws IOException {
        sync();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                run("dd", "if=" + file, "iflag=nocache", "count=0");
            }
        }
    }

    /// Pages that are not written yet cannot be dropped.
    private static void sync() throws IOException {
        run("sync");
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
