package kvant.engine.kit;

import kvant.engine.Health;
import kvant.engine.MetricSink;
import kvant.engine.Write;
import org.jspecify.annotations.Nullable;

/// What goes with a store and is told with it, such as its archive. Any thread may call it.
public interface Companion {

    /// For the health of the store.
    Health.Check check();

    void measure(MetricSink sink);

    /// What the store is to take in the place of a write.
    ///
    /// @return null where the companion has settled it, so that it is not applied
    @Nullable
    Write around(Write write);
}
