package kvant.cassandra;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import kvant.cluster.Cluster;
import kvant.cluster.ClusterException;
import kvant.cluster.NodeState;
import kvant.cluster.ServerJava;
import kvant.text.tool.Tool;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Three real nodes for all tests of the module: started by the first class that needs them, ended after the last one.
/// Where they cannot be had, the tests say "not run" and why.
final class TestCluster implements BeforeAllCallback {

    static final int BUCKETS = 8;

    private static final int NODES = 3;

    private static final Duration START_LIMIT = Duration.ofMinutes(4);
    private static final Path DIRECTORY = Path.of("target", "cluster");
    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(TestCluster.class);

    /// Ended by JUnit with the run.
    private static final class Running implements AutoCloseable {

        /// A node that has died is noticed after eleven missed heartbeats, not eighteen.
        final Cluster cluster = new Cluster(DIRECTORY, QuickServers.at(1, "phi_convict_threshold: 5\n"));

        @Nullable
        String obstacle;

        @Nullable
        CqlSession session;

        Running() {
            if (Files.exists(DIRECTORY)) {
                cluster.down(true); // what an interrupted run has left
            }
            obstacle = obstacle();
            if (obstacle != null) {
                System.out.println("the tests against a real cluster are not run: " + obstacle);
                return;
            }
            boolean started = false;
            try {
                cluster.up(NODES, root(), START_LIMIT, _ -> {});
                session = Sessions.open(options("kvant"));
                // On two busy cores the first tables may take minutes: a store of no test, before all tests.
                Layout _ = new Schema(session, options("first"), START_LIMIT).open();
                started = true;
            } finally {
                if (!started) {
                    cluster.down(true);
                }
            }
        }

        @Override
        public void close() {
            if (session != null) {
                session.close();
            }
            if (obstacle == null) {
                cluster.down(true);
            }
        }
    }

    /// The reason why the cluster cannot run on this machine, or null.
    private static @Nullable String obstacle() {
        try {
            ServerJava.find(System.getenv());
        } catch (ClusterException e) {
            return e.getMessage();
        }
        for (int i = 1; i <= NODES; i++) {
            String address = "127.0.0." + i;
            try (ServerSocket probe = new ServerSocket()) {
                probe.setReuseAddress(true);
                probe.bind(new InetSocketAddress(address, 9042));
            } catch (IOException e) {
                return address + ":9042 is in use, or no address of this machine (" + e.getMessage() + ")";
            }
        }
        return null;
    }

    private static @Nullable Running running;

    @Override
    public void beforeAll(ExtensionContext context) {
        running = context.getRoot().getStore(NAMESPACE).computeIfAbsent("running", _ -> new Running(), Running.class);
        String obstacle = running.obstacle;
        if (obstacle != null) {
            Tool.leaveOut(obstacle, "openjdk-17-jre-headless, and addresses of the loopback");
        }
    }

    static Cluster cluster() {
        return running().cluster;
    }

    /// A session that all tests share, because each takes a second to open.
    static CqlSession session() {
        CqlSession session = running().session;
        if (session == null) {
            throw new IllegalStateException("no cluster");
        }
        return session;
    }

    static CassandraOptions options(String keyspace) {
        CassandraOptions.Draft draft =
                new CassandraOptions.Draft(List.of("127.0.0.1:9042", "127.0.0.2:9042", "127.0.0.3:9042"));
        draft.keyspace = keyspace;
        draft.buckets = BUCKETS;
        draft.timeout = Duration.ofSeconds(10); // tests share their machine
        return draft.options();
    }

    /// Makes a store empty, by one tombstone for each partition.
    static void empty(String keyspace) {
        ConsistencyLevel all = DefaultConsistencyLevel.ALL;
        int[] buckets = new int[BUCKETS];
        Arrays.setAll(buckets, i -> i);
        for (int bucket : buckets) {
            session()
                    .execute(
                            SimpleStatement.newInstance("DELETE FROM " + keyspace + ".records WHERE bucket = " + bucket)
                                    .setConsistencyLevel(all));
        }
    }

    static void awaitAllUp() {
        cluster().up(null, root(), START_LIMIT, _ -> {});
        if (!cluster().status().stream().allMatch(node -> node.state() == NodeState.UP)) {
            throw new AssertionError("not all nodes are up: " + cluster().status());
        }
    }

    static void killWhereAlive(int number) {
        if (cluster().status().get(number - 1).state() != NodeState.DOWN) {
            cluster().kill(number);
        }
    }

    private static Running running() {
        Running found = running;
        if (found == null) {
            throw new IllegalStateException("not registered as an extension");
        }
        return found;
    }

    static @Nullable Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.exists(folder.resolve("mvnw"))) {
            folder = folder.getParent();
        }
        return folder;
    }
}
