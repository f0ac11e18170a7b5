package kvant.lsm.read;

import java.time.Duration;

/// Bounds of scans.
///
/// @param maxLife a scan that is older is broken off
/// @param maxPinnedMemtableBytes when flushed memtables that scans hold take more, scans are broken off, the oldest
///     first
/// @param maxOpen so many at a time
public record ScanOptions(Duration maxLife, long maxPinnedMemtableBytes, int maxOpen) {}
