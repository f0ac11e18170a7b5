package kvant.load.loop;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;

/// The processor time that the calling thread has taken, and has waited for.
final class ThreadTime {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /// Linux: time on a core, time in the run queue, slices.
    private static final Path SCHEDSTAT = Path.of("/proc/thread-self/schedstat");

    private ThreadTime() {}

    /// In nanoseconds, 0 where the platform cannot tell.
    static long cpuNanos() {
        return THREADS.isCurrentThreadCpuTimeSupported() ? Math.max(0, THREADS.getCurrentThreadCpuTime()) : 0;
    }

    /// How long the thread was ready to run and had no core, in nanoseconds; 0 where the platform cannot tell.
    static long waitedNanos() {
        try {
            String[] figures = Files.readString(SCHEDSTAT).split(" ");
            return figures.length < 2 ? 0 : Long.parseLong(figures[1]);
        } catch (IOException | NumberFormatException _) {
            return 0;
        }
    }
}
