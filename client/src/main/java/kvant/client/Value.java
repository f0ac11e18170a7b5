package kvant.client;

import static java.nio.charset.StandardCharsets.UTF_8;

/// The value of a key, and the version of the write that put it there.
public final class Value {

    private final byte[] bytes;
    private final Version version;

    Value(byte[] bytes, Version version) {
        this.bytes = bytes;
        this.version = version;
    }

    /// The array itself, and no copy: it may have 64 MiB.
    public byte[] bytes() {
        return bytes;
    }

    /// The bytes as UTF-8.
    public String text() {
        return new String(bytes, UTF_8);
    }

    public Version version() {
        return version;
    }
}
