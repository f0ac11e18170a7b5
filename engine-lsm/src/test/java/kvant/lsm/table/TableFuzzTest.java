package kvant.lsm.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import kvant.engine.Lookup;
import kvant.engine.Samples;
import kvant.lsm.Fuzz;
import kvant.lsm.bytes.ByteReader;
import kvant.lsm.bytes.Checksum;
import kvant.lsm.bytes.Keys;
import kvant.lsm.record.ListCursor.Entry;
import kvant.lsm.record.Reading;
import kvant.lsm.record.RecordCursor;
import kvant.lsm.record.Tag;
import kvant.lsm.storage.HeapStorage;
import kvant.lsm.version.Manifest;
import kvant.lsm.version.WrittenRun;
import org.junit.jupiter.api.Test;

/// Tables in which the footer or a block, also an index or the properties, is mutated under a checksum that is
/// right.
class TableFuzzTest {

    private static final String FILE = TableSamples.FILE;
    private static final long ID = TableSamples.ID;
    private static final int RECORDS = 30;
    private static final int FOOTER_CHECKSUM_AT = 52;
    private static final long FOOTER_SEED = 0x666F6F7465720000L;

    @Test
    void aMutatedTableIsReadOrRefused() {
        Fuzz.run(400, random -> {
            HeapStorage storage = mutated(random);
            int bytes = storage.bytes(FILE).length;
            List<String> found = new ArrayList<>();
            TableCheck.check(storage, FILE, null, (_, name, _, _) -> found.add(name));
            AtomicBoolean refused = new AtomicBoolean();
            boolean closed = Fuzz.isRefused(FILE, () -> {
                try (Table table = TableSamples.open(storage, ID, bytes)) {
                    for (int i = random.nextInt(4); i <= RECORDS; i += 1 + random.nextInt(8)) {
                        byte[] key = key(i);
                        refused.compareAndSet(false, Fuzz.isRefused(FILE, () -> find(table, key, random)));
                    }
                    for (RecordCursor each : List.of(table.cursor(), table.checkingCursor())) {
                        refused.compareAndSet(false, Fuzz.isRefused(FILE, () -> scan(each, bytes)));
                    }
                }
            });
            boolean any = closed || refused.get();
            assertThat(any && found.isEmpty())
                    .as("a refusal that the check does not foresee")
                    .isFalse();
            return any;
        });
    }

    @Test
    void aStoreWithAMutatedTableAnswersOrRefuses() {
        Fuzz.run(60, random -> {
            HeapStorage storage = mutated(random);
            TableInfo info = new TableInfo(1, 1, ID, storage.size(FILE), 0, RECORDS, List.of());
            Manifest.create(storage, random, new WrittenRun(List.of(info)), RECORDS);
            return Fuzz.isRefused(FILE, () -> Fuzz.open(storage));
        });
    }

    private static void find(Table table, byte[] key, Random random) {
        boolean whole = random.nextBoolean();
        Reading all = Reading.by(InstantSource.system());
        Reading reading = new Reading(all.clock(), (_, _) -> whole, all.values());
        if (table.find(key, Keys.hash(key), reading, random.nextBoolean()) instanceof Lookup.Described described) {
            assertThat(described.length()).isNotNegative();
        }
    }

    private static void scan(RecordCursor cursor, int bytes) {
        int left = 100 * bytes; // an index may name a block often
        for (boolean on = cursor.seek(Keys.START); on; on = cursor.next()) {
            assertThat(cursor.storedValue().length + cursor.keyLength()).isLessThan(left--);
        }
    }

    private static byte[] key(int number) {
        return Samples.bytes("key-%03d".formatted(number));
    }

    private static HeapStorage mutated(Random random) throws IOException {
        HeapStorage storage = new HeapStorage();
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < RECORDS; i++) {
            int words = i % 3 == 0 ? 0 : 2 + i % 3; // as long as a pointer, for records that become one
            entries.add(new Entry(key(i), Tag.of(i + 1, i % 3), Samples.bytes("abcdefgh".repeat(words))));
        }
        TableSamples.write(storage, FILE, 200, Compression.values()[random.nextInt(3)], entries);
        byte[] file = storage.bytes(FILE);
        TableDescriptor.Footer footer = TableDescriptor.decodeFooter(MemorySegment.ofArray(file), FILE);
        List<BlockHandle> parts = new ArrayList<>(TableSamples.blocks(file));
        parts.addAll(TableSamples.partitions(file));
        parts.addAll(List.of(footer.index(), footer.index(), footer.properties()));
        parts.add(new BlockHandle(file.length - TableDescriptor.FOOTER_BYTES, FOOTER_CHECKSUM_AT));
        BlockHandle part = parts.get(random.nextInt(parts.size()));
        boolean isFooter = part == parts.getLast();
        long seed = isFooter ? FOOTER_SEED : TableDescriptor.blockSeed(ID, part.offset());
        seal(file, (int) part.offset(), part.length(), isFooter ? 0 : 1, seed, random);
        return storage.put(FILE, file);
    }

    /// Mutates some bytes; the checksum behind them covers also a few that stay.
    private static void seal(byte[] file, int at, int length, int also, long seed, Random random) {
        byte[] mutated = Fuzz.mutate(Arrays.copyOfRange(file, at, at + length), random);
        System.arraycopy(Arrays.copyOf(mutated, length), 0, file, at, length);
        int checksum = Checksum.of(seed, file, at, length + also);
        MemorySegment.ofArray(file).set(ByteReader.INT, (long) at + length + also, checksum);
    }
}
