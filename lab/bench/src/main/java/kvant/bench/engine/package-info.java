/// The LSM engine beside RocksDB, each slice of work in turn, and how a store behaves when it grows.
@NullMarked
package kvant.bench.engine;

import org.jspecify.annotations.NullMarked;
