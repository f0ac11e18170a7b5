package kvant.cassandra;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The settings of a node for its cluster. [Draft] makes one.
///
/// @param contactPoints `HOST:PORT`; one that answers is enough, the others are found through it
/// @param datacenter the local one; null for that of the contact points
/// @param keyspace of the store
/// @param credentials null for a cluster without authentication
/// @param tls null for unencrypted connections
/// @param creates whether the store is made when it is missing
/// @param replication copies of each key when it is made; null for [#DEFAULT_REPLICATION], or as it was made
/// @param buckets partitions of the store when it is made; null for [#DEFAULT_BUCKETS], or as it was made
/// @param local whether only replicas of the local datacenter serve requests
/// @param timeout of a request whose client sets no limit
/// @param speculation delay after which a get asks a second node; null for never
/// @param maxInFlight most requests under way in the cluster; more wait
/// @param maxWaiting most requests that wait for a place among those; more are refused
/// @param maxRanges most ranges that are open at a time, with about 8 MiB of memory each; more are refused
public record CassandraOptions(
        List<String> contactPoints,
        @Nullable String datacenter,
        String keyspace,
        @Nullable Credentials credentials,
        @Nullable Tls tls,
        boolean creates,
        @Nullable Integer replication,
        @Nullable Integer buckets,
        boolean local,
        Duration timeout,
        @Nullable Duration speculation,
        int maxInFlight,
        int maxWaiting,
        int maxRanges) {

    /// The node's credentials for the cluster.
    public record Credentials(String username, String password) {

        @Override
        public String toString() {
            return username; // never the password
        }
    }

    /// @param truststore file with the certificates to trust, or null for those of the JVM
    /// @param truststorePassword of that file, or null
    /// @param keystore file with the node's own certificate, or null for none
    /// @param keystorePassword of that file, or null
    /// @param hostnames whether a certificate must name the host
    public record Tls(
            @Nullable String truststore,
            @Nullable String truststorePassword,
            @Nullable String keystore,
            @Nullable String keystorePassword,
            boolean hostnames) {

        @Override
        public String toString() {
            return "tls";
        }
    }

    public static final String DEFAULT_KEYSPACE = "kvant";
    public static final int DEFAULT_REPLICATION = 3;
    public static final int DEFAULT_BUCKETS = 64;
    public static final int MAX_BUCKETS = 4096;
    /// Less than the 5 s after which many clients give up: an answer with a reason is worth more than none.
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(4);

    public static final int DEFAULT_MAX_IN_FLIGHT = 1024;
    public static final int DEFAULT_MAX_WAITING = 32_768;

    private static final int MAX_REPLICATION = 100;
    private static final int LEAST_RANGES = 16;
    private static final int MOST_RANGES = 1024;
    private static final int HEAP_OF_RANGES = 4; // divisor
    private static final Pattern KEYSPACE = Pattern.compile("[a-z][a-z0-9_]{0,47}");
    private static final Pattern CONTACT_POINT = Pattern.compile("\\S+:\\d{1,5}");

    public CassandraOptions {
        contactPoints = List.copyOf(contactPoints);
        if (contactPoints.isEmpty()) {
            throw new IllegalArgumentException("a cluster needs a contact point");
        }
        for (String point : contactPoints) {
            if (!CONTACT_POINT.matcher(point).matches()) {
                throw new IllegalArgumentException("a contact point is HOST:PORT, not '" + point + "'");
            }
        }
        if (!KEYSPACE.matcher(keyspace).matches()) {
            throw new IllegalArgumentException("a keyspace is a lower case letter and up to 47 lower case letters,"
                    + " digits and underscores, not '" + keyspace + "'");
        }
        within(1, MAX_REPLICATION, replication, "the replication");
        within(1, MAX_BUCKETS, buckets, "the number of buckets");
        within(1, Integer.MAX_VALUE, maxInFlight, "the number of requests in flight");
        within(0, Integer.MAX_VALUE, maxWaiting, "the number of requests that wait");
        within(1, Integer.MAX_VALUE, maxRanges, "the number of open ranges");
        if (timeout.isNegative() || timeout.isZero() || speculation != null && speculation.isNegative()) {
            throw new IllegalArgumentException("a time is more than 0");
        }
    }

    /// The defaults, for these contact points.
    public static CassandraOptions at(List<String> contactPoints) {
        return new Draft(contactPoints).options();
    }

    /// As many ranges as fit into a quarter of the heap.
    private static int usualRanges() {
        long bytes = Runtime.getRuntime().maxMemory() / HEAP_OF_RANGES;
        return Math.clamp(bytes / PageRows.SCAN_BYTES, LEAST_RANGES, MOST_RANGES);
    }

    private static void within(int least, int most, @Nullable Integer value, String what) {
        if (value != null && (value < least || value > most)) {
            throw new IllegalArgumentException(what + " is " + least + " to " + most + ", not " + value);
        }
    }

    /// A mutable copy of the options.
    public static final class Draft {
        public List<String> contactPoints;
        public @Nullable String datacenter;
        public String keyspace = DEFAULT_KEYSPACE;
        public @Nullable Credentials credentials;
        public @Nullable Tls tls;
        public boolean creates = true;
        public @Nullable Integer replication;
        public @Nullable Integer buckets;
        public boolean local;
        public Duration timeout = DEFAULT_TIMEOUT;
        public @Nullable Duration speculation;
        public int maxInFlight = DEFAULT_MAX_IN_FLIGHT;
        public int maxWaiting = DEFAULT_MAX_WAITING;
        public int maxRanges = usualRanges();

        public Draft(List<String> contactPoints) {
            this.contactPoints = contactPoints;
        }

        /// @throws IllegalArgumentException with the fault in one line
        public CassandraOptions options() {
            return new CassandraOptions(
                    contactPoints,
                    datacenter,
                    keyspace,
                    credentials,
                    tls,
                    creates,
                    replication,
                    buckets,
                    local,
                    timeout,
                    speculation,
                    maxInFlight,
                    maxWaiting,
                    maxRanges);
        }
    }
}
