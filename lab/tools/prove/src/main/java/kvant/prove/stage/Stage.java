package kvant.prove.stage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.function.Consumer;
import kvant.lab.process.CleanupStack;

/// The run of one trial: its folder, seed and time limit, and its processes, mounts and files, which end with it.
///
/// Belongs to the thread of the trial, except for [#keep] and [#drop].
public final class Stage implements AutoCloseable {

    // Constant.
    private final Path folder;
    private final long seed;
    private final long deadlineNanos;
    private final int mostTrips;
    private final Consumer<String> live;
    private final CleanupStack kept = new CleanupStack();

    // The thread of the trial.
    private int trips;

    /// @param limit after which no further trip begins
    /// @param mostTrips likewise; the first trip is always made
    /// @param live gets a line about the run now and then
    public Stage(Path folder, long seed, Duration limit, int mostTrips, Consumer<String> live) throws IOException {
        this.folder = Files.createDirectories(folder).toAbsolutePath();
        this.seed = seed;
        this.deadlineNanos = System.nanoTime() + limit.toNanos();
        this.mostTrips = mostTrips;
        this.live = live;
    }

    /// Kept where the promise does not hold.
    public Path folder() {
        return folder;
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

    /// Closes a resource at the end, unless it is dropped before. Closing twice must be harmless.
    public <T extends AutoCloseable> T keep(T one) {
        return kept.keep(one);
    }

    /// Closes a resource now.
    public void drop(AutoCloseable one) {
        kept.drop(one);
    }

    @Override
    public void close() {
        kept.close();
    }
}
