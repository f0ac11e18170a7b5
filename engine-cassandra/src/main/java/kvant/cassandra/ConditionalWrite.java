package kvant.cassandra;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import kvant.cassandra.Statements.Check;
import kvant.engine.Condition;
import kvant.engine.EngineException;
import kvant.engine.Mutation;
import kvant.engine.Terms;

/// A conditional write: a lightweight transaction (Paxos), or two where a key may be present but expired.
///
/// The cluster assigns such a write a timestamp of its own, the millisecond in which a coordinator began it. So it
/// starts in a millisecond after the newest timestamp that this node has assigned; otherwise it could lose against an
/// earlier write. Writes through other nodes are only ordered as well as the clocks agree.
final class ConditionalWrite {

    private static final long MICROS_PER_MILLI = 1_000;
    private static final String OPERATION = "conditional_write";

    /// Most attempts of one write while its key changes between expired and absent.
    private static final int MAX_ATTEMPTS = 5;

    // Constant.
    private final Statements statements;
    private final StatementSender requests;
    private final Mutation mutation;
    private final Condition condition;
    private final Terms terms;
    private final long version;

    // Owned by the thread that continues the write.
    private int attempts;

    ConditionalWrite(
            Statements statements,
            StatementSender requests,
            Mutation mutation,
            Condition condition,
            Terms terms,
            long version) {
        this.statements = statements;
        this.requests = requests;
        this.mutation = mutation;
        this.condition = condition;
        this.terms = terms;
        this.version = version;
    }

    /// @param after a millisecond that must be over, by its last microsecond
    /// @return whether the condition held and the write is applied
    CompletionStage<Boolean> run(long after) {
        if (statements.nowMillis() * MICROS_PER_MILLI > after) {
            return judge(first());
        }
        return CompletableFuture.supplyAsync(
                        () -> run(after), CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS))
                .thenCompose(stage -> stage);
    }

    private Check first() {
        return switch (condition) {
            case Condition.Absent _ -> Check.NO_ROW;
            case Condition.Present _ -> Check.LIVE;
            case Condition.VersionIs _ -> Check.LIVE_VERSION;
            case Condition.None _ -> throw new IllegalArgumentException("no condition");
        };
    }

    private CompletionStage<Boolean> judge(Check check) {
        if (++attempts > MAX_ATTEMPTS) {
            return CompletableFuture.failedFuture(
                    new EngineException.Busy("the key changes too fast for its condition to be judged"));
        }
        return requests.sendOnce(OPERATION, statements.conditional(mutation, version, check, condition), terms)
                .thenCompose(answer ->
                        answer.wasApplied() ? CompletableFuture.completedFuture(true) : refused(check, answer));
    }

    /// An expired value counts as none, so "there is a row" is not yet an answer to "is it absent?".
    private CompletionStage<Boolean> refused(Check check, AsyncResultSet answer) {
        Row row = answer.one();
        boolean isThere = row != null && row.getColumnDefinitions().contains("expires") && !row.isNull("expires");
        return switch (check) {
            case NO_ROW ->
                isThere && row.getLong("expires") <= statements.nowMillis()
                        ? judge(Check.EXPIRED)
                        : CompletableFuture.completedFuture(false);
            case EXPIRED -> isThere ? CompletableFuture.completedFuture(false) : judge(Check.NO_ROW);
            case LIVE, LIVE_VERSION -> CompletableFuture.completedFuture(false);
        };
    }
}
