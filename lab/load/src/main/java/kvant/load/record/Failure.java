package kvant.load.record;

/// Why a request that was sent got no answer.
public enum Failure {
    /// The server closed the connection.
    CLOSED,
    /// The connection was reset or broke otherwise.
    RESET,
    /// The answer took longer than the limit; the connection was given up.
    TIMEOUT,
    /// What came was no HTTP answer; the connection was given up.
    GARBAGE,
    /// The run ended first.
    UNANSWERED;

    /// How many there are.
    public static final int COUNT = values().length;
}
