package kvant.engine.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import kvant.engine.kit.ExpiryClock.Epoch;
import kvant.engine.kit.ExpiryClock.State;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/// No answer is taken back, whatever the wall clock does.
class ExpiryClockTest {

    /// A record, and whether it was answered as expired.
    private static final class Stored {
        final long end;
        final long sequence;
        boolean expired;

        Stored(long end, long sequence) {
            this.end = end;
            this.sequence = sequence;
        }
    }

    private long nowMillis = 1_000;
    private int saves;
    private ExpiryClock clock = clock(State.NEW);

    @Test
    void theWallClockDecidesWhatWasNotSeenYet() {
        assertThat(clock.isExpired(1_000, 1)).isTrue();
        assertThat(clock.isExpired(1_001, 2)).isFalse();
        nowMillis = 900;
        assertThat(clock.isExpired(1_000, 1)).isTrue();
        assertThat(clock.isExpired(1_001, 2)).isFalse();
    }

    @Test
    void anEpochEndsWhereALifeTimeShowsThatTheClockWasSetBackAndIsSavedFirst() {
        nowMillis = 5_000;
        assertThat(clock.isExpired(4_000, 7)).isTrue();
        clock.written(5_500, 8);
        nowMillis = 1_000;
        clock.written(900, 9); // has expired before it was written
        clock.written(4_001, 10); // later than all that was seen
        assertThat(saves).isZero();

        clock.written(3_000, 11);

        assertThat(saves).isEqualTo(1);
        assertThat(clock.state()).isEqualTo(new State(ExpiryClock.NOTHING, List.of(new Epoch(10, 4_000))));
        assertThat(clock.isExpired(3_000, 11)).isFalse();
        assertThat(clock.isExpired(4_000, 10)).isTrue();
        assertThat(clock.isExpired(4_001, 10)).isFalse();
    }

    /// The reader looked at the clock before that was set back, and comes while the commit thread ends the epoch.
    @Test
    void whatIsSeenAsExpiredWhileAnEpochEndsStaysExpired() {
        AtomicReference<Runnable> between = new AtomicReference<>();
        clock = new ExpiryClock(
                () -> {
                    Runnable reader = between.getAndSet(null);
                    if (reader != null) {
                        reader.run();
                    }
                    return Instant.ofEpochMilli(nowMillis);
                },
                new State(4_000, List.of()));
        between.set(() -> {
            nowMillis = 6_000;
            assertThat(clock.isExpired(5_000, 7)).isTrue();
            nowMillis = 1_000;
        });

        clock.written(3_000, 11);

        assertThat(clock.isExpired(5_000, 7)).isTrue();
        assertThat(clock.isExpired(3_000, 11)).isFalse();
        assertThat(clock.state()).isEqualTo(new State(ExpiryClock.NOTHING, List.of(new Epoch(10, 5_000))));
    }

    @Test
    void epochsAreBoundedAndOnesThatSayNothingMoreGo() {
        for (int i = 0; i < 100; i++) {
            nowMillis = 100_000 - i * 10;
            clock.isExpired(nowMillis, 10L * i);
            nowMillis -= 100;
            clock.written(nowMillis + 50, 10L * i + 1);
        }
        assertThat(clock.state().epochs()).hasSize(ExpiryClock.MAX_EPOCHS);
        assertThat(clock.isExpired(100_000, 0)).as("of the first epoch").isTrue();
        nowMillis = 200_000;
        clock.isExpired(200_000, 2_000);
        nowMillis = 1_000;
        clock.written(2_000, 2_001);
        assertThat(clock.state().epochs()).containsExactly(new Epoch(2_000, 200_000));
    }

    /// Sequence numbers that a crash took back are given again.
    @Test
    void whatLiesBeyondTheEndOfTheStoreIsForgotten() {
        State state = new State(5, List.of(new Epoch(3, 9), new Epoch(8, 7)));
        assertThat(state.upTo(6)).isEqualTo(new State(5, List.of(new Epoch(3, 9), new Epoch(6, 7))));
    }

    @RepeatedTest(20)
    void noAnswerIsTakenBackAndNothingExpiresAheadOfEveryClockThatItHasSeen(RepetitionInfo repetition) {
        SplittableRandom random = new SplittableRandom(repetition.getCurrentRepetition());
        List<Stored> records = new ArrayList<>();
        List<Long> latestSince = new ArrayList<>(); // the latest wall time since each record was written
        for (int step = 0; step < 3_000; step++) {
            nowMillis = random.nextInt(10) == 0 ? random.nextLong(1_000, 20_000) : nowMillis + random.nextInt(20);
            latestSince.replaceAll(latest -> Math.max(latest, nowMillis));
            if (random.nextInt(3) == 0) {
                Stored record = new Stored(nowMillis + random.nextLong(-10, 2_000), records.size() + 1L);
                clock.written(record.end, record.sequence);
                records.add(record);
                latestSince.add(nowMillis);
            } else if (!records.isEmpty()) {
                int asked = random.nextInt(records.size());
                Stored record = records.get(asked);
                boolean expired = clock.isExpired(record.end, record.sequence);
                assertThat(expired || !record.expired)
                        .as("taken back at step %d", step)
                        .isTrue();
                boolean merged = clock.state().epochs().size() == ExpiryClock.MAX_EPOCHS;
                assertThat(!expired || record.end <= latestSince.get(asked) || merged)
                        .as("too early at step %d", step)
                        .isTrue();
                record.expired = expired;
            }
            if (random.nextInt(50) == 0) {
                clock = clock(clock.state()); // a restart
            }
        }
    }

    private ExpiryClock clock(State state) {
        ExpiryClock made = new ExpiryClock(() -> Instant.ofEpochMilli(nowMillis), state);
        made.onEpochEnd(() -> saves++);
        return made;
    }
}
