package kvant.cassandra;

import static kvant.engine.Samples.bytes;
import static kvant.engine.Samples.get;
import static kvant.engine.Samples.put;
import static kvant.engine.Samples.scan;
import static kvant.engine.Samples.settle;
import static kvant.engine.Samples.write;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import kvant.engine.Condition;
import kvant.engine.Durability;
import kvant.engine.Engine;
import kvant.engine.EngineContract;
import kvant.engine.EngineException;
import kvant.engine.Limits;
import kvant.engine.Lookup;
import kvant.engine.Mutation;
import kvant.engine.Samples;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The contract of every engine, against three real nodes, and what a cluster says to those who ask it for what one
/// machine promises besides. The table of differences in docs/cluster.md has a row for each.
@ExtendWith(TestCluster.class)
class CassandraEngineTest extends EngineContract {

    private static final String KEYSPACE = "contract";
    private static final boolean ALL = Boolean.getBoolean("kvant.test.all");

    private final Set<Path> known = new HashSet<>();

    /// A store has a keyspace, not a directory: a directory that a test has not seen is an empty store.
    @Override
    protected Engine open(Path directory, Durability durability) {
        CassandraEngine engine = CassandraEngine.over(TestCluster.session(), TestCluster.options(KEYSPACE));
        if (known.add(directory)) {
            TestCluster.empty(KEYSPACE);
            engine.close();
            return CassandraEngine.over(TestCluster.session(), TestCluster.options(KEYSPACE)); // younger than that
        }
        return engine;
    }

    /// A condition takes four rounds of messages, and more where others ask for the same key.
    @Override
    public int rounds(int usual) {
        return ALL ? usual : Math.max(1, usual / 5);
    }

    @Override
    public int longestKeyBytes() {
        return Limits.DEFAULT.maxKeyBytes() - 1;
    }

    @Test
    void aKeyLongerThanTheClusterTakesIsNotSupported() {
        byte[] longer = new byte[Limits.DEFAULT.maxKeyBytes()];
        assertThat(settle(engine(), WriteBatch.of(new Mutation.Put(longer, bytes("v"))))
                        .failure())
                .isInstanceOf(EngineException.Unsupported.class);
        assertThat(Samples.read(engine(), longer)).isEqualTo(Lookup.Miss.ABSENT);
    }

    @Test
    void aConditionForABatchIsNotSupported() {
        WriteBatch batch =
                WriteBatch.of(List.of(put("first", "2"), put("second", "2"))).when(new Condition.Absent());
        Write refused = settle(engine(), batch);
        assertThat(refused.failure()).isInstanceOf(EngineException.Unsupported.class);
        assertThat(scan(engine(), "", null)).isEmpty();
    }

    /// And SchemaTest: a store of another layout is refused.
    @Test
    void aStoreMayBeOpenManyTimes() {
        write(engine(), put("a", "1"));
        Engine second = openAt(directory(), Durability.ALWAYS);
        write(second, put("a", "2"));
        assertThat(get(engine(), "a")).isEqualTo("2");
        write(engine(), put("b", "3"));
        assertThat(scan(second, "", null)).hasSize(2);
    }

    /// As that of one machine, with as many steps as the network allows.
    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void behavesLikeAMapUnderRandomOperations(long seed) {
        new RandomCluster(engine(), seed).perform(Integer.getInteger("kvant.operations", ALL ? 600 : 200));
    }
}
