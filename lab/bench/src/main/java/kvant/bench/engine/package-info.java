/// Comparison of the LSM engine with RocksDB in alternating slices, and the behaviour of a growing store.
@NullMarked
package kvant.bench.engine;

import org.jspecify.annotations.NullMarked;
