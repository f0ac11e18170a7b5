package kvant.lsm.table;

/// The location of a block in a table.
///
/// @param offset of its content in the file
/// @param length of its content, without the trailer
record BlockHandle(long offset, int length) {}
