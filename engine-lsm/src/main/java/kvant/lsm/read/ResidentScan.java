package kvant.lsm.read;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import kvant.engine.LocalEngine.Reach;
import kvant.engine.Lookup;
import kvant.engine.Range;
import kvant.engine.RecordSink;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.record.MergingCursor;
import kvant.lsm.record.RecordCursor;
import kvant.lsm.record.Retired;
import kvant.lsm.record.WouldBlock;
import kvant.lsm.version.Run;

/// Reads a short range in one step, from memory alone: on an event loop, which may neither wait for a disk nor be
/// kept long. Pinned data is released within the call, so that it needs no place among the open scans and no
/// notification of flushes. Belongs to the thread that calls it.
final class ResidentScan implements Lookup.Filter {

    /// Most records and versions read, shown or not: some 20 us.
    private static final int MAX_STEPS = 256;

    private final SuperVersions versions;
    private final Range range;
    private final RecordSink sink;
    private long leftBytes;
    private boolean tooLong;

    ResidentScan(SuperVersions versions, Range range, int maxBytes, RecordSink sink) {
        this.versions = versions;
        this.range = range;
        this.sink = sink;
        this.leftBytes = maxBytes;
    }

    Reach read() {
        SuperVersion view = versions.acquire(); // first: its records have at most the sequence number read next
        try {
            return read(
                    view, new VisibleRecords(versions.visibleSequence(), range.to(), versions.residentValues(this)));
        } catch (WouldBlock _) {
            return tooLong ? Reach.TOO_LONG : Reach.WOULD_BLOCK;
        } catch (Retired | InternalError e) {
            throw versions.broken(e);
        } finally {
            versions.release(view);
        }
    }

    private Reach read(SuperVersion view, VisibleRecords visible) {
        MergingCursor records = new MergingCursor(sources(view, Run::residentCursor));
        long left = range.limit();
        boolean onRecord = left > 0 && records.seek(range.from());
        for (int steps = 0; onRecord && visible.isInRange(records); steps++) {
            long bytes = (long) records.keyLength() + records.valueLength();
            if (steps == MAX_STEPS || bytes > leftBytes) {
                return Reach.TOO_LONG;
            }
            if (visible.show(records)) {
                byte[] value = visible.value().value();
                leftBytes -= (long) visible.key().length + value.length;
                sink.take(visible.key(), value, visible.value().version(), visible.expiresAtMillis());
                if (--left == 0) {
                    return Reach.WHOLE; // and not on to the next record, which may not be in memory
                }
            }
            onRecord = records.next();
        }
        return Reach.WHOLE;
    }

    static List<RecordCursor> sources(SuperVersion view, Function<Run, RecordCursor> tables) {
        List<RecordCursor> sources = new ArrayList<>();
        sources.add(view.active().cursor());
        for (Memtable memtable : view.sealed()) {
            sources.add(memtable.cursor());
        }
        for (Run run : view.version().runs()) {
            sources.add(tables.apply(run));
        }
        return sources;
    }

    /// Decides whether a value in a value file is read, which may be large.
    @Override
    public boolean wants(long version, int length) {
        tooLong = length > leftBytes;
        return !tooLong;
    }
}
