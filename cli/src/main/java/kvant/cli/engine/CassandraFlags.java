package kvant.cli.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import kvant.cassandra.CassandraOptions;
import kvant.text.command.OptionGroups.Heading;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options of the cassandra engine. The engine's defaults apply to options that are not given.
@Heading("Cassandra engine")
public final class CassandraFlags {

    /// Whether a node may create the store.
    public enum Create {
        MISSING,
        NEVER
    }

    @Option(
            names = "--cassandra.contact-points",
            paramLabel = "H:P",
            split = ",",
            description = "Nodes of the cluster; one that answers is enough (default: 127.0.0.1:9042).")
    private @Nullable List<String> contactPoints;

    @Option(
            names = "--cassandra.datacenter",
            paramLabel = "NAME",
            description = "The local datacenter (default: that of the contact points).")
    private @Nullable String datacenter;

    @Option(
            names = "--cassandra.keyspace",
            paramLabel = "NAME",
            description = "Keyspace of the store (default: kvant).")
    private @Nullable String keyspace;

    @Option(names = "--cassandra.username", paramLabel = "NAME", description = "User name of the node at the cluster.")
    private @Nullable String username;

    @Option(
            names = "--cassandra.password-file",
            paramLabel = "FILE",
            description = "File whose first line is the password.")
    private @Nullable Path passwordFile;

    @Option(names = "--cassandra.tls", description = "Connect with TLS.")
    private boolean tls;

    @Option(
            names = "--cassandra.tls.truststore",
            paramLabel = "FILE",
            description = "Certificates to trust (default: those of the JVM).")
    private @Nullable Path truststore;

    @Option(
            names = "--cassandra.tls.truststore-password-file",
            paramLabel = "FILE",
            description = "File whose first line opens the truststore.")
    private @Nullable Path truststorePasswordFile;

    @Option(names = "--cassandra.tls.keystore", paramLabel = "FILE", description = "The node's own certificate.")
    private @Nullable Path keystore;

    @Option(
            names = "--cassandra.tls.keystore-password-file",
            paramLabel = "FILE",
            description = "File whose first line opens the keystore.")
    private @Nullable Path keystorePasswordFile;

    @Option(names = "--cassandra.tls.any-hostname", description = "Accept certificates of any host name.")
    private boolean anyHostname;

    @Option(
            names = "--cassandra.create",
            paramLabel = "WHEN",
            description = "When to create the store: missing, or never (default: missing).")
    private @Nullable Create create;

    @Option(
            names = "--cassandra.replication",
            paramLabel = "N",
            description = "Replicas of each key in a created store (default: 3).")
    private @Nullable Integer replication;

    @Option(
            names = "--cassandra.buckets",
            paramLabel = "N",
            description = "Partitions of a created store; see docs/cluster.md (default: 64).")
    private @Nullable Integer buckets;

    @Option(names = "--cassandra.local", description = "Use the local datacenter only (LOCAL_ONE, LOCAL_QUORUM).")
    private boolean local;

    @Option(
            names = "--cassandra.timeout",
            paramLabel = "MS",
            description = "Time limit of a request in the cluster (default: 4000).")
    private @Nullable Integer timeoutMillis;

    @Option(
            names = "--cassandra.speculative",
            paramLabel = "MS",
            description = "Delay after which a get asks a second node too (default: never).")
    private @Nullable Integer speculativeMillis;

    @Option(
            names = "--cassandra.in-flight",
            paramLabel = "N",
            description = "Requests in flight in the cluster; more wait (default: 1024).")
    private @Nullable Integer inFlight;

    @Option(
            names = "--cassandra.ranges",
            paramLabel = "N",
            description =
                    "Ranges open at a time, with about 8 MiB each; more get 503 (default: a quarter of the heap).")
    private @Nullable Integer ranges;

    /// @throws IllegalArgumentException when a value is invalid
    public CassandraOptions options() {
        return options(create != Create.NEVER);
    }

    /// Options for an existing store: a typing error in its name must not create a store.
    ///
    /// @throws IllegalArgumentException when a value is invalid
    public CassandraOptions existing() {
        return options(false);
    }

    private CassandraOptions options(boolean creates) {
        CassandraOptions.Draft draft =
                new CassandraOptions.Draft(contactPoints == null ? List.of("127.0.0.1:9042") : contactPoints);
        draft.datacenter = datacenter;
        draft.keyspace = keyspace == null ? draft.keyspace : keyspace;
        draft.credentials = credentials();
        draft.tls = tls();
        draft.creates = creates;
        draft.replication = replication;
        draft.buckets = buckets;
        draft.local = local;
        draft.timeout = timeoutMillis == null ? draft.timeout : Duration.ofMillis(timeoutMillis);
        draft.speculation = speculativeMillis == null ? null : Duration.ofMillis(speculativeMillis);
        draft.maxInFlight = inFlight == null ? draft.maxInFlight : inFlight;
        draft.maxRanges = ranges == null ? draft.maxRanges : ranges;
        return draft.options();
    }

    private CassandraOptions.@Nullable Credentials credentials() {
        if ((username == null) != (passwordFile == null)) {
            throw new IllegalArgumentException("'--cassandra.username' and '--cassandra.password-file' go together");
        }
        String password = secret(passwordFile, "--cassandra.password-file");
        return username == null || password == null ? null : new CassandraOptions.Credentials(username, password);
    }

    private CassandraOptions.@Nullable Tls tls() {
        if (!tls) {
            if (isAnyOfTls()) {
                throw new IllegalArgumentException("the options '--cassandra.tls...' need '--cassandra.tls'");
            }
            return null;
        }
        return new CassandraOptions.Tls(
                truststore == null ? null : truststore.toString(),
                secret(truststorePasswordFile, "--cassandra.tls.truststore-password-file"),
                keystore == null ? null : keystore.toString(),
                secret(keystorePasswordFile, "--cassandra.tls.keystore-password-file"),
                !anyHostname);
    }

    private boolean isAnyOfTls() {
        return truststore != null
                || truststorePasswordFile != null
                || keystore != null
                || keystorePasswordFile != null
                || anyHostname;
    }

    private static @Nullable String secret(@Nullable Path file, String option) {
        if (file == null) {
            return null;
        }
        try {
            return Files.readString(file).lines().findFirst().orElse("");
        } catch (IOException e) {
            throw new IllegalArgumentException("'" + option + "': cannot read " + file + ": " + e.getMessage(), e);
        }
    }
}
