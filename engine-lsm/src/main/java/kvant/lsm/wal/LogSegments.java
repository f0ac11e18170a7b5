package kvant.lsm.wal;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import kvant.engine.ActivitySink;
import kvant.engine.Threads;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.Storage;
import kvant.lsm.storage.StorageFullException;
import kvant.lsm.storage.StorageFullException.Limit;
import kvant.lsm.storage.WritableFile;
import org.jspecify.annotations.Nullable;

/// Preallocates the next log before it is needed, and truncates and closes the last one, so that the commit thread
/// does neither.
///
///     request() --> [log thread: create, preallocate] --> take() --> RecordWriter --> retire()
///
/// At most one file is ready at a time. It gets its number when it is taken, because logs are replayed in the order
/// of their numbers, and another log may be begun while this one is made. Until then it has a temporary name, and the
/// next start deletes the remains of a crash. A failure here costs only speed: without a ready file, the next log is
/// one that grows.
///
/// The thread is started by the first request, so that a store that is only read has none. All methods are called by
/// the commit thread.
public final class LogSegments implements AutoCloseable {

    private static final Logger LOGGER = System.getLogger(LogSegments.class.getName());

    /// The pause after an attempt that failed. One that meets a limit fills the disk or the quota for a moment,
    /// so each of these doubles it.
    private static final long RETRY_NANOS = Duration.ofSeconds(1).toNanos();

    private static final long MOST_RETRY_NANOS = Duration.ofMinutes(5).toNanos();

    // Constant.
    private final Storage storage;
    private final long bytes;
    private final long headroomBytes;
    private final Supplier<ActivitySink> activities;
    private final ThreadFactory threads;

    // Commit thread.
    private @Nullable Thread thread;
    private long retryNanos = System.nanoTime();

    // Atomic.
    private final AtomicReference<@Nullable WritableFile> ready = new AtomicReference<>();
    private final ConcurrentLinkedQueue<RecordWriter> retired = new ConcurrentLinkedQueue<>();
    private volatile boolean wanted;
    private volatile boolean metLimit;
    private volatile long pauseNanos = RETRY_NANOS;
    private volatile boolean closing;

    /// @param bytes size of a segment; 0 for none
    /// @param headroomBytes space of the disk that stays free
    /// @param activities sink for the filling of a file with zeros, which delays other writes to the disk
    public LogSegments(Storage storage, long bytes, long headroomBytes, Supplier<ActivitySink> activities) {
        this(
                storage,
                bytes,
                headroomBytes,
                activities,
                Thread.ofPlatform().name("kvant-lsm-log").factory());
    }

    LogSegments(
            Storage storage, long bytes, long headroomBytes, Supplier<ActivitySink> activities, ThreadFactory threads) {
        this.storage = storage;
        this.bytes = bytes;
        this.headroomBytes = headroomBytes;
        this.activities = activities;
        this.threads = threads;
    }

    /// Size of a segment; 0 for none.
    public long bytes() {
        return bytes;
    }

    /// Asks for a segment and returns at once. Asking again while one is being made, is ready, or has just
    /// failed changes nothing.
    public void request() {
        if (bytes == 0 || wanted || ready.get() != null || System.nanoTime() - retryNanos < 0) {
            return;
        }
        retryNanos = System.nanoTime() + pauseNanos; // counts only if this attempt yields no segment
        wanted = true;
        try {
            wake();
        } catch (Throwable e) { // no thread can be had, for want of memory: a later request tries again
            wanted = false;
            LOGGER.log(Level.DEBUG, "no thread makes a log ready, the next one will grow: {0}", e.getMessage());
        }
    }

    /// Whether [#take] would give a segment.
    public boolean isReady() {
        return ready.get() != null;
    }

    /// Whether the last segment could not be made for lack of room, although the disk had reported enough.
    public boolean metLimit() {
        return metLimit;
    }

    /// Returns the ready segment, under this name, or null where there is none. It holds zeros only, and belongs to
    /// the caller.
    ///
    /// @throws IOException when it cannot get the name; it is deleted then
    public @Nullable WritableFile take(String name) throws IOException {
        metLimit = false; // the log before ends, which may make room
        WritableFile segment = ready.get();
        if (segment == null) {
            return null;
        }
        boolean taken = false;
        try {
            storage.rename(FileNames.LOG_NEXT, name);
            taken = true;
        } finally {
            ready.set(null);
            retryNanos = System.nanoTime();
            if (!taken) {
                discard(segment);
            }
        }
        return segment;
    }

    /// Deletes a segment that is ready, because the disk is full.
    public void giveRoomBack() {
        WritableFile segment = ready.getAndSet(null);
        if (segment != null) {
            discard(segment);
        }
        retryNanos = System.nanoTime() + RETRY_NANOS;
    }

    /// Truncates a finished and durable log to its records and closes it.
    public void retire(RecordWriter log) {
        if (thread == null) {
            finish(log);
        } else {
            retired.add(log);
            wake();
        }
    }

    /// Ends the thread and deletes a segment that was not used.
    @Override
    public void close() {
        closing = true;
        Thread running = thread;
        if (running == null) {
            return;
        }
        LockSupport.unpark(running);
        Threads.join(List.of(running));
        giveRoomBack();
    }

    private void wake() {
        if (thread == null) {
            Thread begun = threads.newThread(this::run);
            begun.start();
            thread = begun; // last: where that fails, there is none
        } else {
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        boolean last;
        do {
            last = closing; // read first: requests before the end are still carried out
            for (RecordWriter log = retired.poll(); log != null; log = retired.poll()) {
                finish(log);
            }
            if (wanted) {
                if (!last) {
                    make();
                }
                wanted = false;
            }
            if (!last && !closing && !wanted && retired.isEmpty()) {
                LockSupport.park(this); // a wake-up that came since makes this return at once
            }
        } while (!last);
    }

    private void make() {
        try {
            if (hasRoom()) {
                ActivitySink sink = activities.get();
                long activity = sink.began("log preallocation");
                try {
                    ready.set(preallocated());
                } finally {
                    sink.ended(activity);
                }
                pauseNanos = RETRY_NANOS;
            }
        } catch (Throwable e) { // an error too: without this thread, finished logs would stay open
            metLimit = e instanceof StorageFullException met && met.limit() != Limit.FILE_SIZE;
            long lastPauseNanos = pauseNanos;
            pauseNanos = metLimit ? Math.min(2 * lastPauseNanos, MOST_RETRY_NANOS) : RETRY_NANOS;
            LOGGER.log(Level.DEBUG, "cannot make a log ready, the next one will grow: {0}", e.getMessage());
        }
    }

    private WritableFile preallocated() throws IOException {
        WritableFile segment = storage.create(FileNames.LOG_NEXT);
        boolean made = false;
        try {
            segment.preallocate(bytes);
            made = true;
            return segment;
        } finally {
            if (!made) {
                discard(segment);
            }
        }
    }

    /// A preallocated file must not be the reason why writes are refused.
    private boolean hasRoom() {
        try {
            return storage.logs().usableBytes() - bytes >= headroomBytes;
        } catch (IOException _) {
            return true; // then the attempt decides
        }
    }

    private void discard(WritableFile segment) {
        try (segment) {
            storage.delete(FileNames.LOG_NEXT);
        } catch (IOException e) {
            LOGGER.log(Level.DEBUG, "the next start deletes a log that was made in vain: {0}", e.getMessage());
        }
    }

    /// Finishes a log. All of it is durable: a failure costs disk space and a file descriptor, but no data.
    private static void finish(RecordWriter log) {
        try (log) {
            log.cutRoom();
        } catch (IOException | RuntimeException e) {
            LOGGER.log(Level.DEBUG, "a finished log keeps its room: {0}", e.getMessage());
        }
    }
}
