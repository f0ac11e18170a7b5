package kvant.lsm.read;

import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;
import kvant.engine.EngineException;
import kvant.engine.LocalEngine;
import kvant.engine.Lookup;
import kvant.engine.Range;
import kvant.engine.RecordSink;
import kvant.engine.kit.ExpiryClock;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.record.MergingCursor;
import kvant.lsm.record.Reading;
import kvant.lsm.record.Retired;
import kvant.lsm.record.Tag;
import kvant.lsm.value.ValueFiles;
import kvant.lsm.version.Run;
import kvant.lsm.version.Version;

/// The current super version, for readers: they load it once and take no lock. Any thread may call it.
///
/// Only the store changes it.
public final class SuperVersions {

    // Constant.
    private final Reading everyValue;
    private final Reading residentValues;
    private final ValueFiles values;
    private final String place;
    private final Runnable released;

    // Written by the store, read by anyone.
    private volatile SuperVersion current;
    private volatile long visibleSequence;
    private volatile boolean closed;

    /// @param first memtable that is active
    /// @param lastSequence that it holds
    /// @param clock for expiry
    /// @param values the open value files
    /// @param place of the store, for messages
    /// @param released called when a reader has released a version; must not wait
    public SuperVersions(
            SuperVersion first,
            long lastSequence,
            ExpiryClock clock,
            ValueFiles values,
            String place,
            Runnable released) {
        first.version().acquire();
        this.current = first;
        this.visibleSequence = lastSequence;
        this.everyValue = new Reading(clock, null, values.waiting());
        this.residentValues = new Reading(clock, null, values.resident());
        this.values = values;
        this.place = place;
        this.released = released;
    }

    public SuperVersion current() {
        return current;
    }

    /// The sequence number up to which every write has been applied.
    public long visibleSequence() {
        return visibleSequence;
    }

    /// Looks a key up in the current and visible data. It sees nothing of a group that is being applied, so that of
    /// two look-ups the second never finds a partly applied batch, or less of it than the first.
    ///
    /// @param mayBlock false to get [Lookup.Miss#WOULD_BLOCK] instead of waiting for a disk
    public Lookup find(byte[] key, boolean mayBlock) {
        return find(key, mayBlock ? everyValue : residentValues, mayBlock);
    }

    /// The same, but leaves values that are not wanted.
    public Lookup find(byte[] key, Lookup.Filter filter, boolean mayBlock) {
        return find(key, new Reading(clock(), filter, mayBlock ? values.waiting() : values.resident()), mayBlock);
    }

    private Lookup find(byte[] key, Reading reading, boolean mayBlock) {
        while (true) {
            refuseClosed();
            SuperVersion view = current;
            long newestTag = Tag.upTo(visibleSequence); // after the view, whose tables hold nothing newer
            try {
                return view.find(key, newestTag, reading, mayBlock);
            } catch (Retired _) {
                refuseCurrent(view); // flushed or merged just now: the newer super version has its data
            } catch (InternalError e) {
                throw broken(e);
            }
        }
    }

    /// The current super version with references to its version and its memtables, which the caller gives back by
    /// [#release], or one by one.
    public SuperVersion acquire() {
        while (true) {
            SuperVersion view = current;
            if (view.version().acquire()) {
                if (view.acquireMemtables()) {
                    return view;
                }
                release(view.version());
                refuseCurrent(view);
            }
        }
    }

    /// The current version with a reference, which the caller gives back by [#release(Version)].
    public Version acquireVersion() {
        while (true) {
            Version version = current.version();
            if (version.acquire()) {
                return version;
            }
        }
    }

    /// Never waits; files that become obsolete by it are deleted soon.
    public void release(SuperVersion view) {
        view.releaseMemtables();
        release(view.version());
    }

    /// Releases the version of a super version. The current one keeps its files: the thread that replaces it looks
    /// for obsolete ones.
    public void release(Version version) {
        version.release();
        if (version != current.version()) {
            released.run();
        }
    }

    /// The error for a read that lacks a part of the version in use, which only the end of the engine closes, or that
    /// met an [InternalError]: the JVM may throw it some instructions late, where no table is known.
    EngineException broken(Throwable cause) {
        VarHandle.acquireFence(); // as in #refuseCurrent
        if (cause instanceof InternalError) {
            String what = "a file in it cannot be read: it has been shortened while it was open, or the disk fails";
            return new EngineException.Corruption(place, 0, what);
        }
        return closed
                ? new EngineException.Closed()
                : new EngineException.Corruption(place, 0, "a record refers to a value file that is not there");
    }

    /// Reads a short range from memory; see [kvant.engine.LocalEngine#tryScan].
    public LocalEngine.Reach tryScan(Range range, int maxBytes, RecordSink sink) {
        return new ResidentScan(this, range, maxBytes, sink).read();
    }

    /// Gives the records of keys from one snapshot; see [kvant.engine.LocalEngine#read]. As for a short range, pinned
    /// data is released within the call.
    public void read(List<byte[]> keys, RecordSink sink) {
        refuseClosed();
        SuperVersion view = acquire(); // first: its records have at most the sequence number read next
        try {
            long sequence = visibleSequence;
            MergingCursor records = new MergingCursor(ResidentScan.sources(view, Run::cursor));
            for (byte[] key : keys) {
                read(key, records, new VisibleRecords(sequence, Arrays.copyOf(key, key.length + 1), everyValue), sink);
            }
        } catch (Retired | InternalError e) {
            throw broken(e);
        } finally {
            release(view);
        }
    }

    private static void read(byte[] key, MergingCursor records, VisibleRecords visible, RecordSink sink) {
        boolean onRecord = records.seek(key);
        while (onRecord && visible.isInRange(records)) {
            if (visible.show(records)) {
                sink.take(key, visible.value().value(), visible.value().version(), visible.expiresAtMillis());
                return;
            }
            onRecord = records.next();
        }
    }

    /// Reads values that are in memory, if the filter wants them.
    Reading residentValues(Lookup.Filter filter) {
        return new Reading(clock(), filter, values.resident());
    }

    /// The parameters to read every value, as a look-up does.
    Reading everyValue() {
        return everyValue;
    }

    private ExpiryClock clock() {
        return everyValue.clock();
    }

    /// Refuses an endless loop: tables are closed, and memtables released, only after a newer super version is current.
    private void refuseCurrent(SuperVersion view) {
        VarHandle.acquireFence(); // a table's end is a plain load, and must be seen before what follows it here
        if (view == current) {
            throw broken(Retired.INSTANCE);
        }
    }

    private void refuseClosed() {
        if (closed) {
            throw new EngineException.Closed();
        }
    }

    // For the store alone, one at a time.

    /// Makes a super version current, which takes a reference to its version; the one before it gives its own back.
    ///
    /// @param sealed newest first
    public void install(Memtable active, List<Memtable> sealed, Version version) {
        SuperVersion previous = current;
        version.acquire();
        current = new SuperVersion(active, sealed, version);
        previous.version().release();
    }

    /// Makes records just added to the active memtable part of new snapshots.
    public void publish(long sequence) {
        visibleSequence = sequence;
    }

    /// Refuses look-ups from now on.
    public void close() {
        closed = true;
    }
}
