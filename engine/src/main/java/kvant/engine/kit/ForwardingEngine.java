package kvant.engine.kit;

import java.util.List;
import kvant.engine.ActivitySink;
import kvant.engine.Cursor;
import kvant.engine.Health;
import kvant.engine.LocalEngine;
import kvant.engine.Lookup;
import kvant.engine.Maintenance;
import kvant.engine.MetricSink;
import kvant.engine.Range;
import kvant.engine.RecordSink;
import kvant.engine.Write;
import org.jspecify.annotations.Nullable;

/// An engine that delegates to another one in this process; subclasses override its methods. Closing it closes the
/// other.
///
/// Look-ups with a filter call those without, and exports call ranges, so that a subclass changes both at once.
public abstract class ForwardingEngine implements LocalEngine {

    private final LocalEngine engine;

    protected ForwardingEngine(LocalEngine engine) {
        this.engine = engine;
    }

    @Override
    public Lookup tryGet(byte[] key) {
        return engine.tryGet(key);
    }

    @Override
    public Lookup get(byte[] key) {
        return engine.get(key);
    }

    @Override
    public final void submit(Write write) {
        engine.submit(write);
    }

    @Override
    public final Cursor scan(byte[] from, byte @Nullable [] to) {
        return scan(Range.of(from, to));
    }

    @Override
    public Cursor scan(Range range) {
        return engine.scan(range);
    }

    @Override
    public void read(List<byte[]> keys, RecordSink records) {
        engine.read(keys, records);
    }

    @Override
    public Reach tryScan(Range range, int maxBytes, RecordSink records) {
        return engine.tryScan(range, maxBytes, records);
    }

    @Override
    public final Health health() {
        return engine.health();
    }

    @Override
    public final void measure(MetricSink sink) {
        engine.measure(sink);
    }

    @Override
    public final @Nullable Maintenance maintenance() {
        return engine.maintenance();
    }

    @Override
    public final void observe(ActivitySink sink) {
        engine.observe(sink);
    }

    @Override
    public final void close() {
        engine.close();
    }
}
