package kvant.server.accesslog;

import java.io.IOException;
import java.lang.System.Logger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import kvant.engine.MetricSink;
import org.jspecify.annotations.Nullable;

/// The access log of a node.
///
///     event loop 1..N --notes--> a queue each --> one thread --lines--> file
///
/// The event loops do nothing but fill a note and put it into their queue. The thread looks every few milliseconds:
/// that costs less than being woken for each request. What does not fit into a queue, and what the file does not take,
/// is lost and counted.
public final class AccessLog implements AutoCloseable {

    /// Between two looks. A writer that went on looking would take single lines to the file, a system call each, and a
    /// core of an idle node.
    private static final long LEAST_NANOS_BETWEEN = TimeUnit.MILLISECONDS.toNanos(1);

    /// A line is in the file so late at most.
    private static final long MOST_NANOS_BETWEEN = TimeUnit.MILLISECONDS.toNanos(20);

    /// Until a queue is full: two million requests a second of one event loop.
    private static final long NANOS_PER_NOTE = 500;

    /// A disk that hangs is not waited for.
    private static final Duration CLOSE_WAIT = Duration.ofSeconds(2);

    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final long NANOS_PER_MICRO = 1000;

    // Constant.
    private final AccessLogOptions options;
    private final AccessFile file;
    private final List<AccessQueue> queues = new CopyOnWriteArrayList<>();
    private final Thread thread;
    private final long betweenNanos;

    // The thread's.
    private final LineBuffer buffer = new LineBuffer();
    private final AccessLines lines;

    // Atomic.
    private final AtomicLong written = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private volatile boolean closing;

    private AccessLog(AccessLogOptions options, AccessFile file) {
        this.options = options;
        this.file = file;
        this.lines = new AccessLines(options.style());
        this.betweenNanos = Math.clamp(options.queue() * NANOS_PER_NOTE, LEAST_NANOS_BETWEEN, MOST_NANOS_BETWEEN);
        this.thread = Thread.ofPlatform().name("kvant-access-log").daemon().unstarted(this::run);
    }

    /// @throws IOException saying in one line why the file cannot be written
    public static AccessLog open(AccessLogOptions options) throws IOException {
        Logger logger = System.getLogger(AccessLog.class.getName());
        AccessFile file;
        try {
            file = new AccessFile(options.file(), options.rotation(), AccessFile::append, logger, System::nanoTime);
        } catch (IOException e) {
            throw new IOException(
                    "cannot write the access log " + options.file() + ": " + AccessFile.reasonOf(e)
                            + "; name a file in a directory that this user may write",
                    e);
        }
        AccessLog log = new AccessLog(options, file);
        log.thread.start();
        return log;
    }

    /// A queue for one more event loop.
    public AccessQueue queue() {
        AccessQueue queue = new AccessQueue(options.queue());
        queues.add(queue);
        return queue;
    }

    /// @param log null where there is none
    public static void measure(@Nullable AccessLog log, MetricSink sink) {
        sink.counter(
                "kvant_access_log_lines_total",
                "Lines that were written to the access log.",
                log == null ? 0 : log.written.get());
        String help = "Lines that the access log is without, because the queue was full or the file took none.";
        long full = log == null
                ? 0
                : log.queues.stream().mapToLong(AccessQueue::dropped).sum();
        sink.counter("kvant_access_log_lost_total", help, full, "cause", "queue");
        sink.counter("kvant_access_log_lost_total", help, log == null ? 0 : log.lost.get(), "cause", "file");
    }

    private void run() {
        while (!closing) {
            if (!drain()) {
                file.look();
            }
            LockSupport.parkNanos(betweenNanos);
        }
        drain();
        file.close();
    }

    /// Writes what is there.
    ///
    /// @return whether there was anything
    private boolean drain() {
        Instant now = Instant.now();
        long nowMicros = now.getEpochSecond() * MICROS_PER_SECOND + now.getNano() / NANOS_PER_MICRO;
        long nowNanos = System.nanoTime();
        boolean any = false;
        for (AccessQueue queue : queues) {
            for (AccessNote note = queue.poll(); note != null; note = queue.poll()) {
                any = true;
                lines.put(note, nowMicros - (nowNanos - note.endedNanos) / NANOS_PER_MICRO, buffer);
                if (!buffer.hasRoom()) {
                    write();
                }
            }
        }
        if (any) {
            write();
        }
        return any;
    }

    private void write() {
        int missing = file.write(buffer.content());
        lost.addAndGet(missing);
        written.addAndGet(buffer.lines() - missing);
        buffer.clear();
    }

    /// Writes what is there, and ends. Call it when no event loop adds any more.
    @Override
    public void close() {
        closing = true;
        LockSupport.unpark(thread);
        try {
            thread.join(CLOSE_WAIT);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
