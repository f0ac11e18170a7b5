package kvant.engine;

/// A receiver of the records of a range, in order. Its arrays are shared, never to be changed.
@FunctionalInterface
public interface RecordSink {

    /// @param version as [Cursor#version]
    /// @param expiresAtMillis as [Cursor#expiresAtMillis]
    void take(byte[] key, byte[] value, long version, long expiresAtMillis);
}
