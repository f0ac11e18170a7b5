package kvant.lsm.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import kvant.engine.EngineException;
import kvant.engine.Lookup;
import kvant.engine.Samples;
import kvant.lsm.Seeds;
import kvant.lsm.bytes.Keys;
import kvant.lsm.record.ListCursor;
import kvant.lsm.record.ListCursor.Entry;
import kvant.lsm.record.Reading;
import kvant.lsm.record.RecordCursor;
import kvant.lsm.record.Retired;
import kvant.lsm.record.Tag;
import kvant.lsm.storage.HeapStorage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TableTest {

    private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochMilli(1_000));
    private static final byte[] START = {};
    private static final long SEED = Seeds.seed(51);

    private final HeapStorage storage = new HeapStorage();

    @Test
    void everyKeyIsFoundAndItsNeighboursAreNotWhateverTheBlockSize() throws IOException {
        for (int records : new int[] {1, 2, 15, 16, 17, 31, 32, 33, 200}) {
            for (int blockBytes : new int[] {1, 100, 700, 4096}) {
                List<Entry> entries = new ArrayList<>();
                for (int i = 0; i < records; i++) {
                    entries.add(TableSamples.put(key(2 * i + 1), i + 1, Samples.bytes("v" + i)));
                }
                try (Table table = table(blockBytes, entries)) {
                    for (int i = 0; i < records; i++) {
                        assertThat(found(table, key(2 * i + 1))).isEqualTo("v" + i);
                        assertThat(searched(table, key(2 * i))).isNull();
                    }
                    assertThat(searched(table, key(2 * records))).isNull();
                    assertThat(ListCursor.drain(table.cursor(), START)).isEqualTo(entries);
                    assertThat(table.properties().records()).isEqualTo(records);
                }
            }
        }
    }

    @Test
    void seekingStandsOnTheKeyOrTheNextOne() throws IOException {
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            entries.add(TableSamples.put(key(2 * i + 1), i + 1, new byte[i % 3]));
        }
        try (Table table = table(200, entries)) {
            RecordCursor cursor = table.cursor();
            assertThat(cursor.next()).as("before a seek").isFalse();
            for (int i = 0; i < 100; i++) {
                assertThat(cursor.seek(key(2 * i))).isTrue();
                assertThat(cursor.key()).isEqualTo(key(2 * i + 1));
                assertThat(cursor.seek(key(2 * i + 1))).isTrue();
                assertThat(cursor.key()).isEqualTo(key(2 * i + 1));
            }
            assertThat(cursor.seek(key(200))).isFalse();
            assertThat(cursor.next()).isFalse();
        }
    }

    @Test
    void keysThatBeginLikeOthersAreKeptApart() throws IOException {
        List<Entry> entries = new ArrayList<>();
        String key = "";
        for (int i = 0; i < 60; i++) {
            key += i % 7 == 0 ? "b" : "a";
            entries.add(TableSamples.put(Samples.bytes(key), i + 1, Samples.bytes(key)));
        }
        try (Table table = table(4096, entries)) {
            for (Entry entry : entries) {
                assertThat(found(table, entry.key())).isEqualTo(Samples.text(entry.key()));
                byte[] longer = Arrays.copyOf(entry.key(), entry.key().length + 1);
                assertThat(searched(table, longer)).isNull();
            }
        }
    }

    @Test
    void emptyValuesDeletionsAndExpiringValuesAnswerAsTheyShould() throws IOException {
        byte[] expiry = {(byte) 0xE8, 3, 0, 0, 0, 0, 0, 0, 'v'}; // 1000
        byte[] later = {(byte) 0xE9, 3, 0, 0, 0, 0, 0, 0, 'v'};
        List<Entry> entries = List.of(
                new Entry(key(1), Tag.of(1, Tag.PUT), new byte[0]),
                new Entry(key(2), Tag.of(2, Tag.DELETE), new byte[0]),
                new Entry(key(3), Tag.of(3, Tag.PUT_EXPIRING), expiry),
                new Entry(key(4), Tag.of(4, Tag.PUT_EXPIRING), later));
        try (Table table = table(4096, entries)) {
            assertThat(found(table, key(1))).isEmpty();
            assertThat(searched(table, key(2))).isEqualTo(Lookup.Miss.ABSENT);
            assertThat(searched(table, key(3))).isEqualTo(Lookup.Miss.ABSENT);
            assertThat(found(table, key(4))).isEqualTo("v");
            TableProperties properties = table.properties();
            assertThat(properties.deletions()).isEqualTo(1);
            assertThat(properties.firstSequence()).isEqualTo(1);
            assertThat(properties.lastSequence()).isEqualTo(4);
            assertThat(properties.smallestKey()).isEqualTo(key(1));
            assertThat(properties.largestKey()).isEqualTo(key(4));
        }
    }

    @Test
    void theLongestKeysAndLargeValuesRoundTrip() throws IOException {
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            byte[] key = new byte[64 << 10];
            key[key.length - 1] = (byte) (i * 10);
            entries.add(TableSamples.put(key, i + 1, Samples.noise(i == 7 ? 3 << 20 : i, i)));
        }
        try (Table table = table(4096, entries)) {
            for (Entry entry : entries) {
                assertThat(found(table, entry.key())).isEqualTo(Samples.text(entry.value()));
            }
            assertThat(ListCursor.drain(table.cursor(), START)).isEqualTo(entries);
            byte[] between = entries.get(3).key().clone();
            between[between.length - 1]++;
            assertThat(searched(table, between)).isNull();
        }
    }

    @Test
    void agreesWithASortedMap() throws IOException {
        Random random = new Random(SEED);
        for (int round = 0; round < 25; round++) {
            TreeMap<byte[], Entry> model = new TreeMap<>(Keys::compare);
            int longest = 1 + random.nextInt(20);
            for (int i = random.nextInt(800); i >= 0; i--) {
                byte[] key = Seeds.key(random, longest);
                model.put(key, TableSamples.put(key, i + 1, Seeds.bytes(random, random.nextInt(30))));
            }
            try (Table table = table(1 + random.nextInt(1_000), List.copyOf(model.values()))) {
                agree(table, model, random, longest);
            }
        }
    }

    private static void agree(Table table, TreeMap<byte[], Entry> model, Random random, int longest) {
        for (Entry entry : model.values()) {
            assertThat(found(table, entry.key())).as("seed %d", SEED).isEqualTo(Samples.text(entry.value()));
        }
        for (int i = 0; i < 200; i++) {
            byte[] key = Seeds.key(random, longest);
            assertThat(searched(table, key) != null).as("seed %d", SEED).isEqualTo(model.containsKey(key));
            RecordCursor cursor = table.cursor();
            Map.Entry<byte[], Entry> expected = model.ceilingEntry(key);
            assertThat(cursor.seek(key)).as("seed %d", SEED).isEqualTo(expected != null);
            if (expected != null) {
                assertThat(cursor.key()).as("seed %d", SEED).isEqualTo(expected.getKey());
                assertThat(cursor.storedValue())
                        .as("seed %d", SEED)
                        .isEqualTo(expected.getValue().value());
            }
        }
        List<Entry> all = List.copyOf(model.values());
        assertThat(ListCursor.drain(table.cursor(), START).equals(all))
                .as("seed %d", SEED)
                .isTrue();
    }

    @Test
    void aReaderOfAClosedTableIsToldThatItWasRetired() throws IOException {
        Table table = table(100, List.of(TableSamples.put(key(1), 1, new byte[1])));
        assertThat(table.tryClose()).isTrue();
        assertThatThrownBy(() -> searched(table, key(1))).isInstanceOf(Retired.class);
        assertThat(table.tryClose()).as("a second time").isTrue();
    }

    @Test
    void aTableOfAnotherSizeOrIdIsRefused() throws IOException {
        TableWriter.Finished finished =
                TableSamples.write(storage, TableSamples.FILE, 100, List.of(TableSamples.put(key(1), 1, new byte[1])));
        assertThatThrownBy(() -> TableSamples.open(storage, TableSamples.ID, finished.bytes() + 1))
                .isInstanceOf(EngineException.Corruption.class)
                .hasMessageContaining(TableSamples.FILE);
        assertThatThrownBy(() -> TableSamples.open(storage, TableSamples.ID + 1, finished.bytes()))
                .isInstanceOf(EngineException.Corruption.class)
                .hasMessageContaining("a different one of the same name");
    }

    @Test
    void aBlockInAnotherPlaceIsNotValid() throws IOException {
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            entries.add(TableSamples.put(key(5), i + 1, new byte[20]));
        }
        entries.set(1, TableSamples.put(key(6), 1, new byte[20]));
        TableWriter.Finished finished = TableSamples.write(storage, TableSamples.FILE, 1, entries);
        byte[] file = storage.bytes(TableSamples.FILE);
        BlockHandle first = TableSamples.blocks(file).get(0);
        BlockHandle second = TableSamples.blocks(file).get(1);
        assertThat(second.length()).isEqualTo(first.length());
        int length = first.length() + TableDescriptor.TRAILER_BYTES;
        System.arraycopy(file, (int) first.offset(), file, (int) second.offset(), length);
        storage.put(TableSamples.FILE, file);
        try (Table table = TableSamples.open(storage, TableSamples.ID, finished.bytes())) {
            assertThat(searched(table, key(5))).isNotNull();
            assertThatThrownBy(() -> searched(table, key(6))).isInstanceOf(EngineException.Corruption.class);
        }
    }

    private Table table(int blockBytes, List<Entry> entries) throws IOException {
        if (storage.list().contains(TableSamples.FILE)) {
            storage.delete(TableSamples.FILE);
        }
        return TableSamples.table(storage, blockBytes, entries);
    }

    private static @Nullable Lookup searched(Table table, byte[] key) {
        return table.find(key, Keys.hash(key), Reading.by(CLOCK), true);
    }

    private static String found(Table table, byte[] key) {
        Lookup found = searched(table, key);
        assertThat(found).isInstanceOf(Lookup.Found.class);
        return Samples.text(((Lookup.Found) found).value());
    }

    /// The JVM tells both as the same error of an access to the mapping.
    @Test
    void aPageThatCannotBeReadIsNoShortenedFileWhereTheFileHasItsSize() throws IOException {
        List<Entry> entries = List.of(TableSamples.put(key(1), 1, new byte[1]));
        long bytes =
                TableSamples.write(storage, TableSamples.FILE, 100, entries).bytes();
        InternalError fault = new InternalError("a fault occurred in an unsafe memory access operation");
        try (TableFile table = TableSamples.map(storage, TableSamples.ID, bytes)) {
            assertThat(table.explained(fault, 0))
                    .isInstanceOf(EngineException.Corruption.class)
                    .hasMessageContaining("cannot be read (I/O error)")
                    .hasMessageNotContaining("shortened");
            storage.truncate(TableSamples.FILE, storage.size(TableSamples.FILE) - 1);
            assertThat(table.explained(fault, 0)).hasMessageContaining("shortened");
            storage.delete(TableSamples.FILE);
            assertThat(table.explained(fault, 0)).hasMessageContaining("cannot be read (I/O error)");
        }
    }

    private static byte[] key(int number) {
        return Samples.bytes("key-%05d".formatted(number));
    }
}
