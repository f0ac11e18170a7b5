package kvant.bench.attack.swarm;

/// One thing that a hostile connection does; the next one follows when it is done.
public sealed interface Step {

    /// Sends bytes. Nothing is read meanwhile.
    ///
    /// @param bytesPerSecond 0 for as fast as the node takes them
    record Send(byte[] bytes, int bytesPerSecond) implements Step {}

    /// Reads up to the end of the head of an answer, and counts its status.
    record Answer() implements Step {}

    /// Reads on and throws it away, for as long as the connection stands.
    ///
    /// @param bytesPerSecond 0 for as fast as the node sends them
    record Read(int bytesPerSecond) implements Step {}

    /// Sends nothing, and waits for the node to end the connection.
    record Hold() implements Step {}

    /// Ends the connection with a reset.
    record Reset() implements Step {}

    static Step send(byte[] bytes) {
        return new Send(bytes, 0);
    }

    static Step sendSlowly(byte[] bytes, int bytesPerSecond) {
        return new Send(bytes, bytesPerSecond);
    }

    static Step answer() {
        return new Answer();
    }

    static Step readSlowly(int bytesPerSecond) {
        return new Read(bytesPerSecond);
    }

    static Step hold() {
        return new Hold();
    }

    static Step reset() {
        return new Reset();
    }
}
