package kvant.server.http;

/// Figures of the HTTP side at one moment.
///
/// @param acceptFailures connections that could not be accepted for want of a file descriptor
/// @param closedForOthers connections that were closed because others needed their places
/// @param closedForAddress connections that were closed because their address had as many as it may
/// @param failedForMemory connections that were closed for want of direct memory
/// @param failedUnexpectedly connections that were closed because of what nobody expects
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
