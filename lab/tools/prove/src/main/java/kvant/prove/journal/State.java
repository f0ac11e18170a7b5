package kvant.prove.journal;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import kvant.client.Key;
import kvant.client.KvantClient;
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
    boolean matches(Observed read) {
        if (isAbsent() || read.isAbsent()) {
            return read.isAbsent() && (isAbsent() || read.end() >= expiresFrom);
        }
        return read.begin() <= expiresTo
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
    /// @param begin the moment before the read, in milliseconds
    /// @param end the moment after it
    record Observed(byte[] bytes, long version, long begin, long end) {

        static Observed read(KvantClient client, Key key) {
            long begin = System.currentTimeMillis();
            Optional<Value> read = client.get(key);
            byte[] bytes = read.map(Value::bytes).orElse(new byte[0]);
            String version = read.map(value -> value.version().digits()).orElse("0");
            return new Observed(bytes, Long.parseLong(version), begin, System.currentTimeMillis());
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
