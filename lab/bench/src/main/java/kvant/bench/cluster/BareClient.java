package kvant.bench.cluster;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;

/// Gets and puts as the engine sends them: the same statements, the same bytes, a quorum. Nothing around them.
///
/// Any thread may call.
final class BareClient {

    static final int KEY_BYTES = 12;

    /// Made by a node of Kvant.
    private static final String KEYSPACE = "kvant";

    private static final int NO_TTL = 0;

    /// Settings of the driver that the engine has too; everything else is as the driver comes.
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    // Constant.
    private final CqlSession session;
    private final PreparedStatement get;
    private final PreparedStatement put;
    private final int buckets;
    private final long keys;
    private final int valueBytes;

    // Atomic.
    private final AtomicLong newKeys;

    /// @param keys that exist, numbered from 0
    /// @param keyStart number of the first new key
    BareClient(CqlSession session, long keys, long keyStart, int valueBytes) {
        this.session = session;
        this.keys = keys;
        this.valueBytes = valueBytes;
        this.newKeys = new AtomicLong(keyStart);
        this.get = session.prepare(
                "SELECT value, version, expires FROM " + KEYSPACE + ".records WHERE bucket = ? AND key = ?");
        this.put = session.prepare("UPDATE " + KEYSPACE + ".records USING TIMESTAMP ? AND TTL ? SET value = ?,"
                + " version = ?, expires = ? WHERE bucket = ? AND key = ?");
        Row layout = session.execute("SELECT buckets FROM " + KEYSPACE + ".layout WHERE id = 0")
                .one();
        if (layout == null) {
            throw new IllegalStateException("no store in keyspace " + KEYSPACE);
        }
        this.buckets = layout.getInt(0);
    }

    /// @param contactPoints HOST:PORT,... of the cluster
    static CqlSession connect(String contactPoints) {
        CqlSessionBuilder builder = CqlSession.builder()
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, TIMEOUT)
                        .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, TIMEOUT)
                        .withString(DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, "DcInferringLoadBalancingPolicy")
                        .build());
        for (String point : contactPoints.split(",")) {
            int colon = point.lastIndexOf(':');
            builder.addContactPoint(
                    new InetSocketAddress(point.substring(0, colon), Integer.parseInt(point.substring(colon + 1))));
        }
        return builder.build();
    }

    /// Any of the keys that exist.
    ///
    /// @return whether it was there
    CompletionStage<Boolean> get() {
        byte[] key = key(ThreadLocalRandom.current().nextLong(keys));
        return send(get.bind(bucketOf(key), ByteBuffer.wrap(key))).thenApply(BareClient::read);
    }

    /// A new key.
    CompletionStage<Boolean> put() {
        byte[] key = key(newKeys.getAndIncrement());
        long micros = System.currentTimeMillis() * 1000;
        byte[] value = new byte[valueBytes];
        ThreadLocalRandom.current().nextBytes(value); // alike ones would compress on disk
        return send(put.bind(
                        micros,
                        NO_TTL,
                        ByteBuffer.wrap(value),
                        micros,
                        Long.MAX_VALUE,
                        bucketOf(key),
                        ByteBuffer.wrap(key)))
                .thenApply(_ -> true);
    }

    private CompletionStage<AsyncResultSet> send(BoundStatement statement) {
        return session.executeAsync(
                statement.setConsistencyLevel(DefaultConsistencyLevel.QUORUM).setIdempotent(true));
    }

    private static boolean read(AsyncResultSet answer) {
        Row row = answer.one();
        if (row == null || row.getLong(2) <= System.currentTimeMillis()) {
            return false;
        }
        ByteBuffer value = row.getByteBuffer(0);
        if (value == null) {
            return false;
        }
        byte[] bytes = new byte[value.remaining()];
        value.get(bytes);
        return row.getLong(1) != 0;
    }

    /// As `kvant load` names them.
    private static byte[] key(long number) {
        byte[] key = new byte[KEY_BYTES];
        key[0] = 'k';
        long left = number;
        for (int i = KEY_BYTES - 1; i > 0; i--) {
            key[i] = (byte) ('0' + left % 10);
            left /= 10;
        }
        return key;
    }

    /// As any client of the store has to know it: docs/cluster.md.
    private int bucketOf(byte[] key) {
        CRC32C crc = new CRC32C();
        crc.update(key, 0, key.length);
        int mixed = (int) crc.getValue();
        mixed = (mixed ^ mixed >>> 16) * 0x85ebca6b;
        mixed = (mixed ^ mixed >>> 13) * 0xc2b2ae35;
        return Integer.remainderUnsigned(mixed ^ mixed >>> 16, buckets);
    }
}
