package kvant.cassandra;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.auth.AuthenticationException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import kvant.engine.EngineException;

/// Opens the driver's session, which has one connection pool for each node of the cluster, and configures its
/// automatic behaviour.
final class Sessions {

    /// The execution profile of gets, the only one with speculative execution.
    static final String GET_PROFILE = "get";

    /// A node that does not respond is marked down within two heartbeats, so that its requests go elsewhere.
    private static final Duration HEARTBEAT = Duration.ofSeconds(1);

    private static final Duration RECONNECT_AT_FIRST = Duration.ofMillis(500);
    private static final Duration RECONNECT_AT_MOST = Duration.ofSeconds(10);
    private static final Duration SCHEMA_TIMEOUT = Duration.ofSeconds(20);
    private static final int SPECULATIVE_EXECUTIONS = 2; // the first one included

    private Sessions() {}

    /// @throws EngineException.CannotOpen when no contact point answers, or none lets the node in
    static CqlSession open(CassandraOptions options) {
        CqlSessionBuilder builder =
                CqlSession.builder().withConfigLoader(configuration(options)).addNodeStateListener(NodeWatch.logging());
        for (String point : options.contactPoints()) {
            int colon = point.lastIndexOf(':');
            builder.addContactPoint(
                    new InetSocketAddress(point.substring(0, colon), Integer.parseInt(point.substring(colon + 1))));
        }
        String datacenter = options.datacenter();
        if (datacenter != null) {
            builder.withLocalDatacenter(datacenter);
        }
        CassandraOptions.Credentials credentials = options.credentials();
        if (credentials != null) {
            builder.withAuthCredentials(credentials.username(), credentials.password());
        }
        try {
            return builder.build();
        } catch (AllNodesFailedException e) {
            throw new EngineException.CannotOpen(reason(options, e), e);
        } catch (DriverException | IllegalArgumentException | IllegalStateException e) {
            throw new EngineException.CannotOpen("cannot open a session with the cluster: " + e.getMessage(), e);
        }
    }

    private static String reason(CassandraOptions options, AllNodesFailedException failed) {
        boolean refused = failed.getAllErrors().values().stream()
                .flatMap(List::stream)
                .anyMatch(AuthenticationException.class::isInstance);
        return refused
                ? "the cluster does not let this node in: check --cassandra.username and --cassandra.password-file"
                : "no contact point answers (" + String.join(", ", options.contactPoints())
                        + "): is the cluster up, and is it CQL that listens there?";
    }

    private static DriverConfigLoader configuration(CassandraOptions options) {
        ProgrammaticDriverConfigLoaderBuilder config = DriverConfigLoader.programmaticBuilder()
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, options.timeout())
                .withDuration(DefaultDriverOption.CONNECTION_CONNECT_TIMEOUT, options.timeout())
                .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, options.timeout())
                .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, options.timeout())
                .withDuration(DefaultDriverOption.METADATA_SCHEMA_REQUEST_TIMEOUT, SCHEMA_TIMEOUT)
                .withDuration(DefaultDriverOption.HEARTBEAT_INTERVAL, HEARTBEAT)
                .withDuration(DefaultDriverOption.HEARTBEAT_TIMEOUT, HEARTBEAT)
                .withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, RECONNECT_AT_FIRST)
                .withDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY, RECONNECT_AT_MOST)
                .withBoolean(DefaultDriverOption.REQUEST_WARN_IF_SET_KEYSPACE, false)
                .withBoolean(DefaultDriverOption.CONNECTION_WARN_INIT_ERROR, false) // NodeWatch says it once
                .withString(DefaultDriverOption.REQUEST_THROTTLER_CLASS, "ConcurrencyLimitingRequestThrottler")
                .withInt(DefaultDriverOption.REQUEST_THROTTLER_MAX_CONCURRENT_REQUESTS, options.maxInFlight())
                .withInt(DefaultDriverOption.REQUEST_THROTTLER_MAX_QUEUE_SIZE, options.maxWaiting())
                .withStringList(DefaultDriverOption.METRICS_NODE_ENABLED, Figures.DRIVER_METRICS);
        if (options.datacenter() == null) {
            config.withString(DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, "DcInferringLoadBalancingPolicy");
        }
        CassandraOptions.Tls tls = options.tls();
        if (tls != null) {
            secure(config, tls);
        }
        config.startProfile(GET_PROFILE)
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, options.timeout()); // an empty one is none
        Duration speculation = options.speculation();
        if (speculation != null) {
            config.withString(
                            DefaultDriverOption.SPECULATIVE_EXECUTION_POLICY_CLASS,
                            "ConstantSpeculativeExecutionPolicy")
                    .withInt(DefaultDriverOption.SPECULATIVE_EXECUTION_MAX, SPECULATIVE_EXECUTIONS)
                    .withDuration(DefaultDriverOption.SPECULATIVE_EXECUTION_DELAY, speculation);
        }
        return config.endProfile().build();
    }

    private static void secure(ProgrammaticDriverConfigLoaderBuilder config, CassandraOptions.Tls tls) {
        config.withString(DefaultDriverOption.SSL_ENGINE_FACTORY_CLASS, "DefaultSslEngineFactory")
                .withBoolean(DefaultDriverOption.SSL_HOSTNAME_VALIDATION, tls.hostnames());
        if (tls.truststore() != null) {
            config.withString(DefaultDriverOption.SSL_TRUSTSTORE_PATH, tls.truststore());
        }
        if (tls.truststorePassword() != null) {
            config.withString(DefaultDriverOption.SSL_TRUSTSTORE_PASSWORD, tls.truststorePassword());
        }
        if (tls.keystore() != null) {
            config.withString(DefaultDriverOption.SSL_KEYSTORE_PATH, tls.keystore());
        }
        if (tls.keystorePassword() != null) {
            config.withString(DefaultDriverOption.SSL_KEYSTORE_PASSWORD, tls.keystorePassword());
        }
    }
}
