package kvant.cassandra;

import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchStatementBuilder;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import kvant.engine.Condition;
import kvant.engine.EngineException;
import kvant.engine.Limits;
import kvant.engine.Mutation;
import kvant.engine.Terms;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import kvant.engine.kit.Completion;
import kvant.engine.kit.InFlightWrites;
import kvant.engine.kit.KeyedSerializer;
import org.jspecify.annotations.Nullable;

/// Carries writes to the cluster and their outcomes back. Any thread may submit; outcomes come from the driver's
/// threads, in the order in which the cluster answers.
final class Writes {

    private static final Logger LOGGER = System.getLogger(Writes.class.getName());

    /// The longest clustering key of CQL.
    private static final int MAX_KEY_BYTES = 65_535;

    /// Most bytes of writes without an outcome; more are refused as busy.
    private static final long MAX_IN_FLIGHT_BYTES = 64L << 20;

    /// Additional lines for conditional writes, by bucket: conditional writes of one bucket would only disturb each
    /// other in the cluster.
    private static final int BUCKET_LINES = 256;

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(30);

    // Constant.
    private final Statements statements;
    private final StatementSender requests;
    private final Timestamps timestamps;
    private final Figures figures;
    private final InFlightWrites inFlight = new InFlightWrites(MAX_IN_FLIGHT_BYTES);
    private final KeyedSerializer order = new KeyedSerializer(BUCKET_LINES);

    Writes(Statements statements, StatementSender requests, Timestamps timestamps, Figures figures) {
        this.statements = statements;
        this.requests = requests;
        this.timestamps = timestamps;
        this.figures = figures;
    }

    void submit(Write write, Terms terms) {
        Limits.DEFAULT.check(write.batch());
        EngineException obstacle = obstacle(write.batch());
        if (obstacle != null) {
            refuse(write, obstacle);
            return;
        }
        Turn turn = turnOf(write, terms);
        switch (inFlight.enter(turn)) {
            case ACCEPTED -> turn.start();
            case HELD -> {}
            case FULL ->
                refuse(write, new EngineException.Busy("more than " + MAX_IN_FLIGHT_BYTES + " bytes of writes wait"));
            case CLOSED -> refuse(write, new EngineException.Closed());
        }
    }

    private void refuse(Write write, EngineException reason) {
        figures.failed(reason);
        write.failed(reason);
        Completion.deliver(write);
    }

    long pendingBytes() {
        return inFlight.bytes();
    }

    /// Waits for the accepted writes; later ones fail as closed.
    void close() {
        int left = inFlight.close(CLOSE_LIMIT);
        if (left > 0) {
            LOGGER.log(Level.WARNING, left + " writes have no outcome after " + CLOSE_LIMIT.toSeconds() + " s");
        }
    }

    private static @Nullable EngineException obstacle(WriteBatch batch) {
        List<Mutation> mutations = batch.mutations();
        if (batch.condition() != Condition.NONE && mutations.size() > 1
                || !batch.guards().isEmpty()) {
            return new EngineException.Unsupported(
                    "a cluster judges a condition for one key at a time, not for a batch");
        }
        for (int i = 0; i < mutations.size(); i++) {
            if (mutations.get(i).key().length > MAX_KEY_BYTES) {
                return new EngineException.Unsupported("a key in a cluster has up to " + MAX_KEY_BYTES + " bytes");
            }
        }
        return null;
    }

    /// Ordinary writes of a key run concurrently: the larger timestamp wins. The cluster evaluates a condition at a
    /// time of its own, and a batch touches several keys, so that each of those is exclusive in the lines of its
    /// keys.
    private Turn turnOf(Write write, Terms terms) {
        List<Mutation> mutations = write.batch().mutations();
        if (write.batch().condition() == Condition.NONE) {
            return new Turn(write, terms, KeyedSerializer.linesOf(mutations), mutations.size() > 1);
        }
        byte[] key = mutations.getFirst().key();
        int bucket = statements.layout().bucketOf(key);
        int[] lines = {KeyedSerializer.lineOf(key), KeyedSerializer.furtherLine(bucket % BUCKET_LINES)};
        return new Turn(write, terms, lines, true);
    }

    /// A write on its way.
    private final class Turn extends KeyedSerializer.Turn implements InFlightWrites.Entrant {

        private final Write write;
        private final Terms terms;
        private final long submittedNanos = System.nanoTime();

        // Written when its place is taken.
        private long version;
        private long newestVersion;

        Turn(Write write, Terms terms, int[] lines, boolean alone) {
            super(lines, alone);
            this.write = write;
            this.terms = terms;
        }

        @Override
        public long bytes() {
            return write.batch().bytes();
        }

        @Override
        public void start() {
            order.enter(this);
        }

        @Override
        protected void placed() {
            newestVersion = timestamps.last();
            version = timestamps.next();
        }

        @Override
        protected void go() {
            if (System.nanoTime() - submittedNanos > requests.timeout(terms).toNanos()) {
                ended(false, new EngineException.Busy("others of the same key took too long; nothing was applied"));
                return;
            }
            CompletionStage<Boolean> outcome;
            try {
                outcome = send();
            } catch (RuntimeException | Error e) { // an Error, too: the client waits, and so do those behind it
                ended(false, e);
                return;
            }
            outcome.whenComplete((applied, failure) -> ended(applied != null && applied, failure));
        }

        private CompletionStage<Boolean> send() {
            List<Mutation> mutations = write.batch().mutations();
            Condition condition = write.batch().condition();
            if (condition != Condition.NONE) {
                return new ConditionalWrite(statements, requests, mutations.getFirst(), condition, terms, version)
                        .run(newestVersion);
            }
            return (mutations.size() == 1
                            ? requests.send("write", statements.write(mutations.getFirst(), version), terms)
                            : requests.send("batch", batch(mutations), terms))
                    .thenApply(_ -> true);
        }

        private void ended(boolean applied, @Nullable Throwable failure) {
            if (failure != null) {
                EngineException reason = DriverErrors.ofWrite(failure);
                figures.failed(reason);
                write.failed(reason);
            } else if (applied) {
                write.applied(version);
            } else {
                write.refused();
            }
            order.leave(this);
            Completion.deliver(write);
            inFlight.leave(bytes());
        }

        /// A logged batch: when its coordinator fails half-way, other nodes complete it. Of two mutations of a key
        /// the later one is sent, for both have the same timestamp.
        private BatchStatement batch(List<Mutation> mutations) {
            Map<ByteBuffer, Mutation> last = LinkedHashMap.newLinkedHashMap(mutations.size());
            for (Mutation mutation : mutations) {
                last.put(ByteBuffer.wrap(mutation.key()), mutation);
            }
            BatchStatementBuilder batch = BatchStatement.builder(DefaultBatchType.LOGGED);
            last.values().forEach(mutation -> batch.addStatement(statements.write(mutation, version)));
            return batch.build();
        }
    }
}
