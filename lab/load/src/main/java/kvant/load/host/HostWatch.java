package kvant.load.host;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// Watches the machine during a run: time stolen by the host of a virtual machine, throttling by a control group, and
/// work of other processes. Reads some small system files at the end of a window, on the collecting thread.
///
/// Belongs to that thread.
public final class HostWatch {

    /// Share of the time above which a sample is disturbed. Fixed before any result was seen, and the same for all
    /// runs, because a rule chosen afterwards would bias the result.
    public static final double DISTURBED = 0.05;

    /// The system counts in hundredths of a second, so shorter windows are combined into one sample.
    public static final long SHORTEST_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /// The system's counters at one time; all of them are monotonic.
    private record Counters(
            long at,
            double busy,
            double user,
            double stolen,
            double own,
            double ownUser,
            double throttled,
            double cpu,
            double io,
            double memory) {}

    // Constant.
    private final HostFiles files;
    private final LongSupplier clock;
    private final LongSupplier own;
    private final int processors;
    private final double loadBefore;

    // Owned by the thread that collects.
    private Counters first;
    private Counters last;
    private long looks;
    private long disturbed;

    HostWatch(HostFiles files, LongSupplier clock, LongSupplier own) {
        this.files = files;
        this.clock = clock;
        this.own = own;
        this.processors = Math.max(1, files.processorCount());
        this.loadBefore = files.load();
        this.first = counters();
        this.last = first;
    }

    public static HostWatch ofThisMachine() {
        ProcessHandle process = ProcessHandle.current();
        return new HostWatch(
                HostFiles.ofThisMachine(),
                System::nanoTime,
                () -> process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos());
    }

    private Counters counters() {
        return new Counters(
                clock.getAsLong(),
                files.busyNanos(),
                files.userNanos(),
                files.stolenNanos(),
                own.getAsLong(),
                files.ownUserNanos(),
                files.throttledNanos(),
                files.pressureNanos("cpu"),
                files.pressureNanos("io"),
                files.pressureNanos("memory"));
    }

    /// Resets the counters at the start of the measurement.
    public void begin() {
        first = counters();
        last = first;
        looks = 0;
        disturbed = 0;
    }

    /// Takes a sample of the time since the last one.
    ///
    /// @return stolen processor time in nanoseconds; 0 if the last sample is too recent
    public long look() {
        if (clock.getAsLong() - last.at < SHORTEST_LOOK_NANOS) {
            return 0;
        }
        Counters now = counters();
        double length = now.at - last.at;
        double stolen = now.stolen - last.stolen;
        double throttled = now.throttled - last.throttled;
        if (stolen > DISTURBED * length * processors || throttled > DISTURBED * length) {
            disturbed++;
        }
        looks++;
        last = now;
        return Double.isNaN(stolen) ? 0 : Math.max(0, (long) stolen);
    }

    /// The facts for the time from [#begin] to the last sample.
    public HostFacts facts() {
        double length = Math.max(1, last.at - first.at);
        return new HostFacts(
                processors,
                files.processorsAllowed(),
                files.memoryAllowed(),
                files.governor(),
                loadBefore,
                (last.busy - first.busy) / length,
                (last.own - first.own) / length,
                (last.user - first.user) / length,
                (last.ownUser - first.ownUser) / length,
                (last.stolen - first.stolen) / length / processors,
                (last.throttled - first.throttled) / length,
                (last.cpu - first.cpu) / length,
                (last.io - first.io) / length,
                (last.memory - first.memory) / length,
                looks,
                disturbed);
    }
}
