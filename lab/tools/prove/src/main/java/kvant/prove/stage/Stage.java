package kvant.prove.stage;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import kvant.lab.process.Workbench;
import kvant.lab.run.ServedNode;

/// The run of one trial: its folder, which is kept where the promise does not hold, its seed and time limit, and its
/// processes, mounts and files, which end with it.
///
/// Belongs to the thread of the trial.
public final class Stage extends Workbench {

    private static final long LOOK_NANOS = 2_000_000;
    private static final List<String> JVM = List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    // Constant.
    private final long seed;
    private final long deadlineNanos;
    private final int mostTrips;
    private final Consumer<String> live;

    private int trips;

    /// @param limit after which no further trip begins
    /// @param mostTrips likewise; the first trip is always made
    /// @param live gets a line about the run now and then
    public Stage(Path folder, long seed, Duration limit, int mostTrips, Consumer<String> live) throws IOException {
        super(folder);
        this.seed = seed;
        this.deadlineNanos = System.nanoTime() + limit.toNanos();
        this.mostTrips = mostTrips;
        this.live = live;
    }

    /// A node that is small and quick to start: many live for a second or two.
    public static ServedNode.Start node(String... arguments) {
        return ServedNode.Start.of("--warm-up", "0").with(List.of(arguments)).withJvm(JVM);
    }

    public long seed() {
        return seed;
    }

    /// Begins the next trip: `while (stage.next())`.
    public boolean next() {
        if (trips > 0 && (trips >= mostTrips || System.nanoTime() - deadlineNanos >= 0)) {
            return false;
        }
        trips++;
        return true;
    }

    /// The number of this trip, from 1.
    public int trip() {
        return trips;
    }

    /// The random numbers of this trip; `salt` tells apart those of several threads.
    public Random random(int salt) {
        return new Random((seed * 1_000_003 + trips) * 1_009 + salt);
    }

    /// A line about the run, in the place of the one before.
    public void say(String line) {
        live.accept(line);
    }

    /// What a trial waits for.
    public interface Condition {
        boolean holds() throws IOException;
    }

    /// @return false where it does not come in time
    public static boolean comes(Condition condition, long seconds) throws IOException {
        long deadline = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
        while (!condition.holds()) {
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedIOException("interrupted");
            }
            if (System.nanoTime() > deadline) {
                return false;
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return true;
    }
}
