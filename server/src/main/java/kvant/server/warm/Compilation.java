package kvant.server.warm;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// Whether the compilers of the JVM still have much to do. For one thread.
///
/// Judged by the time that they took in a window, of all threads: the queue itself cannot be read.
final class Compilation {

    /// They compile now and then for as long as a process lives.
    private static final double SETTLED_SHARE = 0.05;

    private static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

    // Constant.
    private final LongSupplier compiledMillis;

    private long windowBegan;
    private long millisBefore;
    private boolean settled;

    Compilation(long nowNanos) {
        this(ofThisJvm(), nowNanos);
    }

    /// @param compiledMillis time that compilers have taken so far
    Compilation(LongSupplier compiledMillis, long nowNanos) {
        this.compiledMillis = compiledMillis;
        this.windowBegan = nowNanos;
        this.millisBefore = compiledMillis.getAsLong();
    }

    /// A JVM that does not tell never settles.
    private static LongSupplier ofThisJvm() {
        CompilationMXBean compilers = ManagementFactory.getCompilationMXBean();
        return compilers == null || !compilers.isCompilationTimeMonitoringSupported()
                ? System::currentTimeMillis
                : compilers::getTotalCompilationTime;
    }

    /// Whether they were idle for most of the last window that has ended.
    boolean hasSettled(long nowNanos) {
        long passed = nowNanos - windowBegan;
        if (passed >= WINDOW_NANOS) {
            long millis = compiledMillis.getAsLong();
            long busy = TimeUnit.MILLISECONDS.toNanos(millis - millisBefore);
            settled = busy < SETTLED_SHARE * passed;
            windowBegan = nowNanos;
            millisBefore = millis;
        }
        return settled;
    }
}
