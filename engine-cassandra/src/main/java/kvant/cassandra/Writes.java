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
import kvant.engine.CompletionSink;
import kvant.engine.Condition;
import kvant.engine.EngineException;
import kvant.engine.Limits;
import kvant.engine.Mutation;
import kvant.engine.Write;
import org.jspecify.annotations.Nullable;

/// Carries writes to the cluster and their outcomes back. Any thread may submit; outcomes come from the driver's
/// threads, in the order in which the cluster answers.
final class Writes {

    private static final Logger LOGGER = System.getLogger(Writes.class.getName());

    /// The longest clustering key of CQL.
    private static final int MAX_KEY_BYTES = 65_535;

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(30);

    // Constant.
    private final Statements statements;
    private final Requests requests;
    private final Timestamps timestamps;
    private final Figures figures;
    private final PendingWrites pending = new PendingWrites();
    private final WriteOrder order = new WriteOrder();

    Writes(Statements statements, Requests requests, Timestamps timestamps, Figures figures) {
        this.statements = statements;
        this.requests = requests;
        this.timestamps = timestamps;
        this.figures = figures;
    }

    void submit(Write write) {
        Limits.DEFAULT.check(write.batch());
        EngineException obstacle = obstacle(write);
        if (obstacle != null) {
            figures.failed(obstacle);
            write.failed(obstacle);
            deliver(write);
            return;
        }
        Turn turn = new Turn(write);
        order.enter(turn.lines, turn.alone, turn);
    }

    long pendingBytes() {
        return pending.bytes();
    }

    /// Waits for what was accepted; later writes fail as closed.
    void close() {
        int left = pending.close(CLOSE_LIMIT);
        if (left > 0) {
            LOGGER.log(Level.WARNING, left + " writes have no outcome after " + CLOSE_LIMIT.toSeconds() + " s");
        }
    }

    private @Nullable EngineException obstacle(Write write) {
        List<Mutation> mutations = write.batch().mutations();
        if (write.batch().condition() != Condition.NONE && mutations.size() > 1) {
            return new EngineException.Unsupported(
                    "a cluster judges a condition for one key at a time, not for a batch");
        }
        for (int i = 0; i < mutations.size(); i++) {
            if (mutations.get(i).key().length > MAX_KEY_BYTES) {
                return new EngineException.Unsupported("a key in a cluster has up to " + MAX_KEY_BYTES + " bytes");
            }
        }
        return switch (pending.enter(write.batch().bytes())) {
            case ACCEPTED -> null;
            case FULL -> new EngineException.Busy("more than " + PendingWrites.MAX_BYTES + " bytes of writes wait");
            case CLOSED -> new EngineException.Closed();
        };
    }

    /// A write on its way.
    private final class Turn implements WriteOrder.Turn {

        private final Write write;
        private final boolean alone;
        private final int[] lines;
        private final long submittedNanos = System.nanoTime();

        // Written when its place is taken.
        private long version;
        private long newestVersion;

        Turn(Write write) {
            this.write = write;
            List<Mutation> mutations = write.batch().mutations();
            boolean conditional = write.batch().condition() != Condition.NONE;
            byte[] first = mutations.getFirst().key();
            this.alone = mutations.size() > 1 || conditional;
            this.lines = conditional
                    ? WriteOrder.linesOf(first, statements.layout().bucketOf(first))
                    : WriteOrder.linesOf(mutations);
        }

        @Override
        public void placed() {
            newestVersion = timestamps.last();
            version = timestamps.next();
        }

        @Override
        public void go() {
            if (System.nanoTime() - submittedNanos
                    > requests.timeout(write.terms()).toNanos()) {
                ended(false, new EngineException.Busy("others of the same key took too long; nothing was applied"));
                return;
            }
            CompletionStage<Boolean> outcome;
            try {
                outcome = send();
            } catch (RuntimeException e) {
                ended(false, e);
                return;
            }
            outcome.whenComplete((applied, failure) -> ended(applied != null && applied, failure));
        }

        private CompletionStage<Boolean> send() {
            List<Mutation> mutations = write.batch().mutations();
            Condition condition = write.batch().condition();
            if (condition != Condition.NONE) {
                return new ConditionalWrite(
                                statements, requests, mutations.getFirst(), condition, write.terms(), version)
                        .run(newestVersion);
            }
            return (mutations.size() == 1
                            ? requests.send("write", statements.write(mutations.getFirst(), version), write.terms())
                            : requests.send("batch", batch(mutations), write.terms()))
                    .thenApply(_ -> true);
        }

        private void ended(boolean applied, @Nullable Throwable failure) {
            if (failure != null) {
                EngineException reason = Failures.ofWrite(failure);
                figures.failed(reason);
                write.failed(reason);
            } else if (applied) {
                write.applied(version);
            } else {
                write.refused();
            }
            order.leave(lines, alone);
            deliver(write);
            pending.leave(write.batch().bytes());
        }

        /// Logged: a coordinator that fails half-way leaves the rest to others. Of two mutations of a key the later
        /// one goes, for both have the same timestamp.
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

    private static void deliver(Write write) {
        CompletionSink sink = write.sink();
        try {
            sink.completed(write);
            sink.wake();
        } catch (Throwable e) { // the thread belongs to the driver, and others wait for it
            LOGGER.log(Level.ERROR, "a sink failed", e);
        }
    }
}
