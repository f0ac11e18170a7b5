package kvant.archive;

/// What is to be restored.
public sealed interface RestorePoint {

    /// The newest state.
    record Latest() implements RestorePoint {}

    /// The state with all changes up to a version, and none behind it.
    record Version(long version) implements RestorePoint {}

    /// The state at a time: up to the last version whose time is at most this one, whatever the clock did meanwhile.
    record Time(long millis) implements RestorePoint {}
}
