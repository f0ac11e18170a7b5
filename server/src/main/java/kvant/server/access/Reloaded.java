package kvant.server.access;

import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import kvant.engine.MetricSink;
import org.jspecify.annotations.Nullable;

/// A value that is loaded from files, and reloaded when they change. Unusable files change nothing: the last good
/// value stays, and the log and a metric report the error.
///
/// A change is accepted when two checks in a row have seen the same: related files are seldom replaced at the same
/// moment, and a file may be seen half written.
///
/// [#current] may be called by any thread; one thread checks, see [FileWatch].
public final class Reloaded<T> {

    /// Makes it from the files.
    @FunctionalInterface
    public interface Loader<T> {
        T load() throws InvalidFileException;
    }

    private static final Logger LOGGER = System.getLogger(Reloaded.class.getName());
    private static final int MAX_BYTES = 2 << 20;

    // Constant.
    private final String kind;
    private final List<Path> files;
    private final Loader<T> loader;

    // Owned by the checking thread.
    private byte[] seen;
    private byte[] taken;

    // Atomic.
    private volatile T current;
    private volatile boolean stale;
    private final LongAdder reloads = new LongAdder();
    private final LongAdder failures = new LongAdder();

    private Reloaded(String kind, List<Path> files, Loader<T> loader) throws InvalidFileException {
        this.kind = kind;
        this.files = List.copyOf(files);
        this.loader = loader;
        this.taken = contents(); // first: what changes from here on is seen
        this.seen = taken;
        this.current = loader.load();
    }

    /// Loads the value for the first time.
    ///
    /// @param kind name of the value for log and metrics
    public static <T> Reloaded<T> of(String kind, List<Path> files, Loader<T> loader) throws InvalidFileException {
        return new Reloaded<>(kind, files, loader);
    }

    /// The value made from the last usable files.
    public T current() {
        return current;
    }

    /// Looks whether the files have changed.
    void look() {
        byte[] now = contents();
        boolean steady = MessageDigest.isEqual(now, seen);
        seen = now;
        if (!steady || MessageDigest.isEqual(now, taken)) {
            return;
        }
        taken = now;
        try {
            current = loader.load();
            stale = false;
            reloads.increment();
            LOGGER.log(Level.INFO, "{0} were read again", kind);
        } catch (InvalidFileException | RuntimeException e) { // on any failure, the other files are still checked
            stale = true;
            failures.increment();
            LOGGER.log(Level.WARNING, "the new {0} are not used, the last good ones stay: {1}", kind, e.getMessage());
        }
    }

    /// @param of null where the node has nothing of this kind: then the figures are 0
    public static void measure(@Nullable Reloaded<?> of, String kind, MetricSink sink) {
        String bad = "Whether files that were changed cannot be used, so that their last good state stays (1).";
        sink.gauge("kvant_files_stale", bad, of != null && of.stale ? 1 : 0, "kind", kind);
        String help = "Files that were changed and read again, by whether they could be used.";
        long reloads = of == null ? 0 : of.reloads.sum();
        long failures = of == null ? 0 : of.failures.sum();
        sink.counter("kvant_files_read_again_total", help, reloads, "kind", kind, "result", "ok");
        sink.counter("kvant_files_read_again_total", help, failures, "kind", kind, "result", "failed");
    }

    /// A digest of what stands in the files: times of files are not exact enough, and links may be exchanged.
    private byte[] contents() {
        MessageDigest digest = TokenSecret.digest();
        for (Path file : files) {
            try (InputStream in = Files.newInputStream(file)) {
                byte[] bytes = in.readNBytes(MAX_BYTES);
                digest.update(Integer.toString(bytes.length).getBytes(StandardCharsets.US_ASCII));
                digest.update(bytes);
            } catch (IOException e) {
                digest.update(e.getClass().getName().getBytes(StandardCharsets.UTF_8));
            }
        }
        return digest.digest();
    }

    /// Checks files twice a second on a thread of its own. Notifications of the kernel are not used: they do not come
    /// for network file systems, nor for links that have been redirected, which is how secrets are mounted.
    public static final class FileWatch implements AutoCloseable {

        private static final Duration EVERY = Duration.ofMillis(500);

        private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name("kvant-files").daemon().factory());

        public FileWatch(List<? extends Reloaded<?>> watched) {
            if (!watched.isEmpty()) {
                thread.scheduleWithFixedDelay(
                        () -> watched.forEach(Reloaded::look),
                        EVERY.toMillis(),
                        EVERY.toMillis(),
                        TimeUnit.MILLISECONDS);
            }
        }

        @Override
        public void close() {
            thread.shutdownNow();
        }
    }
}
