package kvant.engine.kit;

import kvant.engine.Health;
import kvant.engine.MetricSink;
import kvant.engine.Write;
import org.jspecify.annotations.Nullable;

/// A component attached to a store, such as its archive, with its own health check and metrics. Any thread may call
/// it.
public interface Companion {

    /// The companion's entry in the health of the store.
    Health.Check check();

    void measure(MetricSink sink);

    /// Wraps a write on its way to the store.
    ///
    /// @return the write for the store, or null when the companion has settled the write and it must not be applied
    @Nullable
    Write around(Write write);
}
