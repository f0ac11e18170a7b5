package kvant.cassandra;

import static kvant.engine.Samples.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import kvant.engine.Cursor;
import kvant.engine.EngineException;
import kvant.engine.Mutation;
import kvant.engine.Range;
import kvant.engine.Samples;
import kvant.engine.WriteBatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Exports by parts of the ring, over many pages.
@ExtendWith(TestCluster.class)
class ExportTest {

    private static final String KEYSPACE = "export";
    private static final int BUCKETS = 8 * ExportScan.LANES; // far more parts than are read at once
    private static final int RECORDS = 3000;

    private CassandraEngine engine = open(Duration.ofSeconds(10));

    @BeforeEach
    void fill() {
        for (int i = 0; i < RECORDS; i += 500) {
            List<Mutation> puts = new ArrayList<>();
            for (int j = i; j < i + 500; j++) {
                puts.add(new Mutation.Put(bytes("k" + j), new byte[1000]));
            }
            Samples.write(engine, WriteBatch.of(puts));
        }
    }

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void whatStaysShowsOnceWhileOtherKeysComeAndGo() {
        Set<String> seen = new HashSet<>();
        try (Cursor cursor = engine.export(Range.of(bytes("k"), bytes("l")))) {
            for (int i = 0; cursor.next(); i++) {
                String key = Samples.text(cursor.key());
                assertThat(seen.add(key)).as(key).isTrue();
                if (i % 50 == 0) {
                    Samples.write(engine, Samples.put("kcomes" + i, ""), Samples.delete("kcomes" + (i - 50)));
                }
            }
        }
        seen.removeIf(key -> key.startsWith("kcomes"));
        assertThat(seen).hasSize(RECORDS);
    }

    @Test
    void aReaderThatDoesNotReadHasNoMoreAskedForThanOnePageOfEachLane() {
        try (Cursor cursor = engine.export(Range.all())) {
            assertThat(requests()).isEqualTo(ExportScan.LANES);
            assertThat(cursor.next()).isTrue();
            assertThat(requests()).isLessThanOrEqualTo(ExportScan.LANES + 1);
        }
    }

    @Test
    void eachPageHasATimeLimit() {
        engine.close();
        engine = open(Duration.ofMillis(700));
        TestCluster.cluster().pause(2);
        TestCluster.cluster().pause(3);
        long beganNanos = System.nanoTime();
        try (Cursor cursor = engine.export(Range.all())) {
            assertThatThrownBy(cursor::next)
                    .isInstanceOfAny(EngineException.TimedOut.class, EngineException.Unavailable.class);
            assertThat(System.nanoTime() - beganNanos)
                    .isLessThan(Duration.ofSeconds(10).toNanos());
            assertThat(cursor.next()).isFalse();
        } finally {
            TestCluster.awaitAllUp();
            await().atMost(Duration.ofMinutes(1)).until(() -> Figures.nodesUp(TestCluster.session()) == 3);
        }
    }

    private long requests() {
        AtomicLong found = new AtomicLong();
        engine.measure(new CounterSink() {
            @Override
            public void counter(String name, String help, double value, String... labels) {
                if (name.equals("kvant_cassandra_requests_total") && labels[1].equals("export")) {
                    found.addAndGet((long) value);
                }
            }
        });
        return found.get();
    }

    private static CassandraEngine open(Duration timeout) {
        CassandraOptions.Draft draft = new CassandraOptions.Draft(List.of("127.0.0.1:9042"));
        draft.keyspace = KEYSPACE;
        draft.buckets = BUCKETS;
        draft.timeout = timeout;
        return CassandraEngine.over(TestCluster.session(), draft.options());
    }
}
