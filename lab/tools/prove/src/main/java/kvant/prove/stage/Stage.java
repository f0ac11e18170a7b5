package kvant.prove.stage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.function.Consumer;
import kvant.text.UserException;

/// Where one trial runs: its folder, its seed, how long it may take, and what must be ended after it, the latest
/// first: when the stage is closed, and at the latest when the JVM ends, so that Ctrl-C leaves no process and no mount.
///
/// Belongs to the thread of the trial, except for [#keep] and [#drop].
public final class Stage implements AutoCloseable {

    // Constant.
    private final Path folder;
    private final long seed;
    private final long deadlineNanos;
    private final int mostTrips;
    private final Consumer<String> live;
    private final Thread atExit = Thread.ofPlatform().unstarted(this::end);

    // The thread of the trial.
    private int trips;

    // Guarded by this.
    private final Deque<AutoCloseable> kept = new ArrayDeque<>();
    private boolean ended;

    /// @param limit after which no further trip begins
    /// @param mostTrips likewise; the first trip is always made
    /// @param live gets a line about the run now and then
    public Stage(Path folder, long seed, Duration limit, int mostTrips, Consumer<String> live) throws IOException {
        this.folder = Files.createDirectories(folder).toAbsolutePath();
        this.seed = seed;
        this.deadlineNanos = System.nanoTime() + limit.toNanos();
        this.mostTrips = mostTrips;
        this.live = live;
        Runtime.getRuntime().addShutdownHook(atExit);
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

    /// Closes something at the end, unless it is dropped before. Closing twice must be harmless.
    public <T extends AutoCloseable> T keep(T one) {
        synchronized (this) {
            if (!ended) {
                kept.push(one);
                return one;
            }
        }
        close(one);
        throw new UserException("stopped");
    }

    /// Closes it now.
    public void drop(AutoCloseable one) {
        synchronized (this) {
            kept.remove(one);
        }
        close(one);
    }

    private static void close(AutoCloseable one) {
        try {
            one.close();
        } catch (Exception e) {
            System.err.println("kvant: cannot end " + one + ": " + e.getMessage()); // the others must end all the same
        }
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException _) {
            return; // the hook does it
        }
        end();
    }

    private void end() {
        while (true) {
            AutoCloseable one;
            synchronized (this) {
                ended = true;
                if (kept.isEmpty()) {
                    return;
                }
                one = kept.pop();
            }
            close(one);
        }
    }
}
