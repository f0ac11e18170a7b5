package kvant.lsm.value;

/// The references of one table to one value file.
///
/// @param file number of the value file
/// @param records number of its values
/// @param bytes size of their records in the value file
public record ValueReference(long file, long records, long bytes) {}
