package kvant.cassandra;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.metadata.token.TokenRange;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.Arrays;
import kvant.engine.Condition;
import kvant.engine.Mutation;
import org.jspecify.annotations.Nullable;

/// The statements of a store, prepared once: the one place that knows its columns.
///
/// `version` is the write's timestamp, and `expires` the millisecond from which the key reads as absent, or
/// [#NEVER]. The cluster's own TTL only frees the bytes: it counts in whole seconds and by its own clocks.
final class Statements {

    static final long NEVER = Long.MAX_VALUE;

    private static final long MILLIS_PER_SECOND = 1000;

    /// Cassandra cannot hold a life time that ends after January 2038 unless it is set up to; a value with a later
    /// end stays beyond it, and reads as absent all the same.
    private static final long LAST_END_SECONDS = Integer.MAX_VALUE - 86_400L;

    private static final String KEY = " WHERE bucket = ? AND key = ?";
    private static final String SET = " SET value = ?, version = ?, expires = ?" + KEY;

    // Constant.
    private final CqlIdentifier keyspace;
    private final Layout layout;
    private final InstantSource clock;
    private final PreparedStatement get;
    private final PreparedStatement put;
    private final PreparedStatement delete;
    private final PreparedStatement[] conditionalPuts;
    private final PreparedStatement[] conditionalDeletes;
    private final PreparedStatement[] pages;
    private final PreparedStatement part;
    private final PreparedStatement boundedPart;

    Statements(CqlSession session, String keyspace, Layout layout, InstantSource clock) {
        this.keyspace = CqlIdentifier.fromInternal(keyspace);
        this.layout = layout;
        this.clock = clock;
        String records = Schema.quoted(keyspace) + ".records";
        get = session.prepare("SELECT value, version, expires FROM " + records + KEY);
        put = session.prepare("UPDATE " + records + " USING TIMESTAMP ? AND TTL ?" + SET);
        delete = session.prepare("DELETE FROM " + records + " USING TIMESTAMP ?" + KEY);
        conditionalPuts = Arrays.stream(Check.values())
                .map(check -> session.prepare("UPDATE " + records + " USING TTL ?" + SET + check.clause))
                .toArray(PreparedStatement[]::new);
        conditionalDeletes = Arrays.stream(Check.values())
                .map(check -> session.prepare("DELETE FROM " + records + KEY + check.clause))
                .toArray(PreparedStatement[]::new);
        part = part(session, records, "");
        boundedPart = part(session, records, " AND key < ?");
        pages = new PreparedStatement[] {
            page(session, records, "key >= ?"), page(session, records, "key >= ? AND key < ?"),
            page(session, records, "key > ?"), page(session, records, "key > ? AND key < ?")
        };
    }

    /// The check that the cluster performs. An expired row exists until it is collected, and counts as absent.
    enum Check {
        NO_ROW(" IF expires = null"),
        EXPIRED(" IF expires <= ?"),
        LIVE(" IF expires > ?"),
        LIVE_VERSION(" IF expires > ? AND version = ?");

        private final String clause;

        Check(String clause) {
            this.clause = clause;
        }
    }

    Layout layout() {
        return layout;
    }

    long nowMillis() {
        return clock.millis();
    }

    BoundStatement get(byte[] key) {
        return get.bind(layout.bucketOf(key), ByteBuffer.wrap(key)).setExecutionProfileName(Sessions.GET_PROFILE);
    }

    /// @param timestamp the same for every attempt, so that none overtakes a later write
    BoundStatement write(Mutation mutation, long timestamp) {
        ByteBuffer key = ByteBuffer.wrap(mutation.key());
        int bucket = layout.bucketOf(mutation.key());
        return mutation instanceof Mutation.Put put && !isOver(put)
                ? this.put.bind(
                        timestamp, ttlSeconds(put), ByteBuffer.wrap(put.value()), timestamp, end(put), bucket, key)
                : delete.bind(timestamp, bucket, key);
    }

    /// A write whose condition the cluster evaluates, at a timestamp of its own.
    BoundStatement conditional(Mutation mutation, long version, Check check, Condition condition) {
        ByteBuffer key = ByteBuffer.wrap(mutation.key());
        int bucket = layout.bucketOf(mutation.key());
        BoundStatement bound = mutation instanceof Mutation.Put put && !isOver(put)
                ? conditionalPuts[check.ordinal()]
                        .bind()
                        .setInt(0, ttlSeconds(put))
                        .setByteBuffer(1, ByteBuffer.wrap(put.value()))
                        .setLong(2, version)
                        .setLong(3, end(put))
                        .setInt(4, bucket)
                        .setByteBuffer(5, key)
                : conditionalDeletes[check.ordinal()].bind().setInt(0, bucket).setByteBuffer(1, key);
        int at = bound.getPreparedStatement().getVariableDefinitions().size();
        return switch (check) {
            case NO_ROW -> bound;
            case EXPIRED, LIVE -> bound.setLong(at - 1, nowMillis());
            case LIVE_VERSION ->
                bound.setLong(at - 2, nowMillis()).setLong(at - 1, ((Condition.VersionIs) condition).version());
        };
    }

    /// Some records of a bucket, in order.
    ///
    /// @param inclusive whether `from` itself may be among them
    /// @param to null for no end
    BoundStatement page(int bucket, byte[] from, boolean inclusive, byte @Nullable [] to, int rows) {
        PreparedStatement statement = pages[(inclusive ? 0 : 2) + (to == null ? 0 : 1)];
        BoundStatement bound = statement.bind().setInt(0, bucket).setByteBuffer(1, ByteBuffer.wrap(from));
        bound = to == null ? bound : bound.setByteBuffer(2, ByteBuffer.wrap(to));
        return bound.setInt(to == null ? 2 : 3, rows).setPageSize(rows + 1); // one answer holds them all
    }

    /// Some records of all buckets in a part of the ring, from the replicas of that part.
    ///
    /// @param to null for no end
    /// @param pagingState where the last page ended, or null for the first one
    BoundStatement part(
            TokenRange range, byte[] from, byte @Nullable [] to, int rows, @Nullable ByteBuffer pagingState) {
        BoundStatement bound = (to == null ? part : boundedPart)
                .bind()
                .setToken(0, range.getStart())
                .setToken(1, range.getEnd())
                .setByteBuffer(2, ByteBuffer.wrap(from));
        bound = to == null ? bound : bound.setByteBuffer(3, ByteBuffer.wrap(to));
        return bound.setRoutingKeyspace(keyspace)
                .setRoutingToken(range.getEnd())
                .setPageSize(rows)
                .setPagingState(pagingState);
    }

    /// Here `ALLOW FILTERING` only permits a skip to a key within each partition; no row is read in vain.
    private static PreparedStatement part(CqlSession session, String records, String end) {
        return session.prepare("SELECT key, value, version, expires FROM " + records
                + " WHERE token(bucket) > ? AND token(bucket) <= ? AND key >= ?" + end + " ALLOW FILTERING");
    }

    private static PreparedStatement page(CqlSession session, String records, String range) {
        return session.prepare(
                "SELECT key, value, version, expires FROM " + records + " WHERE bucket = ? AND " + range + " LIMIT ?");
    }

    private boolean isOver(Mutation.Put put) {
        return put.expiresAtMillis() != Mutation.Put.NEVER && put.expiresAtMillis() <= nowMillis();
    }

    /// The row's end in the convention of the engine interface.
    static long expiresAtMillis(long end) {
        return end == NEVER ? Mutation.Put.NEVER : end;
    }

    private static long end(Mutation.Put put) {
        return put.expiresAtMillis() == Mutation.Put.NEVER ? NEVER : put.expiresAtMillis();
    }

    /// 0 for none. One second more than is left, because the row must outlive its end rather than the other way round.
    private int ttlSeconds(Mutation.Put put) {
        long endSeconds = put.expiresAtMillis() / MILLIS_PER_SECOND;
        if (put.expiresAtMillis() == Mutation.Put.NEVER || endSeconds >= LAST_END_SECONDS) {
            return 0;
        }
        return (int) (endSeconds - nowMillis() / MILLIS_PER_SECOND + 2);
    }
}
