package kvant.lab.load;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/// The processor time that the calling thread has taken.
final class ThreadTime {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private ThreadTime() {}

    /// In nanoseconds, 0 where the platform cannot tell.
    static long cpuNanos() {
        return THREADS.isCurrentThreadCpuTimeSupported() ? Math.max(0, THREADS.getCurrentThreadCpuTime()) : 0;
    }
}
