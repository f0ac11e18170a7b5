/// Kvant's own storage engine: a log-structured merge tree (O'Neil et al., 1996).
///
///     write -> group commit -> log (synced) -> memtable -> flush -> tables -> compaction
///                                                                -> value files, for large values
///     read  -> memtables, newest first -> tables, newest first, filter first
///
/// Packages depend downwards only:
///
///     lsm -> {commit, background, recover, operate} -> store -> {read, compaction}
///         -> version -> {wal, memtable, table} -> value -> {storage, record} -> bytes
///
/// This package is the public one, with the records that [LsmOptions] names, `recover.RecoveryReport`, and for closed
/// stores `operate.StoreCheck` and `operate.StoreInspection`. All else is internal, although Java has it public.
@NullMarked
package kvant.lsm;

import org.jspecify.annotations.NullMarked;
