package kvant.bench.cluster;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;

/// Gets and puts as the engine sends them: the same statements, the same bytes, a quorum. Nothing around them.
///
/// Any thread may call.
final class BareClient {

    private static final int NO_TTL = 0;
    private static final int KEY_BYTES = 12;

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
    BareClient(CqlSession session, String keyspace, long keys, long keyStart, int valueBytes) {
        this.session = session;
        this.keys = keys;
        this.valueBytes = valueBytes;
        this.newKeys = new AtomicLong(keyStart);
        this.get = session.prepare(
                "SELECT value, version, expires FROM " + keyspace + ".records WHERE bucket = ? AND key = ?");
        this.put = session.prepare("UPDATE " + keyspace + ".records USING TIMESTAMP ? AND TTL ? SET value = ?,"
                + " version = ?, expires = ? WHERE bucket = ? AND key = ?");
        Row layout = session.execute("SELECT buckets FROM " + keyspace + ".layout WHERE id = 0")
                .one();
        if (layout == null) {
            throw new IllegalStateException("no store in keyspace " + keyspace);
        }
        this.buckets = layout.getInt(0);
    }

    /// Any of the keys that exist.
    ///
    /// @return whether it was there
    CompletionStage<Boolean> get(SplittableRandom random) {
        byte[] key = key(random.nextLong(keys));
        return send(get.bind(bucketOf(key), ByteBuffer.wrap(key))).thenApply(BareClient::read);
    }

    /// A new key.
    CompletionStage<Boolean> put(SplittableRandom random) {
        byte[] key = key(newKeys.getAndIncrement());
        long micros = System.currentTimeMillis() * 1000;
        byte[] value = new byte[valueBytes];
        random.nextBytes(value); // alike ones would compress on disk
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
