/// The engine port: the interface between the service and a store, and the guarantees of every adapter.
///
/// No third-party type appears here. An adapter (LSM, RocksDB, Cassandra) implements [kvant.engine.Engine] and passes
/// the contract suite `EngineContract`, which this module ships as a test kit.
@NullMarked
package kvant.engine;

import org.jspecify.annotations.NullMarked;
