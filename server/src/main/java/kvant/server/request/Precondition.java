package kvant.server.request;

/// A precondition of a request: the conditional headers of RFC 9110, section 13, independent of their spelling.
public sealed interface Precondition {

    /// Preconditions without versions.
    enum Plain implements Precondition {
        /// Always holds.
        NONE,
        /// The key has no value (`If-None-Match: *`).
        ABSENT,
        /// The key has some value (`If-Match: *`).
        PRESENT
    }

    /// The key has one of these versions (`If-Match`). An empty list never holds: the client named only
    /// tags that this node never gave. A write takes at most one version.
    record VersionIn(long[] versions) implements Precondition {}

    /// The key has none of these versions (`If-None-Match`). For reads only.
    record VersionNotIn(long[] versions) implements Precondition {}

    /// Whether it holds for a key that has a value of this version.
    default boolean holdsFor(long version) {
        return switch (this) {
            case Plain.NONE, Plain.PRESENT -> true;
            case Plain.ABSENT -> false;
            case VersionIn(long[] versions) -> contains(versions, version);
            case VersionNotIn(long[] versions) -> !contains(versions, version);
        };
    }

    private static boolean contains(long[] versions, long version) {
        for (long each : versions) {
            if (each == version) {
                return true;
            }
        }
        return false;
    }
}
