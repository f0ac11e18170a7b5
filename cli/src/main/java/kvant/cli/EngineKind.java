package kvant.cli;

/// The engines that a node can be started with.
enum EngineKind {
    LSM,
    ROCKSDB,
    CASSANDRA
}
