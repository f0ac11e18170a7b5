package kvant.server.request;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import kvant.engine.Limits;
import kvant.engine.Mutation;
import kvant.engine.WriteBatch;

/// A strict parser of a batch's body into mutations: any deviation from the format refuses the whole batch.
///
/// Format document: docs/formats/batch.md
public final class BatchFormat {

    public static final int MAX_OPERATIONS = 10_000;

    private static final byte[] PUT = "put ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] DELETE = "delete ".getBytes(StandardCharsets.US_ASCII);
    private static final int MAX_DIGITS = 18;
    private static final int DECIMAL = 10;

    /// The body is not a batch.
    public static final class MalformedException extends Exception {
        private static final long serialVersionUID = 1L;

        MalformedException(int offset, String expected) {
            super("at offset " + offset + " of the batch: " + expected, null, false, false);
        }
    }

    /// Computes the expiry time of a value with a time to live.
    public interface Expiry {

        /// @return milliseconds since the epoch
        long after(long ttlSeconds);
    }

    // Constant.
    private final byte[] body;
    private final Expiry expiry;

    // Position of the parser.
    private int at;

    private BatchFormat(byte[] body, Expiry expiry) {
        this.body = body;
        this.expiry = expiry;
    }

    public static WriteBatch read(byte[] body, Expiry expiry) throws MalformedException {
        BatchFormat reader = new BatchFormat(body, expiry);
        List<Mutation> mutations = new ArrayList<>();
        while (reader.at < body.length) {
            if (mutations.size() == MAX_OPERATIONS) {
                throw new MalformedException(reader.at, "no more than " + MAX_OPERATIONS + " operations");
            }
            mutations.add(reader.operation());
        }
        if (mutations.isEmpty()) {
            throw new MalformedException(0, "at least one operation");
        }
        return WriteBatch.of(mutations);
    }

    private Mutation operation() throws MalformedException {
        if (skip(PUT)) {
            return put();
        }
        if (skip(DELETE)) {
            int keyBytes = keyBytes();
            require('\n', "a line feed");
            byte[] key = bytes(keyBytes, "a key");
            require('\n', "a line feed");
            return new Mutation.Delete(key);
        }
        throw new MalformedException(at, "'put ' or 'delete '");
    }

    private Mutation put() throws MalformedException {
        int keyBytes = keyBytes();
        require(' ', "a space");
        int lengthAt = at;
        long valueBytes = decimal();
        if (valueBytes > Limits.DEFAULT.maxValueBytes()) {
            throw new MalformedException(lengthAt, "a value of 0 to " + Limits.DEFAULT.maxValueBytes() + " bytes");
        }
        long expiresAtMillis = Mutation.Put.NEVER;
        if (at < body.length && body[at] == ' ') {
            at++;
            int ttlAt = at;
            long ttlSeconds = decimal();
            if (ttlSeconds == 0 || ttlSeconds > Mutation.Put.MAX_LIFE_SECONDS) {
                throw new MalformedException(ttlAt, "a life time of 1 to " + Mutation.Put.MAX_LIFE_SECONDS + " s");
            }
            expiresAtMillis = expiry.after(ttlSeconds);
        }
        require('\n', "a line feed");
        byte[] key = bytes(keyBytes, "a key");
        byte[] value = bytes((int) valueBytes, "a value");
        require('\n', "a line feed");
        return new Mutation.Put(key, value, expiresAtMillis);
    }

    private int keyBytes() throws MalformedException {
        int lengthAt = at;
        long length = decimal();
        if (length < 1 || length > Limits.DEFAULT.maxKeyBytes()) {
            throw new MalformedException(lengthAt, "a key of 1 to " + Limits.DEFAULT.maxKeyBytes() + " bytes");
        }
        return (int) length;
    }

    private long decimal() throws MalformedException {
        int from = at;
        long number = 0;
        while (at < body.length && body[at] >= '0' && body[at] <= '9' && at - from < MAX_DIGITS) {
            number = number * DECIMAL + body[at++] - '0';
        }
        if (at == from || body[from] == '0' && at > from + 1) {
            throw new MalformedException(from, "a decimal number without leading zeros");
        }
        return number;
    }

    private byte[] bytes(int length, String what) throws MalformedException {
        if (length > body.length - at) {
            throw new MalformedException(at, what + " of " + length + " bytes");
        }
        at += length;
        return Arrays.copyOfRange(body, at - length, at);
    }

    private void require(char expected, String name) throws MalformedException {
        if (at >= body.length || body[at] != expected) {
            throw new MalformedException(at, name);
        }
        at++;
    }

    private boolean skip(byte[] word) {
        int end = at + word.length;
        if (end > body.length || !Arrays.equals(body, at, end, word, 0, word.length)) {
            return false;
        }
        at = end;
        return true;
    }
}
