package kvant.archive;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import kvant.backup.Hashes;
import kvant.backup.ObjectStore;
import kvant.engine.EngineException;
import kvant.engine.Health;
import kvant.engine.MetricSink;
import kvant.engine.Write;
import kvant.engine.feed.Change;
import kvant.engine.feed.ChangeCursor;
import kvant.engine.feed.ChangeFeed;
import kvant.engine.kit.Companion;
import org.jspecify.annotations.Nullable;

/// Puts what a store writes into an archive, in order, and no object before the one in front of it is there. Writes
/// never wait for it: what the target does not take yet is held by the logs, as long as they may.
///
///     take the archive (an epoch) --> cut an object from the feed --> put it --> still ours? --> let its logs go
///                ^                                  |
///                +---- (failure: pause, again)      +--> no longer held: a gap; go on at the newest version
///
/// One thread does that. A second one looks at the clock, a third makes bases ([Housekeeper]).
public final class Archiver implements Companion, AutoCloseable {

    private static final Logger LOGGER = System.getLogger(Archiver.class.getName());
    private static final long SAMPLE_MILLIS = 100;
    private static final long READ_BYTES = 1 << 20;
    private static final long FIRST_RETRY_MILLIS = 200;
    private static final int BUFFER_BYTES = 64 << 10;

    /// An object that is cut and not put yet: it is put as it is, however often that fails.
    private record Cut(LogObject object, Path file, String sha256) {}

    // Constant.
    private final ArchivePlace place;
    private final ArchivedStore source;
    private final ChangeFeed feed;
    private final ArchiveOptions options;
    private final Clock clock;
    private final TimeSamples times = new TimeSamples();
    private final ArchiveState state;
    private final @Nullable Acknowledgements acks;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Thread thread =
            Thread.ofPlatform().daemon().name("kvant-archive").unstarted(this::run);
    private final Thread ticker =
            Thread.ofPlatform().daemon().name("kvant-archive-clock").unstarted(this::tick);

    // Owned by the thread.
    private @Nullable ObjectStore store;
    private @Nullable Ownership ownership;
    private @Nullable ChangeCursor cursor;
    private @Nullable Cut cut;
    private long position;

    // Guarded by the lock.
    private boolean closing;
    private boolean hurried;

    // Written by the thread.
    private volatile @Nullable Housekeeper housekeeper;

    public Archiver(ArchivePlace place, ArchivedStore source, ArchiveOptions options, Clock clock) {
        this.place = place;
        this.source = source;
        this.feed = source.changes();
        this.options = options;
        this.clock = clock;
        this.state = new ArchiveState(clock, times);
        this.acks = options.ack() ? new Acknowledgements(options.ackLimit().toNanos(), this::hurry) : null;
    }

    public void start() {
        ticker.start();
        thread.start();
    }

    @Override
    public @Nullable Write around(Write write) {
        return acks == null ? write : acks.hold(write);
    }

    @Override
    public Health.Check check() {
        return state.check();
    }

    @Override
    public void measure(MetricSink sink) {
        state.measure(sink);
    }

    ArchiveState state() {
        return state;
    }

    /// Null before the archive is taken.
    @Nullable
    Housekeeper housekeeper() {
        return housekeeper;
    }

    /// Archives what is left, for as long as the options allow, and ends. Closing the store comes after.
    @Override
    public void close() {
        lock.lock();
        try {
            closing = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        boolean interrupted = false;
        try {
            thread.join(options.closeLimit());
        } catch (InterruptedException _) {
            interrupted = true;
        }
        Housekeeper keeper = housekeeper;
        if (keeper != null) {
            keeper.close();
        }
        if (!state.isStopped() && state.version() < feed.newest()) {
            LOGGER.log(
                    Level.WARNING,
                    "the archive ends at version {0}, the store at {1}: the next start continues there",
                    String.valueOf(state.version()),
                    String.valueOf(feed.newest()));
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isClosing() {
        lock.lock();
        try {
            return closing;
        } finally {
            lock.unlock();
        }
    }

    private void tick() {
        while (!isClosing()) {
            times.sample(feed.newest(), clock.millis());
            pause(Duration.ofMillis(SAMPLE_MILLIS), false);
            if (acks != null) {
                acks.expire();
            }
        }
    }

    /// Somebody waits for the archive to have what was written just now.
    private void hurry() {
        lock.lock();
        try {
            hurried = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Ends early when this is closed.
    ///
    /// @param hurries and when somebody waits
    private void pause(Duration time, boolean hurries) {
        lock.lock();
        try {
            long left = time.toNanos();
            while (left > 0 && !closing && !(hurries && hurried)) {
                left = changed.awaitNanos(left);
            }
            hurried &= !hurries;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        try {
            Duration retry = Duration.ofMillis(FIRST_RETRY_MILLIS);
            boolean last = false;
            boolean keeps = false;
            while (!last) {
                last = isClosing(); // one more round, for what came before
                long beganNanos = System.nanoTime();
                boolean worked = round();
                Housekeeper keeper = housekeeper;
                if (worked && !keeps && keeper != null) {
                    keeps = true;
                    keeper.start();
                }
                if (worked) {
                    retry = Duration.ofMillis(FIRST_RETRY_MILLIS);
                    pause(options.interval().minusNanos(System.nanoTime() - beganNanos), true);
                } else {
                    pause(retry, false);
                    Duration longer = retry.multipliedBy(2);
                    retry = longer.compareTo(options.retryLongest()) < 0 ? longer : options.retryLongest();
                }
            }
        } catch (Ownership.Lost e) {
            state.stopped(String.valueOf(e.getMessage()));
            feed.copied(Long.MAX_VALUE); // no log is held for it any more
            if (acks != null) {
                acks.lost(String.valueOf(e.getMessage()), true);
            }
            LOGGER.log(Level.ERROR, "the store is no longer archived: {0}", e.getMessage());
        } catch (EngineException.Closed _) {
            state.trouble("the store is closed");
        } finally {
            closeStore();
        }
    }

    /// Archives all that there is.
    ///
    /// @return whether it worked
    boolean round() throws Ownership.Lost {
        try {
            Ownership owned = owned();
            ObjectStore target = target();
            long upTo = feed.newest();
            while (position < upTo) {
                putNext(target, owned, upTo);
            }
            if (state.trouble("")) {
                LOGGER.log(Level.INFO, "the archive continues at version {0}", String.valueOf(position));
            }
            return true;
        } catch (Ownership.Lost | EngineException.Closed e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            state.failures.incrementAndGet();
            String reason = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
            if (state.trouble(reason)) {
                LOGGER.log(Level.WARNING, "the archive cannot continue: {0}; retrying", reason);
            }
            closeStore(); // a new one may find another way
            return false;
        }
    }

    private ObjectStore target() throws IOException {
        ObjectStore open = store;
        if (open == null) {
            open = place.open("");
            store = open;
        }
        return open;
    }

    private Ownership owned() throws IOException {
        Ownership owned = ownership;
        if (owned == null) {
            ObjectStore target = target();
            Path folder = OwnerFile.folder(source.data());
            Files.deleteIfExists(folder.resolve("next"));
            owned = Ownership.take(target, folder, feed.newest(), options.takeOver(), clock);
            target.discardUnfinished();
            position = owned.from();
            ownership = owned;
            archivedUpTo(position);
            housekeeper = new Housekeeper(place, source, owned, options, state, clock);
        }
        return owned;
    }

    private void putNext(ObjectStore target, Ownership owned, long upTo) throws IOException {
        Cut next = cut;
        try {
            if (next == null) {
                next = cut(owned, upTo);
                cut = next;
            }
        } catch (EngineException.Gone e) {
            goOnBehindGap(e);
            return;
        }
        target.put(next.object().name(), next.file(), next.sha256());
        owned.requireHeld(target); // else the new owner may not have seen it
        state.objects.incrementAndGet();
        state.bytes.addAndGet(next.object().bytes());
        position = next.object().to();
        cut = null;
        Files.deleteIfExists(next.file());
        archivedUpTo(position);
    }

    private void archivedUpTo(long version) {
        state.archived(version);
        feed.copied(version);
        if (acks != null) {
            acks.archived(version);
        }
    }

    /// What is lost is lost to the archive alone: the store has it, and the next base.
    private void goOnBehindGap(EngineException.Gone e) {
        long newest = feed.newest();
        state.gaps.incrementAndGet();
        LOGGER.log(
                Level.WARNING,
                "the archive has a gap: versions {0} to {1} cannot be restored one by one ({2}); a new base follows,"
                        + " and --archive-backlog bounds what is held",
                String.valueOf(position + 1),
                String.valueOf(newest),
                e.getMessage());
        position = newest;
        cursor = null;
        if (acks != null) {
            acks.lost("the archive has a gap", false);
        }
        archivedUpTo(newest);
        Housekeeper keeper = housekeeper;
        if (keeper != null) {
            keeper.wake();
        }
    }

    /// Reads the feed up to the end of a group. What it holds is never more than one change.
    private Cut cut(Ownership owned, long upTo) throws IOException {
        ChangeCursor reader = cursor;
        cursor = null; // until it is known where it stands
        if (reader != null && reader.version() == position) {
            try {
                return cut(owned, upTo, reader);
            } catch (EngineException.Gone _) {
                // It stands at the end of a log that is gone: another one may begin where it goes on.
            }
        }
        return cut(owned, upTo, feed.after(position));
    }

    private Cut cut(Ownership owned, long upTo, ChangeCursor reader) throws IOException {
        Path file = OwnerFile.folder(source.data()).resolve("next");
        LogObject object;
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), BUFFER_BYTES)) {
            ArchiveFormat.Writer writer = new ArchiveFormat.Writer(out, owned.epoch(), position);
            while (reader.version() < upTo && (writer.bytes() < options.objectBytes() || !writer.isBetweenGroups())) {
                reader.read(upTo, READ_BYTES, (change, more) -> write(writer, change, more));
            }
            object = writer.end();
        }
        cursor = reader;
        return new Cut(object, file, Hashes.of(file));
    }

    private void write(ArchiveFormat.Writer writer, Change change, boolean more) {
        try {
            writer.mutation(change.mutation());
            if (!more) {
                writer.group(change.version(), times.millisOf(change.version(), clock.millis()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void closeStore() {
        ObjectStore open = store;
        store = null;
        if (open != null) {
            open.close();
        }
    }
}
