package kvant.server.request;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What became of a request, free of how it is told.
public sealed interface Outcome {

    /// The key has this value.
    ///
    /// @param value shared with the engine, never to be changed
    record Found(byte[] value, long version) implements Outcome {}

    /// The key has this value, which expires.
    ///
    /// @param value shared with the engine, never to be changed
    /// @param expiresAtMillis wall-clock time in milliseconds since the epoch, or 0 for a value that stays
    record Entry(byte[] value, long version, long expiresAtMillis) implements Outcome {}

    /// What several keys have.
    ///
    /// @param all in the order of the keys, null for those that have no value
    record Entries(List<@Nullable Entry> all) implements Outcome {}

    /// About how many records the store holds.
    record Count(long records) implements Outcome {}

    /// The key has a value, and the client wants these bytes of it.
    ///
    /// @param value all of it, shared with the engine, never to be changed
    /// @param to the byte behind the last one
    record Part(byte[] value, int from, int to, long version) implements Outcome {}

    /// The key has a value, which has none of the bytes that the client wants.
    record Unsatisfiable(int valueBytes) implements Outcome {}

    /// The key has a value, and the client does not want it.
    record Described(long version, int valueBytes) implements Outcome {}

    /// The key has a value, and the client has it already.
    record NotModified(long version, int valueBytes) implements Outcome {}

    /// Written.
    record Stored(long version) implements Outcome {}

    /// Outcomes that carry nothing.
    enum Plain implements Outcome {
        DELETED,
        ABSENT,
        PRECONDITION_FAILED,
        ALIVE,
        /// A page of another origin may ask.
        PREFLIGHT,
        /// The live page is elsewhere.
        LIVE_PAGE
    }

    /// Whether the engine can serve, and what was looked at.
    record Readiness(boolean ready, List<Check> checks) implements Outcome {

        /// One thing that was looked at.
        public record Check(String name, boolean ok, String detail) {}
    }

    /// A page about the node.
    ///
    /// @param policy what a browser may do with it (Content Security Policy), or empty
    record Page(String contentType, String policy, byte[] body) implements Outcome {

        public Page(String contentType, byte[] body) {
            this(contentType, "", body);
        }
    }

    /// Some records of a scan; more rounds may follow. The batch belongs to the receiver until it resumes
    /// or abandons the call.
    record Records(RecordBatch batch) implements Outcome {}

    /// Not carried out.
    ///
    /// @param detail for a person, in one line
    record Failed(Failure kind, String detail) implements Outcome {}
}
