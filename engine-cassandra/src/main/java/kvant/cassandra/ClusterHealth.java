package kvant.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import java.util.List;
import kvant.engine.Health;

/// The health of a node of Kvant, by the driver's state alone: no probe waits for the cluster.
///
/// A node that cannot reach a quorum is not ready. A node that can is ready, although some keys may have lost their
/// quorum: in a large cluster two failed nodes make a few keys unavailable, and the gateway still serves all others.
final class ClusterHealth {

    // Constant.
    private final CqlSession session;
    private final ConsistencyLevels levels;
    private final CassandraOptions options;

    // Written by the driver's thread that receives the answer.
    private volatile boolean schemaAgrees = true;

    ClusterHealth(CqlSession session, ConsistencyLevels levels, CassandraOptions options) {
        this.session = session;
        this.levels = levels;
        this.options = options;
    }

    Health now(boolean closed) {
        int known = session.getMetadata().getNodes().size();
        long up = Figures.nodesUp(session);
        boolean quorum = !closed && up >= Math.min(levels.quorum(), known);
        String nodes =
                closed ? "the engine is closed" : up + " of " + known + " nodes up, a quorum is " + levels.quorum();
        askForSchema();
        return new Health(List.of(
                new Health.Check(Health.READS, quorum, nodes),
                new Health.Check(Health.WRITES, quorum, nodes),
                new Health.Check(
                        "contact-points",
                        !closed && up > 0,
                        String.join(", ", options.contactPoints()) + "; keyspace " + options.keyspace()),
                new Health.Check(
                        "schema-agreement",
                        true, // nodes that are down disagree, and the store's schema does not change
                        schemaAgrees ? "the nodes agree on the schema" : "the nodes do not agree on the schema yet")));
    }

    /// Checks the schema agreement for the next probe.
    private void askForSchema() {
        if (!session.isClosed()) {
            session.checkSchemaAgreementAsync().whenComplete((agrees, _) -> schemaAgrees = agrees != null && agrees);
        }
    }
}
