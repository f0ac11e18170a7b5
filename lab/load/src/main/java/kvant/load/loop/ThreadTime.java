package kvant.load.loop;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;

/// Processor time of the calling thread, and its waiting time for a processor.
final class ThreadTime {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /// Linux: time on a core, time in the run queue, number of time slices.
    private static final Path SCHEDSTAT = Path.of("/proc/thread-self/schedstat");

    private ThreadTime() {}

    /// In nanoseconds, 0 if the platform does not report it.
    static long cpuNanos() {
        return THREADS.isCurrentThreadCpuTimeSupported() ? Math.max(0, THREADS.getCurrentThreadCpuTime()) : 0;
    }

    /// Time in which the thread was ready to run but had no core, in nanoseconds; 0 if the platform cannot tell.
    static long waitedNanos() {
        try {
            String[] figures = Files.readString(SCHEDSTAT).split(" ");
            return figures.length < 2 ? 0 : Long.parseLong(figures[1]);
        } catch (IOException | NumberFormatException _) {
            return 0;
        }
    }
}
