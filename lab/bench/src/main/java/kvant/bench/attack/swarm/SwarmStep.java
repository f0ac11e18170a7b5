package kvant.bench.attack.swarm;

/// One thing that a hostile connection does; the next one follows when it is done.
public sealed interface SwarmStep {

    /// Sends bytes. Nothing is read meanwhile.
    ///
    /// @param bytesPerSecond 0 for as fast as the node takes them
    record Send(byte[] bytes, int bytesPerSecond) implements SwarmStep {}

    /// Reads up to the end of the head of an answer, and counts its status.
    record Answer() implements SwarmStep {}

    /// Reads on and throws it away, for as long as the connection stands.
    ///
    /// @param bytesPerSecond 0 for as fast as the node sends them
    record Read(int bytesPerSecond) implements SwarmStep {}

    /// Sends nothing, and waits for the node to end the connection.
    record Hold() implements SwarmStep {}

    /// Ends the connection with a reset.
    record Reset() implements SwarmStep {}

    static SwarmStep send(byte[] bytes) {
        return new Send(bytes, 0);
    }

    static SwarmStep sendSlowly(byte[] bytes, int bytesPerSecond) {
        return new Send(bytes, bytesPerSecond);
    }

    static SwarmStep answer() {
        return new Answer();
    }

    static SwarmStep readSlowly(int bytesPerSecond) {
        return new Read(bytesPerSecond);
    }

    static SwarmStep hold() {
        return new Hold();
    }

    static SwarmStep reset() {
        return new Reset();
    }
}
