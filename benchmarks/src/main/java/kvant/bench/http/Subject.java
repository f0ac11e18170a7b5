package kvant.bench.http;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/// A server under test: a process of its own that answers a fixed number of bytes at a URL.
///
/// @param pid the process that does the work
record Subject(String name, Process process, long pid, String url) implements AutoCloseable {

    private static final int STOP_SECONDS = 20;

    /// User and system time so far, in clock ticks of the kernel.
    long cpuTicks() throws IOException {
        String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
    }

    @Override
    public void close() {
        process.toHandle().destroy();
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        } catch (InterruptedException _) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
