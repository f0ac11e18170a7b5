package kvant.lsm.memtable;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Arrays.copyOfRange;
import static kvant.engine.Samples.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import kvant.engine.Lookup;
import kvant.lsm.Seeds;
import kvant.lsm.bytes.Keys;
import kvant.lsm.record.ListCursor;
import kvant.lsm.record.ListCursor.Entry;
import kvant.lsm.record.Reading;
import kvant.lsm.record.RecordCursor;
import kvant.lsm.record.StoredValue;
import kvant.lsm.record.Tag;
import kvant.lsm.storage.HeapStorage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayBufferTest {

    private static final long SEED = Seeds.seed(43);

    private final ReplayBuffer buffer = new ReplayBuffer(10_000);

    /// Short keys are prefixes of each other, and with a long common beginning the first bytes decide nothing.
    @ParameterizedTest
    @ValueSource(strings = {"", "user-", "a common beginning that is longer than a word/"})
    void ofEachKeyTheNewestVersionGoesOnInOrder(String beginning) {
        Random random = new Random(SEED);
        TreeMap<byte[], Entry> newest = new TreeMap<>(Keys::compare);
        List<Entry> all = new ArrayList<>();
        for (int sequence = 1; sequence <= 5_000; sequence++) {
            byte[] tail = Seeds.key(random, 6);
            byte[] key = new byte[beginning.length() + tail.length];
            System.arraycopy(bytes(beginning), 0, key, 0, beginning.length());
            System.arraycopy(tail, 0, key, beginning.length(), tail.length);
            int kind = random.nextInt(4) == 0 ? Tag.DELETE : Tag.PUT;
            byte[] value = kind == Tag.DELETE ? new byte[0] : bytes("v" + sequence);
            add(sequence, kind, key, value, 0);
            Entry entry = new Entry(key, Tag.of(sequence, kind), value);
            newest.put(key, entry);
            all.add(entry);
        }
        all.sort(Entry.ORDER);

        assertThat(copied()).as("seed %d", SEED).isEqualTo(new ArrayList<>(newest.values()));
        assertThat(ListCursor.drain(buffer.cursor(), new byte[0]))
                .as("every version, seed %d", SEED)
                .isEqualTo(all);
    }

    @Test
    void aCursorSeeksAndEnds() {
        for (int i = 0; i < 1_000; i++) {
            add(i + 1, Tag.PUT, bytes("key-%03d".formatted((i * 7) % 1_000)), bytes("v"), 0);
        }
        RecordCursor cursor = buffer.cursor();

        assertThat(cursor.next()).as("before a seek").isFalse();
        assertThat(cursor.seek(bytes("key-500"))).isTrue();
        assertThat(cursor.key()).isEqualTo(bytes("key-500"));
        assertThat(ListCursor.drain(cursor, bytes("key-9901"))).hasSize(9);
        assertThat(cursor.next()).as("behind the last one").isFalse();
        assertThat(cursor.seek(bytes("key-9999"))).isFalse();
        assertThat(cursor.seek(new byte[0])).isTrue();
        assertThat(cursor.key()).isEqualTo(bytes("key-000"));
    }

    @Test
    void aLargeValueIsThereAgain() {
        byte[] value = new byte[100_000];
        new Random(SEED).nextBytes(value);
        add(1, Tag.PUT_EXPIRING, bytes("k"), value, 5);

        RecordCursor cursor = buffer.cursor();
        assertThat(cursor.seek(new byte[0])).isTrue();
        assertThat(cursor.expiresAtMillis()).isEqualTo(5);
        byte[] stored = StoredValue.withExpiry(value, 5);
        assertThat(cursor.storedValue()).isEqualTo(stored);
        for (int from : new int[] {0, 3, 8, 9, 70_000}) {
            for (int length : new int[] {1, 5, 8, 30_000}) {
                byte[] part = new byte[length];
                cursor.copyValue(from, part, 0, length);
                assertThat(part)
                        .as("%d bytes from %d", length, from)
                        .isEqualTo(copyOfRange(stored, from, from + length));
            }
        }
    }

    @Test
    void theMemtableKnowsTheLargestSequenceNumberAndWhenValuesExpire() {
        add(7, Tag.PUT_EXPIRING, bytes("z"), bytes("soon gone"), 1_000);
        add(8, Tag.PUT, bytes("a"), bytes("v"), 0);
        Memtable memtable = new ArenaMemtable(1 << 10);
        buffer.copyTo(memtable);

        assertThat(buffer.lastSequence()).isEqualTo(8);
        assertThat(memtable.lastSequence()).isEqualTo(8);
        Lookup found = memtable.find(bytes("z"), Tag.NEWEST, Reading.by(at(999)));
        assertThat(found).isInstanceOf(Lookup.Found.class);
        assertThat(((Lookup.Found) found).value()).isEqualTo(bytes("soon gone"));
        assertThat(memtable.find(bytes("z"), Tag.NEWEST, Reading.by(at(1_000)))).isEqualTo(Lookup.Miss.ABSENT);
    }

    @Test
    void itIsFullWhenItHoldsAsMuchAsAMemtable() {
        assertThat(buffer.isEmpty()).isTrue();
        add(1, Tag.PUT, bytes("a"), new byte[5_000], 0);
        assertThat(buffer.isEmpty()).isFalse();
        assertThat(buffer.isFull()).isFalse();
        add(2, Tag.PUT, bytes("b"), new byte[5_000], 0);
        assertThat(buffer.isFull()).isTrue();
    }

    private void add(long sequence, int kind, byte[] key, byte[] value, long expiresAtMillis) {
        MemorySegment log = MemorySegment.ofArray(("before" + "-".repeat(value.length)).getBytes(US_ASCII));
        log.asSlice(6).copyFrom(MemorySegment.ofArray(value));
        MappedLog mapped = new MappedLog(new HeapStorage(), "1.log", log);
        buffer.add(sequence, kind, key, mapped, 6, value.length, expiresAtMillis);
    }

    private List<Entry> copied() {
        Memtable memtable = new ArenaMemtable(1 << 10);
        buffer.copyTo(memtable);
        return ListCursor.drain(memtable.cursor(), new byte[0]);
    }

    private static InstantSource at(long millis) {
        return InstantSource.fixed(Instant.ofEpochMilli(millis));
    }
}
