package kvant.archive;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import kvant.engine.Health;
import kvant.engine.MetricSink;

/// How far a store is archived, for figures and people. Any thread may call it.
final class ArchiveState {

    private static final double MILLIS_PER_SECOND = 1000;

    // Constant.
    private final InstantSource clock;
    private final TimeSamples times;

    // Atomic.
    final AtomicLong objects = new AtomicLong();
    final AtomicLong bytes = new AtomicLong();
    final AtomicLong failures = new AtomicLong();
    final AtomicLong gaps = new AtomicLong();
    final AtomicLong bases = new AtomicLong();
    final AtomicLong merged = new AtomicLong();
    final AtomicLong deleted = new AtomicLong();
    private volatile long version;
    private volatile long baseMillis;
    private volatile String trouble = "it has not begun yet";
    private volatile String baseTrouble = "";
    private volatile boolean stopped;

    ArchiveState(InstantSource clock, TimeSamples times) {
        this.clock = clock;
        this.times = times;
    }

    void archived(long newVersion) {
        version = newVersion;
        trouble = "";
        times.archived(newVersion);
    }

    long version() {
        return version;
    }

    /// @param reason empty where it works
    /// @return whether it is another than before
    boolean trouble(String reason) {
        boolean isNew = !reason.equals(trouble);
        trouble = reason;
        return isNew;
    }

    boolean baseTrouble(String reason) {
        boolean isNew = !reason.equals(baseTrouble);
        baseTrouble = reason;
        return isNew;
    }

    void base(long millis) {
        baseMillis = millis;
    }

    /// For good.
    void stopped(String reason) {
        trouble = reason;
        stopped = true;
    }

    boolean isStopped() {
        return stopped;
    }

    double lagSeconds() {
        long now = clock.millis();
        return Math.max(0, now - times.oldestMillis(now)) / MILLIS_PER_SECOND;
    }

    /// It leaves the node ready: writes do not wait for the archive.
    Health.Check check() {
        String base = baseMillis == 0 ? "no base yet" : "newest base " + Instant.ofEpochMilli(baseMillis);
        String how = stopped ? "STOPPED: " + trouble : trouble.isEmpty() ? "it continues" : "failing: " + trouble;
        String detail =
                String.format(Locale.ROOT, "up to version %d, %.1f s behind, %s; %s", version, lagSeconds(), base, how);
        return new Health.Check("archive", true, baseTrouble.isEmpty() ? detail : detail + "; " + baseTrouble);
    }

    void measure(MetricSink sink) {
        sink.gauge(
                "kvant_archive_running", "1 while the store is archived, 0 where that has stopped.", stopped ? 0 : 1);
        sink.gauge(
                "kvant_archive_lag_seconds",
                "How long ago the oldest write came that is not in the archive.",
                lagSeconds());
        sink.gauge("kvant_archive_version", "Up to this version the store is in the archive.", version);
        sink.gauge(
                "kvant_archive_last_base_timestamp_seconds",
                "When the newest base of the archive was made, in seconds since 1970; 0 where there is none.",
                baseMillis / MILLIS_PER_SECOND);
        sink.counter(
                "kvant_archive_objects_total", "Objects with changes that were put into the archive.", objects.get());
        sink.counter("kvant_archive_bytes_total", "Their bytes.", bytes.get());
        sink.counter(
                "kvant_archive_failures_total", "Attempts that failed at the target of the archive.", failures.get());
        sink.counter("kvant_archive_gaps_total", "Times at which changes were lost to the archive.", gaps.get());
        sink.counter("kvant_archive_bases_total", "Bases that were made.", bases.get());
        sink.counter("kvant_archive_merged_objects_total", "Objects that were merged into longer ones.", merged.get());
        sink.counter("kvant_archive_deleted_objects_total", "Objects and bases that were deleted.", deleted.get());
    }
}
