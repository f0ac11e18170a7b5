package kvant.client;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.time.Duration;

/// Puts and deletes that are applied together, or not at all. Where two of them name one key, the later wins.
///
///     client.write(new Batch().put(a, one).put(b, two).delete(c));
///
/// Belongs to one thread. It is written in the format of `docs/formats/batch.md`.
public final class Batch {

    public static final int MAX_OPERATIONS = 10_000;
    public static final int MAX_BYTES = 64 << 20;

    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private int operations;

    /// An empty batch, which a node would refuse.
    public Batch() {}

    /// @param value is copied
    public Batch put(Key key, byte[] value) {
        return put(key, value, "");
    }

    /// @param timeToLive after which the key reads as absent: whole seconds, 1 or more
    public Batch put(Key key, byte[] value, Duration timeToLive) {
        return put(key, value, " " + PutOptions.seconds(timeToLive));
    }

    public Batch delete(Key key) {
        add("delete " + key.shared().length + "\n", key.shared(), new byte[0]);
        return this;
    }

    private Batch put(Key key, byte[] value, String timeToLive) {
        add("put " + key.shared().length + " " + value.length + timeToLive + "\n", key.shared(), value);
        return this;
    }

    private void add(String line, byte[] key, byte[] value) {
        long length = (long) body.size() + line.length() + key.length + value.length + 1;
        if (operations == MAX_OPERATIONS || length > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "a batch has at most " + MAX_OPERATIONS + " operations and " + MAX_BYTES + " bytes");
        }
        operations++;
        body.writeBytes(line.getBytes(US_ASCII));
        body.writeBytes(key);
        body.writeBytes(value);
        body.write('\n');
    }

    public int operations() {
        return operations;
    }

    byte[] body() {
        if (operations == 0) {
            throw new IllegalArgumentException("a batch has at least one operation");
        }
        return body.toByteArray();
    }
}
