package kvant.prove.journal;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import kvant.client.Value;

/// What a key has: nothing, or the value of one operation, whose number makes its bytes, so that no two writes of a
/// journal look alike.
///
/// @param operation 0 for nothing
/// @param version 0 where it is unknown: the answers to deletes and batches have none
/// @param expiresFrom the first moment at which a time to live may have passed, by the clock in milliseconds
/// @param expiresTo the last moment at which the value may still be there
record State(long operation, int length, long version, long expiresFrom, long expiresTo) {

    static final int SHORTEST = Long.BYTES;

    static final State ABSENT = new State(0, 0, 0, Long.MAX_VALUE, Long.MAX_VALUE);

    static State of(long operation, int length) {
        return new State(operation, length, 0, Long.MAX_VALUE, Long.MAX_VALUE);
    }

    State withVersion(long given) {
        return new State(operation, length, given, expiresFrom, expiresTo);
    }

    State expiring(long from, long to) {
        return new State(operation, length, version, from, to);
    }

    boolean isAbsent() {
        return operation == 0;
    }

    boolean expires() {
        return expiresFrom != Long.MAX_VALUE;
    }

    byte[] bytes() {
        byte[] bytes = new byte[length];
        new SplittableRandom(operation).nextBytes(bytes);
        ByteBuffer.wrap(bytes).putLong(operation);
        return bytes;
    }

    /// Whether this is what was read.
    ///
    /// @param begin the moment before the read
    /// @param end the moment after it
    boolean matches(Observed read, long begin, long end) {
        if (isAbsent() || read.isAbsent()) {
            return read.isAbsent() && (isAbsent() || end >= expiresFrom);
        }
        return begin <= expiresTo
                && (version == 0 || version == read.version())
                && Arrays.equals(bytes(), read.bytes());
    }

    @Override
    public String toString() {
        return isAbsent() ? "nothing" : "operation " + operation + (version == 0 ? "" : " of version " + version);
    }

    /// What a node says that a key has.
    ///
    /// @param version 0 where the key has nothing
    record Observed(byte[] bytes, long version) {

        static final Observed NOTHING = new Observed(new byte[0], 0);

        static Observed of(Optional<Value> read) {
            return read.map(value -> new Observed(
                            value.bytes(), Long.parseLong(value.version().digits())))
                    .orElse(NOTHING);
        }

        boolean isAbsent() {
            return version == 0;
        }

        @Override
        public String toString() {
            if (isAbsent()) {
                return "nothing";
            }
            String operation = bytes.length < SHORTEST
                    ? "?"
                    : Long.toString(ByteBuffer.wrap(bytes).getLong());
            return bytes.length + " bytes that begin as operation " + operation + ", of version " + version;
        }
    }
}
