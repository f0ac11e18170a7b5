package kvant.lsm.read;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import kvant.engine.Cursor;
import kvant.engine.EngineException;
import kvant.engine.MetricSink;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.version.Version;
import org.jspecify.annotations.Nullable;

/// The open scans, with bounds on their number and on pinned data: memory of flushed memtables, and files that are no
/// longer part of the store. Any thread may open, look and bound; the flush thread reports flushes.
public final class Scans {

    private static final String HELD_MEMORY = "held memory that new writes need";
    private static final String HELD_FILES = "kept files from being deleted whose room on the disk is needed";

    // Constant.
    private final SuperVersions versions;
    private final Duration maxLife;
    private final long maxPinnedMemtableBytes;
    private final int maxOpen;

    // Concurrent.
    private final Set<ScanCursor> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger count = new AtomicInteger();
    private final LongAdder refused = new LongAdder();
    private final LongAdder brokenOff = new LongAdder();

    /// @param maxLife an older scan is aborted
    /// @param maxPinnedMemtableBytes when flushed memtables held by scans take more, scans are aborted, the oldest
    ///     first
    /// @param maxOpen most scans at a time
    public Scans(SuperVersions versions, Duration maxLife, long maxPinnedMemtableBytes, int maxOpen) {
        this.versions = versions;
        this.maxLife = maxLife;
        this.maxPinnedMemtableBytes = maxPinnedMemtableBytes;
        this.maxOpen = maxOpen;
    }

    /// Opens a scan of the present snapshot; see [kvant.engine.Engine#scan].
    ///
    /// @throws EngineException.Busy when the bound on open scans is reached
    public Cursor open(byte[] from, byte @Nullable [] to) {
        if (count.incrementAndGet() > maxOpen) {
            count.decrementAndGet();
            refused.increment();
            throw new EngineException.Busy(
                    maxOpen + " ranges are open, and no more may be: try again when some of them have ended");
        }
        ScanCursor scan = known(from, to);
        scan.begin();
        return scan;
    }

    /// Creates a registered scan, which is notified of flushes. From here on the scan owns its place among the open
    /// ones: its close releases it, and so does a failed begin.
    private ScanCursor known(byte[] from, byte @Nullable [] to) {
        ScanCursor scan = null;
        try {
            while (scan == null) {
                scan = attempt(from, to);
            }
            return scan;
        } finally {
            if (scan == null) { // an error, of memory
                count.decrementAndGet();
            }
        }
    }

    /// @return null when a memtable was flushed before the scan was registered, since the scan was not notified
    private @Nullable ScanCursor attempt(byte[] from, byte @Nullable [] to) {
        SuperVersion view = versions.acquire(); // first: its records have at most the sequence number read next
        ScanCursor scan = null;
        boolean isTold = false;
        try {
            scan = new ScanCursor(this, view, versions.visibleSequence(), from, to);
            open.add(scan);
            isTold = versions.current().memtables().containsAll(view.memtables());
        } finally {
            if (scan == null) {
                versions.release(view);
            } else if (!isTold) {
                open.remove(scan); // first: the place is not its own
                scan.close();
            }
        }
        return isTold ? scan : null;
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
        breakOff(maxPinnedMemtableBytes, this::flushedMemtables, HELD_MEMORY);
    }

    /// Bytes of files that are no longer part of the store and that scans keep, each counted once.
    public long pinnedFileBytes() {
        Set<Version> held = Collections.newSetFromMap(new IdentityHashMap<>());
        open.forEach(scan -> held.addAll(scan.held()));
        Map<Long, Long> files = new HashMap<>();
        held.forEach(version -> files.putAll(version.retiredFiles()));
        return bytesOf(files);
    }

    /// Aborts scans, the oldest first, until the remaining ones keep no more of such files than this.
    ///
    /// @return whether any was aborted
    public boolean boundFiles(long maxBytes) {
        return breakOff(maxBytes, retiredFiles(), HELD_FILES);
    }

    /// Lets the newest scans keep their pinned data, as many as fit, and aborts the others, except for those that pin
    /// nothing else.
    ///
    /// @param pinned by a scan, with the bytes of each
    private boolean breakOff(long maxBytes, Function<ScanCursor, Map<?, Long>> pinned, String why) {
        boolean any = false;
        long leftBytes = maxBytes;
        Map<Object, Long> kept = new HashMap<>();
        for (ScanCursor scan : newestFirst()) {
            Map<Object, Long> more = new HashMap<>(pinned.apply(scan));
            more.keySet().removeAll(kept.keySet());
            if (bytesOf(more) <= leftBytes) {
                leftBytes -= bytesOf(more);
                kept.putAll(more);
            } else {
                leftBytes = 0; // older ones do not stay in its place
                if (scan.breakOff(why)) {
                    brokenOff.increment();
                    any = true;
                }
            }
        }
        return any;
    }

    private List<ScanCursor> newestFirst() {
        List<ScanCursor> scans = new ArrayList<>(open);
        scans.removeIf(ScanCursor::isBrokenOff);
        scans.sort((one, other) -> other.compareAge(one));
        return scans;
    }

    /// Of all scans, including aborted ones that are still taking a step.
    private long pinnedMemtableBytes() {
        Map<Object, Long> all = new HashMap<>();
        open.forEach(scan -> all.putAll(flushedMemtables(scan)));
        return bytesOf(all);
    }

    private Map<Memtable, Long> flushedMemtables(ScanCursor scan) {
        Map<Memtable, Long> held = new HashMap<>();
        scan.memtables().forEach(memtable -> held.put(memtable, memtable.bytes()));
        versions.current().memtables().forEach(held::remove); // last: the scan may have got one meanwhile
        return held;
    }

    /// Reads each version once, regardless of the number of scans that hold it.
    private static Function<ScanCursor, Map<?, Long>> retiredFiles() {
        Map<Version, Map<Long, Long>> seen = new HashMap<>();
        return scan -> {
            Map<Long, Long> files = new HashMap<>();
            scan.held().forEach(version -> files.putAll(seen.computeIfAbsent(version, Version::retiredFiles)));
            return files;
        };
    }

    private static long bytesOf(Map<?, Long> pinned) {
        return pinned.values().stream().mapToLong(Long::longValue).sum();
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
                pinnedMemtableBytes());
        sink.gauge(
                "kvant_lsm_snapshot_pinned_file_bytes",
                "Bytes of files that are no longer part of the store and that scans keep on the disk.",
                pinnedFileBytes());
        sink.counter(
                "kvant_lsm_snapshots_broken_off_total",
                "Scans that were broken off because they held too much memory, or files whose room was needed.",
                brokenOff.sum());
    }

    SuperVersions versions() {
        return versions;
    }

    Duration maxLife() {
        return maxLife;
    }

    /// Gives its place back.
    void closed(ScanCursor scan) {
        if (open.remove(scan)) {
            count.decrementAndGet();
        }
    }
}
