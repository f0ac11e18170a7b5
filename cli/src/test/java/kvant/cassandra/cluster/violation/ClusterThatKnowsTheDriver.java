package kvant.cassandra.cluster.violation;

/// Runs into two walls on purpose.
public final class ClusterThatKnowsTheDriver {
    com.datastax.oss.driver.api.core.CqlSession session;
    kvant.engine.Engine engine;
}
