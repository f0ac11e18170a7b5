package kvant.move.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import kvant.engine.EngineException;
import kvant.engine.Mutation;
import kvant.text.UserException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Copies between endpoints in memory: complete whatever happens, bounded, and retried for a limited time.
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CopyTest {

    /// Saves the state after each write.
    private static final CopyOptions SAVING = new CopyOptions(0, 1 << 20, 8 << 20, 16, 0);

    private static final long SECOND = 1_000_000_000;

    @TempDir
    private Path folder = Path.of("");

    private final FakeTime time = new FakeTime();
    private final MemoryEndpoint source = new MemoryEndpoint();
    private final MemoryEndpoint target = new MemoryEndpoint();

    @AfterEach
    void end() {
        target.closed = true;
    }

    @ParameterizedTest
    @CsvSource({"1, 1, false", "2, 7, false", "3, 1, true", "4, 7, true", "5, 1000, true"})
    void everythingArrivesWithItsEnd(int seed, int writeRecords, boolean later) {
        fillAtRandom(seed, 500);
        target.writeRecords = writeRecords;
        if (later) {
            target.later();
        }

        CopyState end = copy(SAVING, begin(), () -> false);

        assertThat(target.map).isEqualTo(source.map);
        assertThat(end.finished()).isTrue();
        assertThat(end.records()).isEqualTo(source.map.size());
        assertThat(end).isEqualTo(file().read());
    }

    @Test
    void anEmptyStoreIsCopied() {
        CopyState end = copy(SAVING, begin(), () -> false);

        assertThat(end.finished()).isTrue();
        assertThat(end.records()).isZero();
        assertThat(target.map).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCopyThatIsKilledAfterAnyWriteGoesOnToTheSameStore(boolean later) {
        fillAtRandom(9, 60);
        int kills = 0;
        for (int writes = 0; ; writes++) {
            MemoryEndpoint dying = new MemoryEndpoint();
            dying.writeRecords = 3;
            dying.killedAfter = writes;
            CopyState[] atTheEnd = new CopyState[1];
            if (later) {
                dying.whenKilled = () -> atTheEnd[0] = file().read(); // whatever the copy may save after it
                dying.later();
            }
            CopyState left;
            try {
                left = new Copy(source, dying, SAVING, file(), new Silence(), time).run(begin());
            } catch (MemoryEndpoint.KilledError _) {
                left = Objects.requireNonNull(file().read(), "the state of the killed copy");
            } catch (UserException _) {
                left = Objects.requireNonNull(atTheEnd[0], "the state of the killed copy");
            } finally {
                dying.closed = true;
            }
            kills += left.finished() ? 0 : 1;
            claimsNoMoreThanThereIs(left, dying);

            target.map.clear();
            target.map.putAll(dying.map);
            CopyState end = copy(SAVING, left, () -> false);

            assertThat(target.map).isEqualTo(source.map);
            assertThat(end.records()).isEqualTo(60);
            if (left.finished()) {
                break;
            }
        }
        assertThat(kills).isGreaterThanOrEqualTo(20);
    }

    private void claimsNoMoreThanThereIs(CopyState state, MemoryEndpoint endpoint) {
        byte[] key = state.key();
        if (key != null) {
            assertThat(endpoint.map).containsAllEntriesOf(source.map.headMap(key, true));
            assertThat(state.records()).isEqualTo(source.map.headMap(key, true).size());
        }
    }

    @Test
    void theStateIsThereBeforeTheFirstRecord() {
        fillAtRandom(3, 10);
        target.killedAfter = 0;
        assertThatThrownBy(() -> copy(SAVING, begin(), () -> false)).isInstanceOf(MemoryEndpoint.KilledError.class);
        assertThat(file().read()).isEqualTo(begin());
    }

    @Test
    void aStoppedCopyIsNotFinishedAndGoesOn() {
        fillAtRandom(5, 100);
        AtomicInteger asked = new AtomicInteger();

        CopyState stopped = copy(SAVING, begin(), () -> asked.incrementAndGet() > 60);

        assertThat(stopped.finished()).isFalse();
        assertThat(stopped.records()).isBetween(7L, 93L);
        assertThat(file().read()).isEqualTo(stopped);
        claimsNoMoreThanThereIs(stopped, target);
        target.writeSizes.clear();
        CopyState end = copy(SAVING, stopped, () -> false);
        assertThat(target.map).isEqualTo(source.map);
        assertThat(end.records()).isEqualTo(100);
        assertThat(target.writeSizes.stream().mapToInt(n -> n).sum()).isEqualTo(100 - (int) stopped.records());
    }

    @Test
    void whatIsInFlightIsBounded() {
        for (int i = 0; i < 2000; i++) {
            source.put("key" + i, "v".repeat(100));
        }
        target.writeRecords = 5;
        target.later();

        copy(new CopyOptions(0, 1 << 20, 3000, 100, SECOND), begin(), () -> false);
        assertThat(target.mostOutstandingBytes).isBetween(1000L, 3000L);
        assertThat(target.map).isEqualTo(source.map);
    }

    @Test
    void theNumberOfWritesInFlightIsBounded() {
        fillAtRandom(8, 500);
        target.writeRecords = 1;
        target.later();
        copy(new CopyOptions(0, 1 << 20, 8 << 20, 3, SECOND), begin(), () -> false);
        assertThat(target.mostOutstanding).isBetween(2, 3);
    }

    @Test
    void aWriteHoldsNoMoreBytesThanItMay() {
        for (int i = 0; i < 50; i++) {
            source.put("key" + i, "v".repeat(100));
        }
        source.put("large", "v".repeat(5000));
        target.writeRecords = 1000;
        copy(new CopyOptions(0, 500, 8 << 20, 16, 0), begin(), () -> false);
        assertThat(target.map).isEqualTo(source.map);
        assertThat(target.writeSizes).allMatch(size -> size <= 3).contains(3);
    }

    @Test
    void aBusyTargetIsTriedAgainWithGrowingPauses() {
        fillAtRandom(4, 20);
        target.writeRecords = 100;
        AtomicInteger tries = new AtomicInteger();
        target.refuses = _ -> tries.incrementAndGet() < 6 ? new EngineException.Busy("stalled") : null;

        assertThat(copy(SAVING, begin(), () -> false).finished()).isTrue();

        assertThat(target.map).isEqualTo(source.map);
        assertThat(time.nanos).isEqualTo(3_100_000_000L); // 0.1, 0.2, 0.4, 0.8, 1.6 s
    }

    @Test
    void aTargetThatStaysAwayEndsTheCopyInOneLineWithItsState() {
        fillAtRandom(4, 20);
        AtomicInteger writes = new AtomicInteger();
        target.refuses = _ -> writes.incrementAndGet() > 1 ? new EngineException.Unavailable("node down") : null;

        assertThatThrownBy(() -> copy(new CopyOptions(0, 1 << 20, 8 << 20, 1, 0), begin(), () -> false))
                .isInstanceOf(UserException.class)
                .hasMessage("cannot write to memory: node down (10 tries)");

        assertThat(writes.get()).isEqualTo(11);
        assertThat(Objects.requireNonNull(file().read()).records()).isEqualTo(7);
        assertThat(time.nanos).isBetween(20_000_000_000L, 60_000_000_000L);
    }

    @Test
    void aFullTargetEndsTheCopyAtOnce() {
        fillAtRandom(4, 20);
        target.refuses = _ -> new EngineException.StorageFull("the disk is full");
        assertThatThrownBy(() -> copy(SAVING, begin(), () -> false))
                .isInstanceOf(UserException.class)
                .hasMessage("cannot write to memory: the disk is full");
        assertThat(time.nanos).isZero();
    }

    @Test
    void aStopIsHeardWhileATargetIsAway() {
        fillAtRandom(4, 20);
        target.refuses = _ -> new EngineException.Unavailable("node down");
        CopyState end = copy(SAVING, begin(), () -> time.nanos > 2 * SECOND); // in a pause of 1.6 s
        assertThat(end).isEqualTo(begin());
        assertThat(time.nanos).isLessThan(5 * SECOND / 2);
    }

    @Test
    void whatIsTooMuchForOneWriteGoesInHalves() {
        fillAtRandom(6, 200);
        target.writeRecords = 100;
        target.mostInWrite = 10;

        CopyState end = copy(SAVING, begin(), () -> false);

        assertThat(target.map).isEqualTo(source.map);
        assertThat(end.records()).isEqualTo(200);
        assertThat(target.writeSizes)
                .as("the lesson is kept")
                .filteredOn(size -> size == 100)
                .hasSize(1);
        target.mostInWrite = 0;
        assertThatThrownBy(() -> copy(SAVING, begin(), () -> false)).hasMessageContaining("too many at once");
    }

    @Test
    void aScanThatIsBrokenOffGoesOnFromItsLastRecord() {
        fillAtRandom(7, 100);
        source.breaksScansAfter = 4;
        assertThat(copy(SAVING, begin(), () -> false).records()).isEqualTo(100);
        assertThat(target.map).isEqualTo(source.map);
        assertThat(source.scans).isGreaterThan(20);
    }

    @Test
    void aSourceThatCannotBeReadEndsTheCopy() {
        fillAtRandom(7, 10);
        source.breaksScansAfter = 0;
        assertThatThrownBy(() -> copy(SAVING, begin(), () -> false))
                .isInstanceOf(UserException.class)
                .hasMessage("cannot read memory: the snapshot is too old");
        assertThat(source.scans).isEqualTo(RetryPolicy.MOST_TRIES);
        source.scans = 0;
        source.breaksScansWith = new EngineException.Corruption("1.table", 7, "a checksum");
        assertThatThrownBy(() -> copy(SAVING, begin(), () -> false)).hasMessageContaining("1.table is damaged");
        assertThat(source.scans).isEqualTo(1);
    }

    @Test
    void theRateBoundsWhatIsReadInASecond() {
        for (int i = 0; i < 1000; i++) {
            source.put("key" + i, "v".repeat(1000));
        }
        CopyState end = copy(SAVING.withRate(100_000), begin(), () -> false);
        double seconds = time.nanos / 1e9;
        assertThat(seconds).isBetween(end.bytes() / 100_000.0 * 0.98, end.bytes() / 100_000.0 * 1.02);
    }

    @Test
    void withoutARateNobodyWaits() {
        fillAtRandom(2, 1000);
        copy(CopyOptions.DEFAULT, begin(), () -> false);
        assertThat(time.nanos).isZero();
    }

    @Test
    void aHomeIsEmptyWhenItShowsNoRecord() {
        assertThat(Copy.isEmpty(target, time)).isTrue();
        target.put("k", "");
        assertThat(Copy.isEmpty(target, time)).isFalse();
    }

    private void fillAtRandom(int seed, int records) {
        Random random = new Random(seed);
        while (source.map.size() < records) {
            byte[] key = new byte[1 + random.nextInt(6)];
            byte[] value = new byte[random.nextInt(50)];
            random.nextBytes(key);
            random.nextBytes(value);
            long end = random.nextInt(3) == 0 ? time.millis + 1 + random.nextLong(1L << 40) : Mutation.Put.NEVER;
            source.map.put(key, new MemoryEndpoint.Stored(value, end));
        }
    }

    private CopyState begin() {
        return CopyState.begin("a", "b", false);
    }

    private StateFile file() {
        return new StateFile(folder.resolve("state"));
    }

    private CopyState copy(CopyOptions options, CopyState begin, BooleanSupplier stopped) {
        return new Copy(source, target, options, file(), new Silence(), time.stoppedBy(stopped)).run(begin);
    }
}
