/// Append-only files of checksummed records: the write-ahead log, and the framing that the manifest shares.
@NullMarked
package kvant.lsm.wal;

import org.jspecify.annotations.NullMarked;
