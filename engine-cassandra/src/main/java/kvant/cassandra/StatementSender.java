package kvant.cassandra;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import kvant.engine.EngineException;
import kvant.engine.Terms;

/// Sends statements, each under its consistency level and with its time limit. Does not block.
record StatementSender(CqlSession session, ConsistencyLevels levels, Duration usualTimeout, Figures figures) {

    /// A statement that may be repeated: a repetition changes nothing.
    CompletionStage<AsyncResultSet> send(String operation, Statement<?> statement, Terms terms) {
        return send(operation, statement, terms, true);
    }

    /// Sends a conditional statement, only once: a repetition would be evaluated again.
    CompletionStage<AsyncResultSet> sendOnce(String operation, Statement<?> statement, Terms terms) {
        return send(operation, statement, terms, false);
    }

    private CompletionStage<AsyncResultSet> send(
            String operation, Statement<?> statement, Terms terms, boolean repeatable) {
        ConsistencyLevel level = levels.of(terms.acks());
        if (level == null) {
            return CompletableFuture.failedFuture(new EngineException.Unsupported("Cassandra has no consistency level"
                    + " for " + terms.acks() + " of " + levels.replicas() + " replicas"
                    + (levels.local() ? " of one datacenter" : "")));
        }
        figures.began(operation, level);
        CompletionStage<AsyncResultSet> answer;
        try {
            answer = session.executeAsync(statement
                    .setConsistencyLevel(level)
                    .setSerialConsistencyLevel(levels.serial())
                    .setTimeout(timeout(terms))
                    .setIdempotent(repeatable));
        } catch (RuntimeException e) { // the session is closed
            answer = CompletableFuture.failedFuture(e);
        }
        return answer.whenComplete((_, _) -> figures.ended());
    }

    /// The client's deadline, bounded by the usual one.
    Duration timeout(Terms terms) {
        return terms.timeoutNanos() == Terms.USUAL_TIMEOUT || terms.timeoutNanos() > usualTimeout.toNanos()
                ? usualTimeout
                : Duration.ofNanos(terms.timeoutNanos());
    }
}
