package kvant.lsm.read;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import kvant.engine.Cursor;
import kvant.engine.EngineException;
import kvant.engine.MetricSink;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.version.Version;
import org.jspecify.annotations.Nullable;

/// Opens scans, knows those that are open, and bounds their number and the memory that they pin: memtables that
/// have been flushed. Any thread may open and look; the flush thread tells of flushes.
public final class Scans {

    // Constant.
    private final SuperVersions versions;
    private final Duration maxLife;
    private final long maxPinnedBytes;
    private final int maxOpen;

    // Concurrent.
    private final Set<ScanCursor> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger count = new AtomicInteger();
    private final LongAdder refused = new LongAdder();
    private final LongAdder brokenOff = new LongAdder();

    /// @param maxLife a scan that is older is broken off
    /// @param maxPinnedBytes when flushed memtables that scans hold take more, the oldest scans are broken off
    /// @param maxOpen so many at a time
    public Scans(SuperVersions versions, Duration maxLife, long maxPinnedBytes, int maxOpen) {
        this.versions = versions;
        this.maxLife = maxLife;
        this.maxPinnedBytes = maxPinnedBytes;
        this.maxOpen = maxOpen;
    }

    /// A scan of what is visible now; see [kvant.engine.Engine#scan].
    ///
    /// @throws EngineException.Busy when as many are open as may be
    public Cursor open(byte[] from, byte @Nullable [] to) {
        if (count.incrementAndGet() > maxOpen) {
            count.decrementAndGet();
            refused.increment();
            throw new EngineException.Busy(
                    maxOpen + " ranges are open, and no more may be: try again when some of them have ended");
        }
        while (true) {
            SuperVersion view = versions.acquire();
            ScanCursor scan = known(view, from, to);
            if (versions.current().memtables().containsAll(view.memtables())) {
                scan.begin();
                return scan;
            }
            scan.close(); // one was flushed before this scan was known: nobody would tell it
            count.incrementAndGet(); // of the next attempt
        }
    }

    /// A scan that is told of flushes. From here on its close gives back the place that was taken for it, and so does a
    /// begin that fails.
    ///
    /// @param view acquired before: whatever it holds has at most the sequence number that is read here
    private ScanCursor known(SuperVersion view, byte[] from, byte @Nullable [] to) {
        boolean known = false;
        try {
            ScanCursor scan = new ScanCursor(this, view, versions.visibleSequence(), from, to);
            open.add(scan);
            known = true;
            return scan;
        } finally {
            if (!known) { // an error, of memory
                count.decrementAndGet();
                versions.release(view);
            }
        }
    }

    /// The snapshots of scans that hold a memtable and do not see all of it, ascending, each once.
    ///
    /// @param sealed so that no scan is opened any more that belongs here
    public long[] snapshotsWithin(Memtable sealed) {
        return open.stream()
                .filter(scan -> scan.sequence() < sealed.lastSequence()
                        && scan.memtables().contains(sealed))
                .mapToLong(ScanCursor::sequence)
                .sorted()
                .distinct()
                .toArray();
    }

    /// A memtable has been flushed, and no super version shows it any more: scans that hold it move on to the tables.
    ///
    /// @param flushed held by the caller
    public void flushed(FlushedMemtable flushed) {
        open.forEach(scan -> scan.moveOn(flushed));
        breakOffOldest();
    }

    private void breakOffOldest() {
        if (pinnedBytes(false) <= maxPinnedBytes) {
            return;
        }
        List<ScanCursor> oldestFirst = new ArrayList<>(open);
        oldestFirst.sort(ScanCursor::compareAge);
        for (ScanCursor scan : oldestFirst) {
            if (pinnedBytes(false) <= maxPinnedBytes) {
                return;
            }
            if (!scan.isBrokenOff() && !pinnedBy(List.of(scan)).isEmpty()) {
                scan.breakOff();
                brokenOff.increment();
            }
        }
    }

    /// Memory of the flushed memtables that scans hold, each counted once.
    ///
    /// @param all with what scans hold that are broken off and still take a step
    private long pinnedBytes(boolean all) {
        List<ScanCursor> scans =
                open.stream().filter(scan -> all || !scan.isBrokenOff()).toList();
        return pinnedBy(scans).stream().mapToLong(Memtable::bytes).sum();
    }

    private Set<Memtable> pinnedBy(List<ScanCursor> scans) {
        Set<Memtable> held = Collections.newSetFromMap(new IdentityHashMap<>());
        scans.forEach(scan -> held.addAll(scan.memtables()));
        versions.current().memtables().forEach(held::remove); // last: what a scan got meanwhile is there
        return held;
    }

    public void measure(MetricSink sink) {
        long oldestNanos = 0;
        for (ScanCursor scan : open) {
            oldestNanos = Math.max(oldestNanos, scan.ageNanos());
        }
        sink.gauge("kvant_lsm_snapshots", "Snapshots that scans hold.", count.get());
        sink.counter(
                "kvant_lsm_snapshots_refused_total",
                "Scans that were refused because too many were open.",
                refused.sum());
        sink.gauge(
                "kvant_lsm_snapshot_oldest_seconds",
                "Age of the oldest snapshot that a scan holds.",
                oldestNanos * 1e-9);
        sink.gauge(
                "kvant_lsm_snapshot_pinned_bytes",
                "Memory of flushed memtables that scans still hold.",
                pinnedBytes(true));
        sink.counter(
                "kvant_lsm_snapshots_broken_off_total",
                "Scans that were broken off because they held too much memory.",
                brokenOff.sum());
    }

    SuperVersions versions() {
        return versions;
    }

    Duration maxLife() {
        return maxLife;
    }

    /// Its snapshot is given back, and its place.
    void closed(ScanCursor scan, Version tables) {
        open.remove(scan);
        count.decrementAndGet();
        versions.release(tables);
    }
}
