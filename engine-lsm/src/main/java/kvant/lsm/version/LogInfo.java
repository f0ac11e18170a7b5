package kvant.lsm.version;

/// The manifest's entry of a log.
///
/// @param number of the file
/// @param id from its header: another file under the same name has another one
public record LogInfo(long number, long id) {}
