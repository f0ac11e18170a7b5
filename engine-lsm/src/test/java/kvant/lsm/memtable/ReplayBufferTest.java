package kvant.lsm.memtable;

import static kvant.engine.Samples.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import kvant.engine.Lookup;
import kvant.lsm.Seeds;
import kvant.lsm.bytes.Keys;
import kvant.lsm.record.ListCursor;
import kvant.lsm.record.ListCursor.Entry;
import kvant.lsm.record.Reading;
import kvant.lsm.record.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayBufferTest {

    private static final long SEED = Seeds.seed(43);

    private final ReplayBuffer buffer = new ReplayBuffer();

    /// Short keys are prefixes of each other, and with a long common beginning the first bytes decide nothing.
    @ParameterizedTest
    @ValueSource(strings = {"", "user-", "a common beginning that is longer than a word/"})
    void ofEachKeyTheNewestVersionGoesOnInOrder(String beginning) {
        Random random = new Random(SEED);
        TreeMap<byte[], Entry> newest = new TreeMap<>(Keys::compare);
        for (int sequence = 1; sequence <= 5_000; sequence++) {
            byte[] tail = Seeds.key(random, 6);
            byte[] key = new byte[beginning.length() + tail.length];
            System.arraycopy(bytes(beginning), 0, key, 0, beginning.length());
            System.arraycopy(tail, 0, key, beginning.length(), tail.length);
            int kind = random.nextInt(4) == 0 ? Tag.DELETE : Tag.PUT;
            byte[] value = kind == Tag.DELETE ? new byte[0] : bytes("v" + sequence);
            buffer.add(sequence, kind, key, value, 0);
            newest.put(key, new Entry(key, Tag.of(sequence, kind), value));
        }

        assertThat(drained()).as("seed %d", SEED).isEqualTo(new ArrayList<>(newest.values()));
        assertThat(buffer.isEmpty()).isTrue();
        assertThat(drained()).as("a second time").isEmpty();
    }

    @Test
    void theMemtableKnowsTheLargestSequenceNumberAndWhenValuesExpire() {
        buffer.add(7, Tag.PUT_EXPIRING, bytes("z"), bytes("soon gone"), 1_000);
        buffer.add(8, Tag.PUT, bytes("a"), bytes("v"), 0);
        Memtable memtable = new ArenaMemtable(1 << 10);
        buffer.drainTo(memtable);

        assertThat(memtable.lastSequence()).isEqualTo(8);
        assertThat(memtable.find(bytes("z"), Tag.NEWEST, Reading.by(at(999)))).isInstanceOf(Lookup.Found.class);
        assertThat(memtable.find(bytes("z"), Tag.NEWEST, Reading.by(at(1_000)))).isEqualTo(Lookup.Miss.ABSENT);
    }

    @Test
    void itIsFullWhenItHoldsAsMuchAsAMemtable() {
        assertThat(buffer.isFull(1)).isFalse();
        buffer.add(1, Tag.PUT, bytes("a"), new byte[5_000], 0);
        assertThat(buffer.isFull(10_000)).isFalse();
        buffer.add(2, Tag.PUT, bytes("b"), new byte[5_000], 0);
        assertThat(buffer.isFull(10_000)).isTrue();
        drained();
        assertThat(buffer.isFull(10_000)).as("after it was emptied").isFalse();
    }

    /// What one fill had in common says nothing of the next one.
    @Test
    void aSecondFillHasItsOwnBeginning() {
        for (Map.Entry<String, String> pair :
                Map.of("same-a", "same-b", "x", "another").entrySet()) {
            buffer.add(1, Tag.PUT, bytes(pair.getKey()), bytes("1"), 0);
            buffer.add(2, Tag.PUT, bytes(pair.getValue()), bytes("2"), 0);
            List<String> keys =
                    drained().stream().map(entry -> new String(entry.key())).toList();
            assertThat(keys).isSorted().containsExactlyInAnyOrder(pair.getKey(), pair.getValue());
        }
    }

    private List<Entry> drained() {
        Memtable memtable = new ArenaMemtable(1 << 10);
        buffer.drainTo(memtable);
        return ListCursor.drain(memtable.cursor(), new byte[0]);
    }

    private static InstantSource at(long millis) {
        return InstantSource.fixed(Instant.ofEpochMilli(millis));
    }
}
