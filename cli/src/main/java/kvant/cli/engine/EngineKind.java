package kvant.cli.engine;

/// The engines that a node can be started with.
public enum EngineKind {
    LSM,
    ROCKSDB,
    CASSANDRA
}
