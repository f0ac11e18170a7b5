package kvant.server.accesslog;

import java.io.IOException;
import java.lang.System.Logger;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import kvant.engine.MetricSink;
import kvant.text.FileTrouble;
import org.jctools.queues.varhandle.SpscVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/// The access log of a node.
///
///     event loop 1..N --notes--> a queue each --> one thread --lines--> file
///
/// The event loops only fill a note and put it into their queue. The thread polls every few milliseconds: that costs
/// less than a wake-up for each request. Notes that do not fit into a queue, and lines that cannot be written, are
/// lost and counted.
public final class AccessLog implements AutoCloseable {

    /// Between two looks. A writer that went on looking would take single lines to the file, a system call each, and a
    /// core of an idle node.
    private static final long LEAST_NANOS_BETWEEN = TimeUnit.MILLISECONDS.toNanos(1);

    /// Longest delay of a line.
    private static final long MOST_NANOS_BETWEEN = TimeUnit.MILLISECONDS.toNanos(20);

    /// Time for one note before a queue is full: two million requests a second of one event loop.
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
                    "cannot write the access log " + options.file() + ": " + FileTrouble.writing(e)
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
        String lines = "Lines that were written to the access log.";
        sink.counter("kvant_access_log_lines_total", lines, log == null ? 0 : log.written.get());
        String help = "Lines that the access log is without, because the queue was full or the file took none.";
        long full = log == null
                ? 0
                : log.queues.stream().mapToLong(queue -> queue.dropped.get()).sum();
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

    /// Writes the waiting notes.
    ///
    /// @return whether there were any
    private boolean drain() {
        Instant now = Instant.now();
        long nowMicros = now.getEpochSecond() * MICROS_PER_SECOND + now.getNano() / NANOS_PER_MICRO;
        long nowNanos = System.nanoTime();
        boolean any = false;
        for (AccessQueue queue : queues) {
            for (AccessNote note = queue.notes.poll(); note != null; note = queue.notes.poll()) {
                any = true;
                lines.put(note, nowMicros - (nowNanos - note.endedNanos) / NANOS_PER_MICRO);
                if (!lines.hasRoom()) {
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
        int missing = file.write(lines.content());
        lost.addAndGet(missing);
        written.addAndGet(lines.lines - missing);
        lines.clear();
    }

    /// Writes the waiting notes, and ends. Call it when no event loop adds any more.
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

    /// The notes of one event loop on their way to the writer. Bounded: what does not fit is dropped and counted, and
    /// no request waits for it.
    public static final class AccessQueue {

        private final SpscVarHandleArrayQueue<AccessNote> notes;
        private final AtomicLong dropped = new AtomicLong(); // the loop alone adds

        AccessQueue(int capacity) {
            notes = new SpscVarHandleArrayQueue<>(capacity);
        }

        /// Loop only. The writer is not woken: that would be a system call, and it looks by itself.
        public void add(AccessNote note) {
            if (!notes.offer(note)) {
                dropped.lazySet(dropped.getPlain() + 1);
            }
        }
    }

    /// The settings of the access log.
    ///
    /// @param queue most lines that an event loop may be ahead of the file
    /// @param rotation bound on its disk space
    public record AccessLogOptions(Path file, AccessLogStyle style, int queue, LogRotation rotation) {

        public static final int DEFAULT_QUEUE = 8192;

        private static final int LEAST_QUEUE = 16;
        private static final int MOST_QUEUE = 1 << 20;

        public AccessLogOptions {
            if (queue < LEAST_QUEUE || queue > MOST_QUEUE) {
                throw new IllegalArgumentException("the queue of the access log has room for " + LEAST_QUEUE + " to "
                        + MOST_QUEUE + " lines, not " + queue);
            }
        }

        /// The format of the access log's lines.
        public enum AccessLogStyle {
            /// The combined format of web servers, followed by more fields.
            TEXT,
            /// A JSON object for each line.
            JSON
        }
    }

    /// The bound on an access log's size, and the number of old files that are kept; `access.log.1` is the newest of
    /// them. So the disk space is at most the bound, and as much for each kept file.
    ///
    /// @param bytes size at which a new file is begun, or [#NEVER]
    /// @param keep number of old files that stay
    public record LogRotation(long bytes, int keep) {

        public static final long NEVER = 0;
        public static final LogRotation DEFAULT = new LogRotation(256 << 20, 4);

        private static final long LEAST_BYTES = 1 << 20;
        private static final int MOST_KEPT = 1000;

        public LogRotation {
            if (bytes != NEVER && bytes < LEAST_BYTES) {
                throw new IllegalArgumentException(
                        "the access log is left for a new one after 1 MiB or more, or never (0), not after " + bytes
                                + " B");
            }
            if (keep < 1 || keep > MOST_KEPT) {
                throw new IllegalArgumentException(
                        "1 to " + MOST_KEPT + " files of the access log are kept, not " + keep);
            }
        }

        /// Whether a file of this size exceeds the bound.
        boolean isBeyond(long fileBytes) {
            return bytes != NEVER && fileBytes > bytes;
        }

        /// Whether the file may be moved: the target of a link, such as a pipe or a console, belongs to another
        /// program.
        static boolean isMovable(Path file) {
            return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
        }

        /// Renames a file, and those before it by one, up to the first free number, or over the oldest. So a repeated
        /// attempt after an interruption pushes no file out. Files with higher numbers may belong to another
        /// tool, and stay.
        void moveAway(Path file) throws IOException {
            int free = 1;
            while (free < keep && Files.exists(numbered(file, free), LinkOption.NOFOLLOW_LINKS)) {
                free++;
            }
            for (int i = free - 1; i >= 1; i--) {
                move(numbered(file, i), numbered(file, i + 1));
            }
            move(file, numbered(file, 1));
        }

        private static void move(Path from, Path to) throws IOException {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE); // over an existing one
        }

        private static Path numbered(Path file, int number) {
            return file.resolveSibling(file.getFileName() + "." + number);
        }
    }
}
