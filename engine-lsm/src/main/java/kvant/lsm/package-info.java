/// Kvant's own storage engine: a log-structured merge tree (O'Neil et al., 1996).
///
///     write -> group commit -> log (synced) -> memtable -> flush -> tables -> compaction
///     read  -> memtables, newest first -> tables, newest first, filter first
///
/// Packages depend downwards only: lsm -> {compaction, flush} -> version -> {wal, memtable, table} ->
/// {record, storage}
/// -> bytes.
@NullMarked
package kvant.lsm;

import org.jspecify.annotations.NullMarked;
