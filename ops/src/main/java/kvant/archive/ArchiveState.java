package kvant.archive;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Clock;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import kvant.engine.EngineException;
import kvant.engine.Health;
import kvant.engine.MetricSink;

/// What the threads of an archive share: its options, and how far the store is archived, for metrics and health. Any
/// thread may call it.
final class ArchiveState {

    /// A part of the work, and the reason why it fails; empty while it works.
    static final class Part {

        final String what;
        volatile String trouble;

        Part(String what, String trouble) {
            this.what = what;
            this.trouble = trouble;
        }
    }

    interface Attempt {
        void run() throws IOException;
    }

    private static final Logger LOGGER = System.getLogger(ArchiveState.class.getName());
    private static final double MILLIS_PER_SECOND = 1000;

    // Constant.
    final ArchivePlace place;
    final ArchivedStore source;
    final ArchiveOptions options;
    final Clock clock;
    final TimeSamples times = new TimeSamples();
    final Part changes = new Part("the archiving of changes", "it has not begun yet");
    final Part bases = new Part("a base or a merge of the archive", "");

    // Atomic.
    final AtomicLong objects = new AtomicLong();
    final AtomicLong bytes = new AtomicLong();
    final AtomicLong failures = new AtomicLong();
    final AtomicLong gaps = new AtomicLong();
    final AtomicLong basesMade = new AtomicLong();
    final AtomicLong merged = new AtomicLong();
    final AtomicLong deleted = new AtomicLong();
    volatile long version;
    volatile long baseMillis;
    volatile boolean stopped;

    ArchiveState(ArchivePlace place, ArchivedStore source, ArchiveOptions options, Clock clock) {
        this.place = place;
        this.source = source;
        this.options = options;
        this.clock = clock;
    }

    void archived(long newVersion) {
        version = newVersion;
        times.archived(newVersion);
    }

    /// Makes an attempt at a part of the work. Keeps the reason of a failure, and logs a new one.
    Rounds.Result attempt(Part part, Attempt attempt) {
        try {
            attempt.run();
            return worked(part);
        } catch (Ownership.Lost e) {
            if (!stopped) {
                LOGGER.log(Level.ERROR, "the store is no longer archived: {0}", e.getMessage());
            }
            synchronized (this) {
                changes.trouble = String.valueOf(e.getMessage());
                stopped = true;
            }
            return Rounds.Result.OVER;
        } catch (EngineException.Closed _) {
            part.trouble = "the store is closed";
            return Rounds.Result.OVER;
        } catch (IOException | RuntimeException e) {
            failures.incrementAndGet();
            String reason = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
            if (!reason.equals(part.trouble)) {
                LOGGER.log(Level.WARNING, "{0} failed: {1}; it is tried again", part.what, reason);
            }
            part.trouble = reason;
            return Rounds.Result.FAILED;
        }
    }

    /// It is over if the thread of the other part has found that the archive is lost.
    private synchronized Rounds.Result worked(Part part) {
        if (stopped) {
            return Rounds.Result.OVER;
        }
        if (!part.trouble.isEmpty()) {
            LOGGER.log(Level.INFO, "{0} works now", part.what);
        }
        part.trouble = "";
        return Rounds.Result.WORKED;
    }

    double lagSeconds() {
        long now = clock.millis();
        return Math.max(0, now - times.oldestMillis(now)) / MILLIS_PER_SECOND;
    }

    /// Always ok: a node is ready without its archive.
    Health.Check check() {
        String base = baseMillis == 0 ? "no base yet" : "newest base " + Instant.ofEpochMilli(baseMillis);
        String how = stopped ? "STOPPED: " : changes.trouble.isEmpty() ? "it works" : "it does not work: ";
        String detail =
                String.format(Locale.ROOT, "up to version %d, %.1f s behind, %s; %s", version, lagSeconds(), base, how);
        String more = bases.trouble.isEmpty() || stopped ? "" : "; " + bases.what + " failed: " + bases.trouble;
        return new Health.Check("archive", true, detail + changes.trouble + more);
    }

    void measure(MetricSink sink) {
        gauge(sink, "running", "1 while the store is archived, 0 once that has stopped.", stopped ? 0 : 1);
        gauge(sink, "lag_seconds", "Age of the oldest write that is not in the archive.", lagSeconds());
        gauge(sink, "version", "The last version of the store that is in the archive.", version);
        gauge(
                sink,
                "last_base_timestamp_seconds",
                "When the newest base was made, in seconds since 1970; 0 without one.",
                baseMillis / MILLIS_PER_SECOND);
        counter(sink, "objects", "Objects with changes that were put into the archive.", objects);
        counter(sink, "bytes", "Their bytes.", bytes);
        counter(sink, "failures", "Attempts that failed at the target of the archive.", failures);
        counter(sink, "gaps", "Times at which changes were lost to the archive.", gaps);
        counter(sink, "bases", "Bases that were made.", basesMade);
        counter(sink, "merged_objects", "Objects that were merged into longer ones.", merged);
        counter(sink, "deleted_objects", "Objects and bases that were deleted.", deleted);
    }

    private static void gauge(MetricSink sink, String name, String help, double value) {
        sink.gauge("kvant_archive_" + name, help, value);
    }

    private static void counter(MetricSink sink, String name, String help, AtomicLong value) {
        sink.counter("kvant_archive_" + name + "_total", help, value.get());
    }
}
