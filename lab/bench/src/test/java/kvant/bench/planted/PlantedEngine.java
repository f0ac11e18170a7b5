package kvant.bench.planted;

import java.util.concurrent.atomic.AtomicLong;
import kvant.engine.LocalEngine;
import kvant.engine.Lookup;
import kvant.engine.kit.ForwardingEngine;

/// An engine whose look-ups take longer by what was planted. None of them is answered on an event loop:
/// they would hold up each other there, and the difference would be another one than was planted.
final class PlantedEngine extends ForwardingEngine {

    private final Planted planted;
    private final AtomicLong lookups = new AtomicLong();

    private PlantedEngine(LocalEngine engine, Planted planted) {
        super(engine);
        this.planted = planted;
    }

    /// The engine itself where nothing is planted.
    static LocalEngine around(LocalEngine engine, Planted planted) {
        return planted instanceof Planted.Nothing ? engine : new PlantedEngine(engine, planted);
    }

    @Override
    public Lookup tryGet(byte[] key) {
        return Lookup.Miss.WOULD_BLOCK;
    }

    @Override
    public Lookup get(byte[] key) {
        planted.pass(lookups.incrementAndGet());
        return super.get(key);
    }
}
