package kvant.load.host;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// Watches the machine during a run: what the host of a virtual machine takes away, what a control group forbids, what
/// other processes do. It reads some small files of the system at the end of a window, on the thread that collects.
///
/// Owned by that thread.
public final class HostWatch {

    /// Share of the time above which a look is disturbed. It was fixed before any result was seen, and is the same for
    /// all: who chooses the rule afterwards chooses the result.
    public static final double DISTURBED = 0.05;

    /// The system counts in hundredths of a second; shorter windows share a look.
    public static final long SHORTEST_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /// The counters of the system at one moment; all of them only grow.
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

    /// Forgets what was before: the measured time begins.
    public void begin() {
        first = counters();
        last = first;
        looks = 0;
        disturbed = 0;
    }

    /// Looks at what happened since the last look.
    ///
    /// @return processor time that was stolen, in nanoseconds; 0 where the last look is too near
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

    /// Of the time from [#begin] to the last look.
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
