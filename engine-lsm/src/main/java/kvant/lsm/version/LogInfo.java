package kvant.lsm.version;

/// What the manifest knows of a log.
///
/// @param number of the file
/// @param id from its header: another file under the same name has another one
public record LogInfo(long number, long id) {}
