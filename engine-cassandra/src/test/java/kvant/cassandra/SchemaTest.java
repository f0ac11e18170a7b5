package kvant.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import kvant.engine.EngineException;
import kvant.engine.Lookup;
import kvant.engine.Samples;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// A store is made once, and refused where it is not as this code, or its user, expects.
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

    private static CassandraEngine open(String keyspace, Consumer<CassandraOptions.Draft> change) {
        CassandraOptions usual = TestCluster.options(keyspace);
        CassandraOptions.Draft draft = new CassandraOptions.Draft(usual.contactPoints());
        draft.keyspace = keyspace;
        change.accept(draft);
        return CassandraEngine.over(TestCluster.session(), draft.options());
    }
}
