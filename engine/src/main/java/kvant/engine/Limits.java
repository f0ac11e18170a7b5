package kvant.engine;

/// The bounds of keys and values, the same for every engine.
///
/// @param maxKeyBytes longest key
/// @param maxValueBytes longest value
public record Limits(int maxKeyBytes, int maxValueBytes) {

    public static final Limits DEFAULT = new Limits(64 << 10, 64 << 20);

    /// Checks the bounds that a caller should have checked before: an engine never stores data that it could not read
    /// back.
    ///
    /// @throws IllegalArgumentException naming the bound
    public void check(WriteBatch batch) {
        for (int i = 0; i < batch.mutations().size(); i++) {
            Mutation mutation = batch.mutations().get(i);
            checkKey(mutation.key());
            if (mutation instanceof Mutation.Put put && put.value().length > maxValueBytes) {
                throw new IllegalArgumentException(
                        "value of " + put.value().length + " bytes; the limit is " + maxValueBytes);
            }
        }
    }

    /// @throws IllegalArgumentException naming the bound
    public void checkKey(byte[] key) {
        if (key.length == 0 || key.length > maxKeyBytes) {
            throw new IllegalArgumentException("key of " + key.length + " bytes; 1 to " + maxKeyBytes + " are allowed");
        }
    }
}
