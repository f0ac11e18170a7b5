package kvant.load.record;

/// The cause of a sent request without an answer.
public enum Failure {
    /// The server closed the connection.
    CLOSED,
    /// The connection was reset or failed otherwise.
    RESET,
    /// The answer exceeded the timeout; the connection was closed.
    TIMEOUT,
    /// The bytes received were no valid answer; the connection was closed.
    GARBAGE,
    /// The run ended first.
    UNANSWERED;

    /// Number of values.
    public static final int COUNT = values().length;
}
