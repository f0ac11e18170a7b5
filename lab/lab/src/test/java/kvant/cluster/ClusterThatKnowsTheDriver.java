package kvant.cluster;

import com.datastax.oss.driver.api.core.CqlSession;
import kvant.engine.Engine;

/// Runs into two walls on purpose; see WallsTest and LibrariesTest.
public record ClusterThatKnowsTheDriver(CqlSession knows1, Engine knows2) {}
