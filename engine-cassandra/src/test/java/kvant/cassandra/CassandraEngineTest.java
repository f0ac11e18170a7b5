package kvant.cassandra;

import static kvant.engine.Samples.bytes;
import static kvant.engine.Samples.delete;
import static kvant.engine.Samples.get;
import static kvant.engine.Samples.put;
import static kvant.engine.Samples.scan;
import static kvant.engine.Samples.settle;
import static kvant.engine.Samples.write;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
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

/// The contract of every engine, against three real nodes. What a cluster promises otherwise stands here as a test of
/// its own in the place of the general one, and in the table of differences in docs/cluster.md: one row for each.
@ExtendWith(TestCluster.class)
class CassandraEngineTest extends EngineContract {

    private static final String KEYSPACE = "contract";

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

    // --- Difference: nothing is of one moment. ---

    @Override
    @Test
    public void aSnapshotKeepsWhatItSawAtItsStart() {
        aScanBesideWritesShowsWhatWasThereThroughout();
    }

    @Override
    @Test
    public void snapshotsOfDifferentTimesDoNotDisturbEachOther() {
        aScanBesideWritesShowsWhatWasThereThroughout();
    }

    @Override
    @Test
    public void scansBesideWritersSeeConsistentSnapshots() {
        aScanBesideWritesShowsWhatWasThereThroughout();
    }

    @Override
    @Test
    public void aBatchIsNeverSeenHalf() {
        aCompletedBatchIsSeenEntirely();
    }

    @Override
    @Test
    public void manyKeysAreLookedUpAsOfOneMoment() {
        aCompletedBatchIsSeenEntirely();
    }

    /// What the scans of a cluster promise: each key that is there from before to after it, once and in order.
    private void aScanBesideWritesShowsWhatWasThereThroughout() {
        for (int i = 0; i < 300; i++) {
            write(engine(), put(String.format("stays%04d", i), "v"));
        }
        try (var cursor = engine().scan(bytes(""), null)) {
            assertThat(cursor.next()).isTrue();
            String before = Samples.text(cursor.key());
            int stayed = before.startsWith("stays") ? 1 : 0;
            for (int i = 0; cursor.next(); i++) {
                write(engine(), put("comes" + i % 20, "v"), delete("comes" + (i + 10) % 20));
                String key = Samples.text(cursor.key());
                assertThat(key).isGreaterThan(before);
                stayed += key.startsWith("stays") ? 1 : 0;
                before = key;
            }
            assertThat(stayed).isEqualTo(300);
        }
    }

    private void aCompletedBatchIsSeenEntirely() {
        for (int i = 0; i < 50; i++) {
            write(engine(), put("a", "" + i), put("m", "" + i), put("z", "" + i));
            assertThat(scan(engine(), "", null))
                    .extracting(Samples.Entry::value)
                    .containsOnly("" + i);
            assertThat(engine().getAll(new byte[][] {bytes("z"), bytes("a"), bytes("m")}))
                    .extracting(Samples::valueOf)
                    .containsOnly("" + i);
        }
    }

    // --- Difference: outcomes come in the order in which the cluster answers. ---

    @Override
    @Test
    public void writesOfOneThreadAreCompletedInTheirOrder() {
        writesOfOneThreadApplyInTheirOrder();
    }

    @Override
    @Test
    public void writesOfOneThreadApplyInTheirOrder() {
        int count = 1_000;
        List<Write> writes = Submitted.all(engine(), count, i -> i % 7 == 3 ? delete("key") : put("key", "" + i));
        assertThat(get(engine(), "key")).isEqualTo("" + (count - 1));
        assertThat(Samples.version(engine(), "key")).isEqualTo(writes.getLast().version());
        assertThat(writes).extracting(Write::version).isSorted().doesNotHaveDuplicates();
    }

    // --- Difference: a condition is judged for one key. ---

    @Override
    @Test
    public void aRefusedBatchChangesNothingAtAll() {
        aConditionalBatchIsNotSupported();
    }

    @Override
    @Test
    public void theConditionIsJudgedOnTheFirstMutationsKey() {
        aConditionalBatchIsNotSupported();
    }

    private void aConditionalBatchIsNotSupported() {
        WriteBatch batch =
                WriteBatch.of(List.of(put("first", "2"), put("second", "2"))).when(new Condition.Absent());
        Write refused = settle(engine(), batch);
        assertThat(refused.failure()).isInstanceOf(EngineException.Unsupported.class);
        assertThat(scan(engine(), "", null)).isEmpty();
    }

    // --- Difference: keys end one byte earlier. ---

    @Override
    @Test
    public void storesTheLongestKey() {
        byte[] longest = new byte[Limits.DEFAULT.maxKeyBytes() - 1];
        Arrays.fill(longest, (byte) 0xAB);
        write(engine(), new Mutation.Put(longest, bytes("one")));
        assertThat(Samples.valueOf(engine().get(longest))).isEqualTo("one");
        assertThat(scan(engine(), "", null)).hasSize(1);
        byte[] longer = new byte[Limits.DEFAULT.maxKeyBytes()];
        assertThat(settle(engine(), WriteBatch.of(new Mutation.Put(longer, bytes("v"))))
                        .failure())
                .isInstanceOf(EngineException.Unsupported.class);
        assertThat(engine().get(longer)).isEqualTo(Lookup.Miss.ABSENT);
    }

    // --- Difference: there is no directory, and a store may be open many times. ---

    @Override
    @Test
    public void createsAMissingDirectory() {
        aStoreMayBeOpenManyTimes();
    }

    @Override
    @Test
    public void aDirectoryInUseIsRefused() {
        aStoreMayBeOpenManyTimes();
    }

    @Override
    @Test
    public void anotherEnginesDirectoryIsRefused() {
        aStoreMayBeOpenManyTimes(); // and SchemaTest: a store of another layout is refused
    }

    private void aStoreMayBeOpenManyTimes() {
        write(engine(), put("a", "1"));
        Engine second = openAt(directory(), Durability.ALWAYS);
        write(second, put("a", "2"));
        assertThat(get(engine(), "a")).isEqualTo("2");
        write(engine(), put("b", "3"));
        assertThat(scan(second, "", null)).hasSize(2);
    }

    // --- The same promise, with as many steps as the network allows. ---

    @Override
    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    public void behavesLikeAMapUnderRandomOperations(long seed) {
        new RandomCluster(engine(), seed).perform(Integer.getInteger("kvant.operations", 600));
    }
}
