package kvant.server.request;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The outcome of a request, independent of the protocol.
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

    /// The entries of several keys.
    ///
    /// @param all in the order of the keys, null for absent ones
    record Entries(List<@Nullable Entry> all) implements Outcome {}

    /// The approximate number of records in the store.
    record Count(long records) implements Outcome {}

    /// The key has a value, of which the client wants these bytes.
    ///
    /// @param value all of it, shared with the engine, never to be changed
    /// @param to the byte behind the last one
    record Part(byte[] value, int from, int to, long version) implements Outcome {}

    /// The key has a value without any of the requested bytes.
    record Unsatisfiable(int valueBytes) implements Outcome {}

    /// The key has a value, of which the client wants only a description.
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

    /// Whether the engine can serve, with the single checks.
    record Readiness(boolean ready, List<Check> checks) implements Outcome {

        /// A single check.
        public record Check(String name, boolean ok, String detail) {}
    }

    /// A page about the node.
    ///
    /// @param policy Content Security Policy for browsers, or empty
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
