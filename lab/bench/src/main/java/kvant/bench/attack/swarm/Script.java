package kvant.bench.attack.swarm;

import java.time.Duration;
import java.util.List;

/// What each connection of a swarm does.
///
/// @param steps at least one
/// @param from with which step it goes on, on the same connection, after the last one
/// @param pause after which it opens another connection when this one has ended
/// @param receiveBufferBytes of the socket, 0 for what the system gives
public record Script(List<SwarmStep> steps, int from, Duration pause, int receiveBufferBytes) {

    private static final Duration PAUSE = Duration.ofMillis(200);

    public Script {
        steps = List.copyOf(steps);
        if (from < 0 || from >= steps.size()) {
            throw new IllegalArgumentException("there is no step " + from + " of " + steps.size());
        }
    }

    /// These steps again and again.
    public static Script of(SwarmStep... steps) {
        return new Script(List.of(steps), 0, PAUSE, 0);
    }

    /// After the last step, this one.
    public Script goingOnWith(int step) {
        return new Script(steps, step, pause, receiveBufferBytes);
    }

    public Script returningAfter(Duration other) {
        return new Script(steps, from, other, receiveBufferBytes);
    }

    /// So that what is not read stays with the node and not in the kernel of the client.
    public Script withReceiveBuffer(int bytes) {
        return new Script(steps, from, pause, bytes);
    }
}
