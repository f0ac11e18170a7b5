package kvant.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.metadata.token.TokenRange;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import kvant.engine.Cursor;
import kvant.engine.EngineException;
import kvant.engine.Health;
import kvant.engine.Limits;
import kvant.engine.Lookup;
import kvant.engine.MetricSink;
import kvant.engine.Range;
import kvant.engine.Read;
import kvant.engine.RemoteEngine;
import kvant.engine.Terms;
import kvant.engine.Write;
import org.jspecify.annotations.Nullable;

/// A store that lies in a Cassandra cluster. This process keeps nothing of it: any number of nodes may serve one.
///
/// Reads and writes return at once and are answered from the driver's threads; only cursors wait, and are
/// pulled where that does no harm. What differs from an engine of one machine stands in docs/cluster.md.
public final class CassandraEngine implements RemoteEngine {

    // Constant.
    private final CqlSession session;
    private final boolean ownsSession;
    private final Statements statements;
    private final StatementSender requests;
    private final Writes writes;
    private final ConsistencyLevels levels;
    private final Ring ring;
    private final OpenRanges ranges;
    private final CassandraOptions options;
    private final Figures figures = new Figures();

    // Atomic.
    private volatile boolean closed;

    // Written by the driver's thread that receives the answer.
    private volatile boolean schemaAgrees = true;

    private CassandraEngine(CqlSession session, boolean ownsSession, CassandraOptions options, InstantSource clock) {
        Layout layout = new Schema(session, options).open();
        this.session = session;
        this.ownsSession = ownsSession;
        this.levels = new ConsistencyLevels(layout.replicas(), options.local());
        this.statements = new Statements(session, options.keyspace(), layout, clock);
        this.ring = new Ring(session, layout);
        this.ranges = new OpenRanges(options.maxRanges());
        this.requests = new StatementSender(session, levels, options.timeout(), figures);
        this.writes = new Writes(statements, requests, new Timestamps(clock), figures);
        this.options = options;
    }

    /// Connects to the cluster, and finds or makes the store.
    ///
    /// @throws EngineException.CannotOpen saying in one line why not
    public static CassandraEngine open(CassandraOptions options) {
        CqlSession session = Sessions.open(options);
        try {
            return new CassandraEngine(session, true, options, InstantSource.system());
        } catch (RuntimeException e) {
            session.close();
            throw e;
        }
    }

    /// An engine over a session that the caller closes.
    static CassandraEngine over(CqlSession session, CassandraOptions options) {
        return new CassandraEngine(session, false, options, InstantSource.system());
    }

    @Override
    public int replicas() {
        return levels.replicas();
    }

    @Override
    public void submit(Read read, Terms terms) {
        ask(read.key(), terms).whenComplete((lookup, failure) -> {
            if (lookup != null) {
                read.answered(lookup instanceof Lookup.Found found ? found.filtered(read) : lookup);
            } else {
                read.failed(reason(failure));
            }
        });
    }

    @Override
    public void submit(Write write, Terms terms) {
        writes.submit(write, terms);
    }

    /// Not one snapshot: each page shows its bucket as of the time of its read.
    @Override
    public Cursor scan(byte[] from, byte @Nullable [] to) {
        refuseIfClosed();
        if (to != null && Arrays.compareUnsigned(from, to) >= 0) {
            return new MergingScan(new BucketScan[0]);
        }
        return ranges.open(() -> {
            BucketScan[] buckets = new BucketScan[statements.layout().buckets()];
            Arrays.setAll(buckets, bucket -> new BucketScan(statements, requests, bucket, from, to));
            return new MergingScan(buckets);
        });
    }

    @Override
    public Cursor scan(Range range) {
        if (range.limit() == 0) {
            refuseIfClosed();
            return new MergingScan(new BucketScan[0]);
        }
        return RemoteEngine.super.scan(range);
    }

    /// As [#scan(Range)], by parts of the ring concurrently.
    @Override
    public Cursor export(Range range) {
        refuseIfClosed();
        boolean empty =
                range.limit() == 0 || range.to() != null && Arrays.compareUnsigned(range.from(), range.to()) >= 0;
        List<TokenRange> parts = empty ? List.of() : ring.parts();
        return empty || !parts.isEmpty()
                ? ranges.open(() -> new ExportScan(statements, requests, parts, range))
                : scan(range);
    }

    /// By the driver's state alone: no probe waits for the cluster. A node that cannot reach a quorum is not
    /// ready. A node that can is ready, although some keys may have lost their quorum: in a large cluster two
    /// failed nodes make a few keys unavailable, and the gateway still serves all others.
    @Override
    public Health health() {
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

    @Override
    public void measure(MetricSink sink) {
        figures.measure(session, sink);
        sink.gauge("kvant_cassandra_pending_bytes", "Bytes of writes without an outcome.", writes.pendingBytes());
        sink.gauge("kvant_cassandra_open_ranges", "Ranges that hold pages of partitions.", ranges.count());
    }

    @Override
    public void close() {
        closed = true;
        writes.close();
        if (ownsSession) {
            session.close();
        }
    }

    private CompletableFuture<Lookup> ask(byte[] key, Terms terms) {
        if (closed) {
            return CompletableFuture.failedFuture(new EngineException.Closed());
        }
        if (key.length == 0 || key.length > Limits.DEFAULT.maxKeyBytes()) {
            return CompletableFuture.completedFuture(Lookup.Miss.ABSENT);
        }
        return requests.send("get", statements.get(key), terms)
                .thenApply(this::lookup)
                .toCompletableFuture();
    }

    private Lookup lookup(AsyncResultSet answer) {
        Row row = answer.one();
        if (row == null || row.isNull(2) || row.getLong(2) <= statements.nowMillis()) {
            return Lookup.Miss.ABSENT;
        }
        return new Lookup.Found(RowCursor.bytes(row, 0), row.getLong(1));
    }

    private EngineException reason(@Nullable Throwable failure) {
        if (closed || failure == null) {
            return new EngineException.Closed();
        }
        EngineException reason = DriverErrors.ofRead(failure);
        figures.failed(reason);
        return reason;
    }

    private void refuseIfClosed() {
        if (closed) {
            throw new EngineException.Closed();
        }
    }
}
