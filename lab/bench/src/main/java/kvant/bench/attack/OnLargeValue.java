package kvant.bench.attack;

import java.io.IOException;
import java.util.function.Function;
import kvant.bench.attack.swarm.Script;
import org.jspecify.annotations.Nullable;

/// Requests the largest value that the node accepts.
final class OnLargeValue implements Assault {

    private final int connections;
    private final Function<String, Script> script;
    private @Nullable String version;

    /// @param script created from the version of the value
    OnLargeValue(int connections, Function<String, Script> script) {
        this.connections = connections;
        this.script = script;
    }

    @Override
    public void prepare(Scene scene) throws IOException {
        version = scene.put("large", new byte[Attack.LARGEST_VALUE]);
    }

    @Override
    public void begin(Scene scene) throws IOException {
        scene.swarm(connections, script.apply(String.valueOf(version)));
    }
}
