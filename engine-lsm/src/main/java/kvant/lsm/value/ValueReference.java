package kvant.lsm.value;

/// What one table refers to of one value file.
///
/// @param file number of the value file
/// @param records how many of its values
/// @param bytes size of their records in the value file
public record ValueReference(long file, long records, long bytes) {}
