package kvant.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import kvant.engine.EngineException;
import kvant.engine.Lookup;
import kvant.engine.Samples;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// A store is made once, and refused where it is not as this code, or its user, expects.
@Tag("full") // half a minute
@ExtendWith(TestCluster.class)
class SchemaTest {

    @Test
    void aStoreIsMadeAndFoundAgainWithItsBuckets() {
        CassandraEngine made = open("schema", draft -> draft.buckets = 5);
        assertThat(made.replicas()).isEqualTo(3);
        made.close();
        open("schema", draft -> draft.buckets = null).close();
        assertThatThrownBy(() -> open("schema", draft -> draft.buckets = 6))
                .isInstanceOf(EngineException.CannotOpen.class)
                .hasMessageContaining("--cassandra.buckets=6");
        assertThatThrownBy(() -> open("schema", draft -> {
                    draft.buckets = null;
                    draft.replication = 2;
                }))
                .isInstanceOf(EngineException.CannotOpen.class)
                .hasMessageContaining("--cassandra.replication=2");
    }

    @Test
    void aMissingStoreIsNotMadeWhereThatIsForbidden() {
        assertThatThrownBy(() -> open("missing", draft -> draft.creates = false))
                .isInstanceOf(EngineException.CannotOpen.class)
                .hasMessageContaining("keyspace missing");
        assertThat(TestCluster.session().refreshSchema().getKeyspace("missing")).isEmpty();
    }

    @Test
    void aStoreOfANewerLayoutIsRefused() {
        open("newer", draft -> draft.buckets = 2).close();
        TestCluster.session().execute("UPDATE newer.layout SET version = 2 WHERE id = 0 IF EXISTS");
        assertThatThrownBy(() -> open("newer", draft -> draft.buckets = null))
                .isInstanceOf(EngineException.CannotOpen.class)
                .hasMessageContaining("layout 2")
                .hasMessageContaining("newer");
    }

    @Test
    void aClusterThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> CassandraEngine.open(CassandraOptions.at(List.of("127.0.0.9:9042"))))
                .isInstanceOf(EngineException.CannotOpen.class)
                .hasMessageContaining("127.0.0.9:9042");
    }

    @Test
    void oneContactPointThatAnswersIsEnough() {
        CassandraOptions.Draft draft = new CassandraOptions.Draft(List.of("127.0.0.9:9042", "127.0.0.2:9042"));
        draft.keyspace = "contract";
        draft.buckets = TestCluster.BUCKETS;
        try (CassandraEngine engine = CassandraEngine.open(draft.options())) {
            assertThat(engine.health().ready()).isTrue();
            assertThat(Samples.read(engine, "nothing".getBytes(StandardCharsets.US_ASCII)))
                    .isEqualTo(Lookup.Miss.ABSENT);
        }
    }

    @Test
    void aClusterThatDoesNotAnswerAtFirstIsAskedAgain() {
        AtomicInteger calls = new AtomicInteger();
        CqlSession slow = failing(calls, 3, new DriverTimeoutException("planted"));
        Layout layout = new Schema(slow, options("patient")).open();
        assertThat(layout.buckets()).isEqualTo(2);
        assertThat(calls.get()).isGreaterThan(3);
    }

    @Test
    void aServerThatHasNotHeardOfTheKeyspaceYetIsAskedAgain() {
        AtomicInteger calls = new AtomicInteger();
        CqlSession behind = failing(calls, 3, new InvalidQueryException(aNode(), "keyspace behind does not exist"));
        assertThat(new Schema(behind, options("behind")).open().buckets()).isEqualTo(2);
        assertThat(calls.get()).isGreaterThan(3);
    }

    @Test
    void aClusterThatNeverAnswersIsGivenUp() {
        CqlSession dead = failing(new AtomicInteger(), Integer.MAX_VALUE, new DriverTimeoutException("planted"));
        Schema schema = new Schema(dead, options("impatient"), Duration.ofMillis(1));
        assertThatThrownBy(schema::open)
                .isInstanceOf(EngineException.CannotOpen.class)
                .hasMessageContaining("keyspace impatient: planted");
    }

    @Test
    void whatIsForbiddenIsNotAskedForAgain() {
        AtomicInteger calls = new AtomicInteger();
        CqlSession forbidden = failing(calls, Integer.MAX_VALUE, new UnauthorizedException(aNode(), "planted"));
        assertThatThrownBy(() -> new Schema(forbidden, options("forbidden")).open())
                .isInstanceOf(EngineException.CannotOpen.class);
        assertThat(calls).hasValue(1);
    }

    private static Node aNode() {
        return TestCluster.session()
                .getMetadata()
                .getNodes()
                .values()
                .iterator()
                .next();
    }

    /// The tests' session, whose first statements fail.
    private static CqlSession failing(AtomicInteger calls, int failures, DriverException failure) {
        return (CqlSession) Proxy.newProxyInstance(
                CqlSession.class.getClassLoader(), new Class<?>[] {CqlSession.class}, (_, method, arguments) -> {
                    if (method.getName().equals("execute") && calls.incrementAndGet() <= failures) {
                        throw failure;
                    }
                    return method.invoke(TestCluster.session(), arguments);
                });
    }

    private static CassandraOptions options(String keyspace) {
        CassandraOptions.Draft draft =
                new CassandraOptions.Draft(TestCluster.options(keyspace).contactPoints());
        draft.keyspace = keyspace;
        draft.buckets = 2;
        return draft.options();
    }

    private static CassandraEngine open(String keyspace, Consumer<CassandraOptions.Draft> change) {
        CassandraOptions usual = TestCluster.options(keyspace);
        CassandraOptions.Draft draft = new CassandraOptions.Draft(usual.contactPoints());
        draft.keyspace = keyspace;
        change.accept(draft);
        return CassandraEngine.over(TestCluster.session(), draft.options());
    }
}
