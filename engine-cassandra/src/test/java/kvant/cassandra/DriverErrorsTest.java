package kvant.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.RequestThrottlingException;
import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.DefaultWriteType;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import kvant.engine.EngineException;
import org.junit.jupiter.api.Test;

/// "Not applied" is said only where that is certain.
class DriverErrorsTest {

    private static final Node NODE = node();
    private static final Throwable UNAVAILABLE = new UnavailableException(NODE, DefaultConsistencyLevel.QUORUM, 2, 1);
    private static final Throwable CLOSED = new ClosedConnectionException("closed");

    @Test
    void tooFewReplicasMeansNotApplied() {
        assertThat(DriverErrors.ofWrite(UNAVAILABLE))
                .isInstanceOf(EngineException.Unavailable.class)
                .hasMessageContaining("1 of 2")
                .hasMessageContaining("QUORUM");
        assertThat(DriverErrors.ofWrite(new NoNodeAvailableException()))
                .isInstanceOf(EngineException.Unavailable.class);
        assertThat(DriverErrors.ofRead(UNAVAILABLE)).isInstanceOf(EngineException.Unavailable.class);
    }

    @Test
    void noAnswerToAWriteMeansUnknown() {
        assertThat(DriverErrors.ofWrite(
                        new WriteTimeoutException(NODE, DefaultConsistencyLevel.QUORUM, 1, 2, DefaultWriteType.SIMPLE)))
                .isInstanceOf(EngineException.OutcomeUnknown.class);
        assertThat(DriverErrors.ofWrite(new DriverTimeoutException("late")))
                .isInstanceOf(EngineException.OutcomeUnknown.class);
        assertThat(DriverErrors.ofWrite(CLOSED)).isInstanceOf(EngineException.OutcomeUnknown.class);
    }

    @Test
    void oneNodeThatMayHaveBegunMakesTheOutcomeUnknown() {
        assertThat(DriverErrors.ofWrite(failed(CLOSED, UNAVAILABLE)))
                .isInstanceOf(EngineException.OutcomeUnknown.class);
        assertThat(DriverErrors.ofWrite(failed(UNAVAILABLE, CLOSED)))
                .isInstanceOf(EngineException.OutcomeUnknown.class);
        assertThat(DriverErrors.ofWrite(failed(UNAVAILABLE, UNAVAILABLE)))
                .isInstanceOf(EngineException.Unavailable.class);
    }

    @Test
    void noAnswerToAReadIsATimeout() {
        assertThat(DriverErrors.ofRead(new ReadTimeoutException(NODE, DefaultConsistencyLevel.QUORUM, 1, 2, false)))
                .isInstanceOf(EngineException.TimedOut.class);
        assertThat(DriverErrors.ofRead(new DriverTimeoutException("late")))
                .isInstanceOf(EngineException.TimedOut.class);
    }

    @Test
    void overloadIsBusy() {
        assertThat(DriverErrors.ofWrite(new OverloadedException(NODE))).isInstanceOf(EngineException.Busy.class);
        assertThat(DriverErrors.ofRead(new OverloadedException(NODE))).isInstanceOf(EngineException.Busy.class);
        assertThat(DriverErrors.ofWrite(new RequestThrottlingException("full")))
                .isInstanceOf(EngineException.Busy.class);
        assertThat(DriverErrors.ofWrite(failed(new OverloadedException(NODE), new OverloadedException(NODE))))
                .isInstanceOf(EngineException.Busy.class);
    }

    private static Throwable failed(Throwable first, Throwable second) {
        return AllNodesFailedException.fromErrors(List.of(Map.entry(node(), first), Map.entry(node(), second)));
    }

    /// Known by nothing but itself.
    private static Node node() {
        return (Node) Proxy.newProxyInstance(
                DriverErrorsTest.class.getClassLoader(),
                new Class<?>[] {Node.class},
                (self, method, arguments) -> switch (method.getName()) {
                    case "hashCode" -> System.identityHashCode(self);
                    case "equals" -> self == arguments[0];
                    case "toString" -> "node";
                    default -> null;
                });
    }
}
