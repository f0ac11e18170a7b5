/// The engine over RocksDB: the port's promises, kept by a store that its field trusts.
///
/// Reads go straight to the native library, guarded against a concurrent close; writes pass through the
/// port's group commit into one native batch per group. The only package that imports `org.rocksdb`.
@NullMarked
package kvant.rocksdb;

import org.jspecify.annotations.NullMarked;
