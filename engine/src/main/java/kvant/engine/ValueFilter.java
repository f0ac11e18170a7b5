package kvant.engine;

/// Decides whether a value that was found is read: who only asks what is there, or has no memory for the value, leaves
/// it where it is.
///
/// Called by the thread that looks the key up; once more where what it found is moved meanwhile, and then the last
/// answer counts. Throws nothing.
@FunctionalInterface
public interface ValueFilter {

    /// Leaves every value.
    ValueFilter NONE = (_, _) -> false;

    /// @param version of the value
    /// @param length of the value in bytes
    boolean wants(long version, int length);
}
