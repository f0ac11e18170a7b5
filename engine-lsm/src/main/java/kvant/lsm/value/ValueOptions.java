package kvant.lsm.value;

/// The settings for values kept out of tables, and for the space of their files.
///
/// @param separateBytes values of at least this many bytes go into value files; [#NEVER] for none
/// @param fileBytes a value file is finished at this size
/// @param maxSpace largest size of all value files together, as a multiple of the bytes that tables refer to. Beyond
///     it, merges move live values out of the files with the most garbage
public record ValueOptions(long separateBytes, long fileBytes, double maxSpace) {

    public static final long NEVER = Long.MAX_VALUE;

    /// Below this, a record of its own costs more than rewriting the value with the table; see
    /// docs/dev/decisions/0022-value-files.md.
    public static final ValueOptions DEFAULT = new ValueOptions(4 << 10, 64 << 20, 1.4);

    public ValueOptions {
        if (separateBytes < 1 || fileBytes < 1) {
            throw new IllegalArgumentException("sizes of separated values and value files are at least 1");
        }
        if (!(maxSpace > 1)) {
            throw new IllegalArgumentException("value files take more space than what is live in them");
        }
    }

    /// These with another size from which on values are separated.
    public ValueOptions from(long bytes) {
        return new ValueOptions(bytes, fileBytes, maxSpace);
    }

    public boolean separates(int valueLength) {
        return valueLength >= separateBytes;
    }
}
