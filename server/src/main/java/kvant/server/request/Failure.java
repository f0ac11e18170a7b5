package kvant.server.request;

/// The reasons why a request was not carried out, as far as a client can act on them.
public enum Failure {
    /// No room in the executor. Try again a little later; nothing has been executed.
    OVERLOADED,
    /// Its time was over before it was begun; nothing has been executed.
    DEADLINE_PASSED,
    /// The body is not a batch.
    MALFORMED_BATCH,
    /// The engine has as many writes as it may hold. Try again a little later; nothing has been written.
    ENGINE_BUSY,
    /// The engine is being closed.
    ENGINE_CLOSED,
    /// The log cannot be trusted any more: reads continue, writes need a restart.
    WRITES_STOPPED,
    /// The node is read-only by order of its operator; nothing has been written.
    READ_ONLY,
    /// No room on the disk: reads continue, writes resume by themselves.
    STORAGE_FULL,
    /// Too few replicas live; nothing has been written.
    REPLICAS_UNAVAILABLE,
    /// Replicas did not acknowledge a write in time; it may have happened.
    OUTCOME_UNKNOWN,
    /// Replicas did not answer a read in time.
    READ_TIMED_OUT,
    /// The engine cannot do this at all; nothing has been written.
    UNSUPPORTED,
    /// The requested version is no longer held, or never was.
    GONE,
    /// Stored bytes failed their checksum.
    CORRUPTION,
    /// The disk failed in another way.
    IO,
    /// A fault of ours.
    INTERNAL
}
