package kvant.bench.planted;

import java.util.concurrent.atomic.AtomicLong;
import kvant.engine.ActivitySink;
import kvant.engine.Cursor;
import kvant.engine.Health;
import kvant.engine.LocalEngine;
import kvant.engine.Lookup;
import kvant.engine.Maintenance;
import kvant.engine.MetricSink;
import kvant.engine.Range;
import kvant.engine.Write;
import org.jspecify.annotations.Nullable;

/// An engine whose look-ups take longer by what was planted. None of them is answered on an event loop:
/// they would hold up each other there, and the difference would be another one than was planted.
public final class PlantedEngine implements LocalEngine {

    private final LocalEngine engine;
    private final Planted planted;
    private final AtomicLong lookups = new AtomicLong();

    private PlantedEngine(LocalEngine engine, Planted planted) {
        this.engine = engine;
        this.planted = planted;
    }

    /// The engine itself where nothing is planted.
    public static LocalEngine around(LocalEngine engine, Planted planted) {
        return planted instanceof Planted.Nothing ? engine : new PlantedEngine(engine, planted);
    }

    @Override
    public Lookup tryGet(byte[] key) {
        return Lookup.Miss.WOULD_BLOCK;
    }

    @Override
    public Lookup get(byte[] key) {
        planted.pass(lookups.incrementAndGet());
        return engine.get(key);
    }

    @Override
    public void submit(Write write) {
        engine.submit(write);
    }

    @Override
    public Cursor scan(byte[] from, byte @Nullable [] to) {
        return engine.scan(from, to);
    }

    @Override
    public Cursor scan(Range range) {
        return engine.scan(range);
    }

    @Override
    public Cursor export(Range range) {
        return engine.export(range);
    }

    @Override
    public Health health() {
        return engine.health();
    }

    @Override
    public void measure(MetricSink sink) {
        engine.measure(sink);
    }

    @Override
    public @Nullable Maintenance maintenance() {
        return engine.maintenance();
    }

    @Override
    public void observe(ActivitySink sink) {
        engine.observe(sink);
    }

    @Override
    public void close() {
        engine.close();
    }
}
