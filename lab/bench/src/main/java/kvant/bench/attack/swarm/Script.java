package kvant.bench.attack.swarm;

import java.time.Duration;
import java.util.List;

/// The behaviour of each connection of a swarm.
///
/// @param steps at least one
/// @param from index of the step that follows the last one, on the same connection
/// @param pause before a new connection after this one has ended
/// @param receiveBufferBytes of the socket, 0 for the system's default
public record Script(List<SwarmStep> steps, int from, Duration pause, int receiveBufferBytes) {

    private static final Duration PAUSE = Duration.ofMillis(200);

    public Script {
        steps = List.copyOf(steps);
        if (from < 0 || from >= steps.size()) {
            throw new IllegalArgumentException("there is no step " + from + " of " + steps.size());
        }
    }

    /// Repeats these steps.
    public static Script of(SwarmStep... steps) {
        return new Script(List.of(steps), 0, PAUSE, 0);
    }

    /// Continues with this step after the last one.
    public Script goingOnWith(int step) {
        return new Script(steps, step, pause, receiveBufferBytes);
    }

    public Script returningAfter(Duration other) {
        return new Script(steps, from, other, receiveBufferBytes);
    }

    /// A small buffer leaves unread data with the node instead of the client's kernel.
    public Script withReceiveBuffer(int bytes) {
        return new Script(steps, from, pause, bytes);
    }
}
