package kvant.engine;

/// Takes the records of a range, in order. What it takes is shared, never to be changed.
@FunctionalInterface
public interface RecordSink {

    /// @param version as [Cursor#version]
    /// @param expiresAtMillis as [Cursor#expiresAtMillis]
    void take(byte[] key, byte[] value, long version, long expiresAtMillis);
}
