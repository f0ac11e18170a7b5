package kvant.bench.attack.swarm;

/// An action of a hostile connection; the next one follows when it is complete.
public sealed interface SwarmStep {

    /// Sends bytes without reading.
    ///
    /// @param bytesPerSecond 0 for as fast as the node accepts them
    record Send(byte[] bytes, int bytesPerSecond) implements SwarmStep {}

    /// Reads to the end of an answer's head, and counts its status code.
    record Answer() implements SwarmStep {}

    /// Reads and discards data as long as the connection is open.
    ///
    /// @param bytesPerSecond 0 for as fast as the node sends them
    record Read(int bytesPerSecond) implements SwarmStep {}

    /// Sends nothing, and waits until the node closes the connection.
    record Hold() implements SwarmStep {}

    /// Resets the connection.
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
