package kvant.cassandra;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import kvant.engine.EngineException;
import org.jspecify.annotations.Nullable;

/// Finds a store in the cluster, or makes it, and checks that it is one that this code understands.
///
/// Blocks; runs once, before the node serves.
final class Schema {

    private static final Logger LOGGER = System.getLogger(Schema.class.getName());

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /// The longest time for retries while the cluster does not answer or is not ready. Every step may be repeated.
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final String CLASS = "class";

    // Constant.
    private final CqlSession session;
    private final CassandraOptions options;
    private final Duration patience;
    private final String keyspace;

    Schema(CqlSession session, CassandraOptions options) {
        this(session, options, PATIENCE);
    }

    Schema(CqlSession session, CassandraOptions options, Duration patience) {
        this.session = session;
        this.options = options;
        this.patience = patience;
        this.keyspace = options.keyspace();
    }

    /// @throws EngineException.CannotOpen when there is no store and none may be made, it is not as asked for, or the
    ///     cluster does not answer for too long
    Layout open() {
        long beganNanos = System.nanoTime();
        for (boolean first = true; ; first = false) {
            try {
                return findOrMake();
            } catch (DriverException e) {
                if (isFinal(e) || System.nanoTime() - beganNanos > patience.toNanos()) {
                    throw cannotOpen(e);
                }
                if (first) {
                    LOGGER.log(
                            Level.INFO,
                            "the cluster has not found or made the store yet ({0}): asking again for {1} s",
                            DriverErrors.text(e),
                            patience.toSeconds());
                }
                pause();
            }
        }
    }

    /// A forbidden or invalid statement fails again on the next attempt. The exception is a server that does not yet
    /// know a keyspace just created through another server: it calls a statement about it invalid.
    private static boolean isFinal(DriverException e) {
        return e instanceof QueryValidationException && !(e instanceof InvalidQueryException);
    }

    private Layout findOrMake() {
        if (!isThere(session.getMetadata()) && !isThere(session.refreshSchema())) {
            if (!options.creates()) {
                throw new EngineException.CannotOpen("there is no store in keyspace " + keyspace
                        + ", and --cassandra.create=never forbids to make it");
            }
            create();
        }
        return check();
    }

    private EngineException.CannotOpen cannotOpen(DriverException reason) {
        return new EngineException.CannotOpen(
                "cannot find or make the store in keyspace " + keyspace + ": " + DriverErrors.text(reason), reason);
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EngineException.CannotOpen("interrupted while the store was made", e);
        }
    }

    private boolean isThere(Metadata metadata) {
        return metadata.getKeyspace(CqlIdentifier.fromInternal(keyspace))
                .filter(found -> found.getTable("records").isPresent()
                        && found.getTable("layout").isPresent())
                .isPresent();
    }

    private void create() {
        int replication = options.replication() == null ? CassandraOptions.DEFAULT_REPLICATION : options.replication();
        int buckets = options.buckets() == null ? CassandraOptions.DEFAULT_BUCKETS : options.buckets();
        run("CREATE KEYSPACE IF NOT EXISTS " + quoted(keyspace)
                + " WITH replication = {'class': 'NetworkTopologyStrategy', '" + datacenter() + "': " + replication
                + "}");
        run("CREATE TABLE IF NOT EXISTS " + quoted(keyspace) + ".layout (id int PRIMARY KEY, version int, buckets int,"
                + " hash text)");
        run("CREATE TABLE IF NOT EXISTS " + quoted(keyspace)
                + ".records (bucket int, key blob, value blob, version bigint,"
                + " expires bigint, PRIMARY KEY (bucket, key))");
        // A condition, so that of two nodes that start at once one decides.
        run("INSERT INTO " + quoted(keyspace) + ".layout (id, version, buckets, hash) VALUES (0, " + Layout.VERSION
                + ", " + buckets + ", '" + Layout.HASH + "') IF NOT EXISTS");
    }

    private Layout check() {
        Row row = session.execute(SimpleStatement.newInstance(
                                "SELECT version, buckets, hash FROM " + quoted(keyspace) + ".layout WHERE id = 0")
                        .setConsistencyLevel(serial())
                        .setTimeout(TIMEOUT))
                .one();
        if (row == null) {
            throw new EngineException.CannotOpen("keyspace " + keyspace
                    + " has the tables of a store but not its layout: drop the keyspace, or restore its table layout");
        }
        int version = row.getInt("version");
        String hash = row.getString("hash");
        if (version != Layout.VERSION || !Layout.HASH.equals(hash)) {
            throw new EngineException.CannotOpen("the store in keyspace " + keyspace + " has layout " + version + " ("
                    + hash + "), and this version of Kvant knows layout " + Layout.VERSION + " (" + Layout.HASH
                    + "): use the version that wrote it");
        }
        Layout layout = new Layout(row.getInt("buckets"), replicas());
        compare("--cassandra.buckets", options.buckets(), layout.buckets());
        compare("--cassandra.replication", options.replication(), layout.replicas());
        return layout;
    }

    private void compare(String option, @Nullable Integer wanted, int found) {
        if (wanted != null && wanted != found) {
            throw new EngineException.CannotOpen("the store in keyspace " + keyspace + " has " + found + ", and "
                    + option + "=" + wanted + " asks for another: leave the option out");
        }
    }

    /// Copies of each key, in the local datacenter where only that one counts.
    private int replicas() {
        Map<String, String> replication = session.getMetadata()
                .getKeyspace(CqlIdentifier.fromInternal(keyspace))
                .orElseThrow(() -> new EngineException.CannotOpen("keyspace " + keyspace + " has gone"))
                .getReplication();
        String local = datacenter();
        return replication.entrySet().stream()
                .filter(entry -> !entry.getKey().equals(CLASS))
                .filter(entry -> !options.local()
                        || entry.getKey().equals(local)
                        || entry.getKey().equals("replication_factor"))
                .mapToInt(entry -> Integer.parseInt(entry.getValue().split("/")[0]))
                .sum();
    }

    private String datacenter() {
        String given = options.datacenter();
        return given != null
                ? given
                : session.getMetadata().getNodes().values().stream()
                        .sorted(Comparator.comparing(Node::getState))
                        .map(Node::getDatacenter)
                        .filter(name -> name != null)
                        .findFirst()
                        .orElse("datacenter1");
    }

    private ConsistencyLevel serial() {
        return options.local() ? DefaultConsistencyLevel.LOCAL_SERIAL : DefaultConsistencyLevel.SERIAL;
    }

    /// The keyspace as quoted in a statement, because some names are reserved words.
    static String quoted(String keyspace) {
        return '"' + keyspace + '"';
    }

    private void run(String statement) {
        session.execute(SimpleStatement.newInstance(statement)
                .setConsistencyLevel(DefaultConsistencyLevel.QUORUM)
                .setSerialConsistencyLevel(serial())
                .setTimeout(TIMEOUT));
    }
}
