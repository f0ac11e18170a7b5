package kvant.move.mirror;

import java.util.List;
import java.util.function.Supplier;
import kvant.engine.EngineException;
import kvant.engine.LocalEngine;
import kvant.engine.Lookup;
import kvant.engine.Range;
import kvant.engine.RecordSink;
import kvant.engine.Terms;
import kvant.engine.Write;

/// A mirror between two local engines. The active engine answers reads immediately.
public final class LocalMirror extends MirrorEngine<LocalEngine> implements LocalEngine {

    private LocalMirror(
            LocalEngine source, Supplier<? extends LocalEngine> opener, MirrorMarks marks, MirrorOptions options) {
        super(source, opener, marks, options);
    }

    /// Starts to mirror.
    ///
    /// @param opener opens the target; called on a thread of the mirror, repeatedly until it succeeds
    public static LocalMirror over(
            LocalEngine source, Supplier<? extends LocalEngine> opener, MirrorMarks marks, MirrorOptions options) {
        LocalMirror mirror = new LocalMirror(source, opener, marks, options);
        mirror.start();
        return mirror;
    }

    @Override
    public Lookup tryGet(byte[] key) {
        return active().tryGet(key);
    }

    @Override
    public Lookup get(byte[] key) {
        return active().get(key);
    }

    @Override
    public Lookup tryGet(byte[] key, Lookup.Filter filter) {
        return active().tryGet(key, filter);
    }

    @Override
    public Lookup get(byte[] key, Lookup.Filter filter) {
        return active().get(key, filter);
    }

    @Override
    public void read(List<byte[]> keys, RecordSink records) {
        active().read(keys, records);
    }

    @Override
    public Reach tryScan(Range range, int maxBytes, RecordSink records) {
        return active().tryScan(range, maxBytes, records);
    }

    @Override
    public void submit(Write write) {
        accept(write, Terms.USUAL);
    }

    @Override
    void send(LocalEngine to, Write write, Terms terms) {
        to.submit(write);
    }

    /// A local engine either applies a write or does not.
    @Override
    boolean mayApply(EngineException.Busy failure) {
        return false;
    }
}
