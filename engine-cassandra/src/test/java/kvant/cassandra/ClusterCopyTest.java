package kvant.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import kvant.engine.Cursor;
import kvant.engine.Engine;
import kvant.engine.Mutation;
import kvant.engine.Range;
import kvant.engine.Write;
import kvant.move.copy.Copy;
import kvant.move.copy.CopyOptions;
import kvant.move.copy.CopyState;
import kvant.move.copy.Endpoint;
import kvant.move.copy.EngineEndpoint;
import kvant.move.copy.Progress;
import kvant.move.copy.RetryPolicy;
import kvant.move.copy.StateFile;
import kvant.move.copy.Verification;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// A copy out of a real cluster and into one, stopped in the middle.
@ExtendWith(TestCluster.class)
class ClusterCopyTest {

    private static final int RECORDS = 1500;
    private static final CopyOptions SAVING = new CopyOptions(0, 64 << 10, 1 << 20, 64, 100_000_000);

    @TempDir
    private Path folder = Path.of("");

    private final AtomicLong copied = new AtomicLong();

    private final Progress progress = new Progress() {
        @Override
        public void copied(CopyState state) {
            copied.set(state.records());
        }

        @Override
        public void compared(long records, long bytes, byte[] key) {}
    };

    @Test
    void aStoreOfAClusterIsCopiedWithItsLifeTimesAndGoesOnAfterAStop() {
        long day = System.currentTimeMillis() + 86_400_000;
        StateFile file = new StateFile(folder.resolve("state"));
        try (Endpoint source = home("copy_source");
                Endpoint target = home("copy_target")) {
            try (Engine engine = CassandraEngine.over(TestCluster.session(), TestCluster.options("copy_source"))) {
                assertThat(Submitted.all(engine, RECORDS, i -> record(i, day)))
                        .allMatch(write -> write.outcome() == Write.Outcome.APPLIED);
            }
            assertThat(Copy.isEmpty(target, new RetryPolicy(() -> false))).isTrue();

            CopyState begin = CopyState.begin(source.name(), target.name(), false);
            CopyState stopped = copy(source, target, file, begin, () -> copied.get() > RECORDS / 3);
            assertThat(stopped.finished()).isFalse();
            assertThat(stopped.records()).isBetween(RECORDS / 3L, RECORDS - 1L);
            assertThat(compare(source, target).missing())
                    .isEqualTo(RECORDS - compare(target, source).records());
            CopyState end = copy(source, target, file, stopped, () -> false);

            assertThat(end.finished()).isTrue();
            assertThat(end.records()).isEqualTo(RECORDS);
            Verification.Result result = compare(source, target);
            assertThat(result.isSame(false)).as(result::toString).isTrue();
            assertThat(result.records()).isEqualTo(RECORDS);
        }
        try (Engine engine = CassandraEngine.over(TestCluster.session(), TestCluster.options("copy_target"));
                Cursor cursor = engine.scan(Range.all())) {
            for (int i = 0; i < RECORDS; i++) {
                assertThat(cursor.next()).isTrue();
                Mutation.Put expected = record(i, day);
                assertThat(cursor.key()).isEqualTo(expected.key());
                assertThat(cursor.value()).isEqualTo(expected.value());
                assertThat(cursor.expiresAtMillis()).isEqualTo(expected.expiresAtMillis());
            }
        }
    }

    private static Mutation.Put record(int i, long day) {
        byte[] key = "key%06d".formatted(i).getBytes(StandardCharsets.UTF_8);
        return new Mutation.Put(key, new byte[i % 300], i % 3 == 0 ? day + i : Mutation.Put.NEVER);
    }

    private static Endpoint home(String keyspace) {
        return new EngineEndpoint(keyspace, CassandraEngine.over(TestCluster.session(), TestCluster.options(keyspace)));
    }

    private CopyState copy(Endpoint source, Endpoint target, StateFile file, CopyState begin, BooleanSupplier stopped) {
        return new Copy(source, target, SAVING, file, progress, new RetryPolicy(stopped)).run(begin);
    }

    private Verification.Result compare(Endpoint source, Endpoint target) {
        return new Verification(
                        source, target, SAVING, progress, new RetryPolicy(() -> false), Verification.RANGE_RECORDS)
                .run();
    }
}
