package kvant.lsm.memtable;

import static kvant.engine.Samples.bytes;
import static kvant.engine.Samples.valueOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import kvant.engine.Lookup;
import kvant.engine.Samples;
import kvant.lsm.Seeds;
import kvant.lsm.bytes.Keys;
import kvant.lsm.record.ListCursor;
import kvant.lsm.record.ListCursor.Entry;
import kvant.lsm.record.Reading;
import kvant.lsm.record.Tag;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Behaviour that every memtable shares.
public abstract class MemtableContract {

    private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochMilli(1_000));
    private static final byte[] START = {};
    private static final long SEED = Seeds.seed(41);

    private Memtable memtable;

    /// @param expectedBytes about how much it will hold
    protected abstract Memtable create(long expectedBytes);

    @BeforeEach
    void begin() {
        memtable = create(1 << 20);
    }

    @Test
    void whatWasNeverAddedIsUnknownRatherThanAbsent() {
        assertThat(memtable.find(bytes("a"), Tag.NEWEST, Reading.by(CLOCK))).isNull();
        assertThat(memtable.isEmpty()).isTrue();
        assertThat(memtable.cursor().seek(START)).isFalse();
        assertThat(memtable.cursor().next()).isFalse();
    }

    @Test
    void theNewestVersionAnswersAndTheCursorShowsAllOfThemNewestFirst() {
        put(1, "k", "old");
        put(2, "k", "new");
        put(3, "k2", "other");
        assertThat(valueOf(memtable.find(bytes("k"), Tag.NEWEST, Reading.by(CLOCK))))
                .isEqualTo("new");
        List<Entry> shown = ListCursor.drain(memtable.cursor(), START);
        assertThat(shown.stream().map(entry -> Tag.sequence(entry.tag()))).containsExactly(2L, 1L, 3L);
        assertThat(memtable.lastSequence()).isEqualTo(3);
    }

    @Test
    void aSnapshotFindsTheNewestVersionThatItSees() {
        put(1, "j", "neighbour");
        put(2, "k", "first");
        put(3, "k2", "neighbour");
        put(4, "k", "second");
        memtable.add(5, Tag.DELETE, bytes("k"), new byte[0], 0);
        put(6, "k", "third");
        List<@Nullable Lookup> seen = new ArrayList<>();
        for (int sequence = 1; sequence <= 7; sequence++) {
            seen.add(memtable.find(bytes("k"), Tag.upTo(sequence), Reading.by(CLOCK)));
        }
        assertThat(seen.getFirst()).as("before the first version").isNull();
        assertThat(valueOf(seen.get(1))).isEqualTo("first");
        assertThat(valueOf(seen.get(2))).isEqualTo("first");
        assertThat(valueOf(seen.get(3))).isEqualTo("second");
        assertThat(seen.get(4)).isEqualTo(Lookup.Miss.ABSENT);
        assertThat(valueOf(seen.get(5))).isEqualTo("third");
        assertThat(valueOf(seen.get(6))).isEqualTo("third");
    }

    @Test
    void aDeletionAnswersAbsent() {
        put(1, "k", "v");
        memtable.add(2, Tag.DELETE, bytes("k"), new byte[0], 0);
        assertThat(memtable.find(bytes("k"), Tag.NEWEST, Reading.by(CLOCK))).isEqualTo(Lookup.Miss.ABSENT);
    }

    @Test
    void aValueExpiresAtItsTimeAndNotBefore() {
        memtable.add(1, Tag.PUT_EXPIRING, bytes("gone"), bytes("v"), 1_000);
        memtable.add(2, Tag.PUT_EXPIRING, bytes("here"), bytes("v"), 1_001);
        assertThat(memtable.find(bytes("gone"), Tag.NEWEST, Reading.by(CLOCK))).isEqualTo(Lookup.Miss.ABSENT);
        assertThat(valueOf(memtable.find(bytes("here"), Tag.NEWEST, Reading.by(CLOCK))))
                .isEqualTo("v");
    }

    @Test
    void valuesAroundTheSizeThatIsSharedInsteadOfCopiedAreFoundWhole() {
        int large = 16 << 10;
        long sequence = 1;
        for (int kind : new int[] {Tag.PUT, Tag.PUT_EXPIRING}) {
            for (int length : new int[] {0, large - 9, large - 8, large - 1, large, large + 1, 1 << 20}) {
                byte[] key = bytes("k" + kind + "-" + length);
                byte[] value = Samples.noise(length, length);
                memtable.add(sequence++, kind, key, value, 2_000);
                Lookup found = memtable.find(key, Tag.NEWEST, Reading.by(CLOCK));
                assertThat(found).isInstanceOf(Lookup.Found.class);
                assertThat(((Lookup.Found) found).value()).isEqualTo(value);
            }
        }
    }

    @Test
    void memoryIsCountedWithLargeValuesAndLongKeys() {
        long before = memtable.bytes();
        memtable.add(1, Tag.PUT, Samples.noise(64 << 10, 1), Samples.noise(1 << 20, 2), 0);
        assertThat(memtable.bytes() - before).isGreaterThan((1 << 20) + (64 << 10));
    }

    /// Were every version a link of its chain, the neighbours of this key would be found after so many steps that
    /// this test would take minutes.
    @Test
    void aKeyThatIsWrittenOverAndOverDoesNotSlowOthersDown() {
        Memtable small = create(1);
        List<byte[]> keys = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            keys.add(bytes("key" + i));
            small.add(i + 1, Tag.PUT, keys.getLast(), bytes("v"), 0);
        }
        for (int i = 500; i < 200_000; i++) {
            small.add(i + 1, Tag.PUT, bytes("key7"), bytes("v" + i), 0);
        }
        assertTimeoutPreemptively(Duration.ofSeconds(10), () -> {
            for (int round = 0; round < 2_000; round++) {
                for (byte[] key : keys) {
                    if (small.find(key, Tag.NEWEST, Reading.by(CLOCK)) == null) {
                        throw new AssertionError("a key is missing");
                    }
                }
            }
        });
        assertThat(valueOf(small.find(bytes("key7"), Tag.NEWEST, Reading.by(CLOCK))))
                .isEqualTo("v199999");
    }

    /// Keys in order take a shorter way; each kind of neighbour must leave it at the right place.
    @Test
    void keysThatComeInOrderAndNowAndThenDoNot() {
        List<Entry> all = new ArrayList<>();
        Random random = new Random(SEED);
        int at = 0;
        for (int sequence = 1; sequence <= 20_000; sequence++) {
            at = random.nextInt(50) == 0 ? random.nextInt(10_000) : at + random.nextInt(3); // 0: the same key again
            byte[] key = bytes("key%06d".formatted(at));
            byte[] value = bytes("v" + sequence);
            memtable.add(sequence, Tag.PUT, key, value, 0);
            all.add(new Entry(key, Tag.of(sequence, Tag.PUT), value));
        }
        all.sort(Entry.ORDER);
        assertThat(ListCursor.drain(memtable.cursor(), START).equals(all))
                .as("seed %d", SEED)
                .isTrue();
    }

    @Test
    void agreesWithASortedMapOverManyRandomKeys() {
        Random random = new Random(SEED);
        TreeMap<byte[], byte[]> newest = new TreeMap<>(Keys::compare);
        List<Entry> all = new ArrayList<>();
        for (long sequence = 1; sequence <= 20_000; sequence++) {
            byte[] key = Seeds.key(random, 12);
            byte[] value = Seeds.bytes(random, random.nextInt(40));
            memtable.add(sequence, Tag.PUT, key, value, 0);
            newest.put(key, value);
            all.add(new Entry(key, Tag.of(sequence, Tag.PUT), value));
        }
        assertThat(memtable.count()).isEqualTo(all.size());
        newest.forEach((key, value) -> assertThat(
                        ((Lookup.Found) memtable.find(key, Tag.NEWEST, Reading.by(CLOCK))).value())
                .as("seed %d", SEED)
                .isEqualTo(value));
        for (int i = 0; i < 1_000; i++) {
            byte[] key = Seeds.key(random, 12);
            assertThat(memtable.find(key, Tag.NEWEST, Reading.by(CLOCK)) != null)
                    .as("seed %d", SEED)
                    .isEqualTo(newest.containsKey(key));
        }
        all.sort(Entry.ORDER);
        assertThat(ListCursor.drain(memtable.cursor(), START).equals(all))
                .as("seed %d", SEED)
                .isTrue();
        byte[] middle = Seeds.key(random, 3);
        assertThat(ListCursor.drain(memtable.cursor(), middle).equals(ListCursor.drain(new ListCursor(all), middle)))
                .as("seed %d", SEED)
                .isTrue();
    }

    private void put(long sequence, String key, String value) {
        memtable.add(sequence, Tag.PUT, bytes(key), bytes(value), 0);
    }
}
