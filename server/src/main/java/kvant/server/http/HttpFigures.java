package kvant.server.http;

/// A snapshot of the figures of the HTTP side.
///
/// @param acceptFailures connections that could not be accepted for lack of a file descriptor
/// @param closedForOthers connections closed to free their places for new ones
/// @param closedForAddress connections closed because their address had reached its bound
/// @param failedForMemory connections closed for lack of direct memory
/// @param failedUnexpectedly connections closed because of an unexpected failure
/// @param directBytes direct memory that buffers of connections take
/// @param maxDirectBytes direct memory that they may take
public record HttpFigures(
        long acceptFailures,
        long closedForOthers,
        long closedForAddress,
        long failedForMemory,
        long failedUnexpectedly,
        long directBytes,
        long maxDirectBytes) {}
