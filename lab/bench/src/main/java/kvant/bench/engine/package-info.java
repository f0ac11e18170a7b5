/// Kvant's LSM engine beside RocksDB, called directly in one process, and parts of it beside each other.
@NullMarked
package kvant.bench.engine;

import org.jspecify.annotations.NullMarked;
