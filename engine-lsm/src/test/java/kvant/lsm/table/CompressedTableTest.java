package kvant.lsm.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import kvant.engine.EngineException;
import kvant.engine.Lookup;
import kvant.engine.Samples;
import kvant.lsm.Seeds;
import kvant.lsm.bytes.ByteReader;
import kvant.lsm.bytes.Checksum;
import kvant.lsm.bytes.Keys;
import kvant.lsm.record.ListCursor;
import kvant.lsm.record.ListCursor.Entry;
import kvant.lsm.record.Reading;
import kvant.lsm.storage.HeapStorage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CompressedTableTest {

    private static final byte[] START = {};
    private static final int CACHE_BYTES = 1 << 20;
    private static final long SEED = Seeds.seed(77);

    /// At least one bit of each byte, a different one from byte to byte; or all.
    private static final int FLIP_STRIDE = Boolean.getBoolean("kvant.test.all") ? 1 : 7;

    private final HeapStorage storage = new HeapStorage();

    @ParameterizedTest
    @EnumSource(Compression.class)
    void everyRecordComesBackWithAndWithoutACache(Compression compression) throws IOException {
        List<Entry> entries = mixed(600);
        long bytes = write(compression, 700, entries);
        for (int cacheBytes : new int[] {0, 64 << 10, CACHE_BYTES}) {
            try (Table table = open(bytes, new TableContext(cacheBytes))) {
                for (int round = 0; round < 2; round++) {
                    for (Entry entry : entries) {
                        assertThat(found(table, entry.key())).isEqualTo(entry.value());
                    }
                }
                assertThat(find(table, Samples.bytes("key-00000x"))).isNull();
                assertThat(ListCursor.drain(table.cursor(), START)).isEqualTo(entries);
                assertThat(ListCursor.drain(table.cursor(), entries.get(333).key()))
                        .isEqualTo(entries.subList(333, 600));
            }
        }
    }

    @Test
    void whatShrinksIsStoredSmallerAndWhatDoesNotIsStoredPlain() throws IOException {
        long plain = write(Compression.NONE, 4096, texts(2_000));
        assertThat(write(Compression.LZ4, 4096, texts(2_000))).isLessThan(plain / 2);
        assertThat(write(Compression.ZSTD, 4096, texts(2_000))).isLessThan(plain / 2);
        List<Entry> noise = List.of(TableSamples.put(key(1), 1, Samples.noise(5_000, 1)));
        long plainNoise = write(Compression.NONE, 100, noise);
        for (Compression compression : Compression.values()) {
            assertThat(write(compression, 100, noise)).isEqualTo(plainNoise);
            assertThat(compressionOf(0)).isEqualTo(Compression.NONE.code());
        }
    }

    @Test
    void aBlockAboveTheBoundIsStoredPlainAndOneAtItIsNot() throws IOException {
        int overhead = 3 + 3 + 8 + key(1).length; // head of the record, restart point and count
        for (int over : new int[] {-200, 200}) {
            byte[] value = new byte[CompressedContent.LARGEST_BYTES - overhead + over];
            List<Entry> entries = List.of(TableSamples.put(key(1), 1, value));
            long bytes = write(Compression.LZ4, 100, entries);
            assertThat(bytes > CompressedContent.LARGEST_BYTES).isEqualTo(over > 0);
            try (Table table = open(bytes, new TableContext(CACHE_BYTES))) {
                assertThat(found(table, key(1))).isEqualTo(value);
            }
        }
    }

    /// Whichever bit flips, a reader gets the right value or an error.
    @ParameterizedTest
    @EnumSource(value = Compression.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void noFlippedBitGivesAWrongValue(Compression compression) throws IOException {
        List<Entry> entries = mixed(24);
        long bytes = write(compression, 300, entries);
        long bits = (long) storage.bytes(TableSamples.FILE).length * Byte.SIZE;
        int flips = 0;
        int detected = 0;
        for (int bit = 0; bit < bits; bit += FLIP_STRIDE) {
            flips++;
            HeapStorage damaged = storage.copy();
            damaged.flipBit(TableSamples.FILE, bit);
            detected += isDetected(damaged, bytes, entries, bit) ? 1 : 0;
        }
        assertThat(detected).as("only unused bits may go unnoticed").isEqualTo(flips);
    }

    private static boolean isDetected(HeapStorage damaged, long bytes, List<Entry> entries, int bit)
            throws IOException {
        boolean detected = false;
        try (Table table =
                Table.open(TableSamples.map(damaged, TableSamples.ID, bytes), new TableContext(CACHE_BYTES))) {
            for (Entry entry : entries) {
                try {
                    assertThat(found(table, entry.key())).as("bit %d", bit).isEqualTo(entry.value());
                } catch (EngineException.Corruption e) {
                    assertThat(e.file()).contains(TableSamples.FILE);
                    assertThat(e.offset())
                            .isEqualTo(bit / 8 < 16 ? 0 : e.offset())
                            .isBetween(0L, bit / 8L);
                    detected = true;
                }
            }
            if (detected) {
                assertThatThrownBy(() -> ListCursor.drain(table.cursor(), START))
                        .isInstanceOf(EngineException.Corruption.class);
            }
        } catch (EngineException.Corruption | EngineException.CannotOpen e) {
            assertThat(e).hasMessageContaining(TableSamples.FILE);
            detected = true;
        }
        return detected;
    }

    /// Lengths that no writer wrote, under a checksum that is right.
    @ParameterizedTest
    @EnumSource(value = Compression.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void aWrongUncompressedLengthIsRefused(Compression compression) throws IOException {
        long bytes = write(compression, 4096, texts(20));
        int right = storage.bytes(TableSamples.FILE).length == 0 ? 0 : lengthOf();
        byte[] intact = storage.bytes(TableSamples.FILE);
        for (int wrong : new int[] {0, 1, 7, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 1 << 26, right - 1, right + 1}) {
            byte[] file = intact.clone();
            MemorySegment.ofArray(file).set(ByteReader.INT, 16, wrong);
            assertRefused(file, bytes, wrong <= 7 || wrong > right + 1 ? "claims to have " + wrong : "decompressed");
        }
    }

    @ParameterizedTest
    @EnumSource(value = Compression.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void scrambledCompressedBytesAreRefusedOrGiveARefusedBlock(Compression compression) throws IOException {
        long bytes = write(compression, 4096, texts(20));
        byte[] intact = storage.bytes(TableSamples.FILE);
        Random random = new Random(SEED);
        int stored = storedLength();
        for (int cut = 5; cut < stored; cut += 7) {
            byte[] file = intact.clone();
            Arrays.fill(file, 16 + cut, 16 + stored, (byte) 0);
            readOrFailAsCorrupt(file, bytes);
            for (int i = 16 + 4; i < 16 + stored; i++) {
                file[i] = random.nextInt(30) == 0 ? (byte) random.nextInt() : intact[i];
            }
            readOrFailAsCorrupt(file, bytes);
        }
        for (int code : new int[] {3, 127, compression == Compression.LZ4 ? 2 : 1}) {
            byte[] file = intact.clone();
            file[16 + stored] = (byte) code;
            assertRefused(file, bytes, "unknown compression " + code);
        }
    }

    @Test
    void aCompressionThatIsNotKnownIsAnErrorOfItsOwn() throws IOException {
        long bytes = write(Compression.LZ4, 4096, texts(20));
        byte[] file = storage.bytes(TableSamples.FILE);
        int footer = file.length - TableDescriptor.FOOTER_BYTES;
        file[footer + 48] |= 4;
        MemorySegment.ofArray(file)
                .set(ByteReader.INT, footer + 52L, Checksum.of(0x666F6F7465720000L, file, footer, 52));
        storage.put(TableSamples.FILE, file);
        assertThatThrownBy(() -> open(bytes, new TableContext(0)))
                .isInstanceOf(EngineException.CannotOpen.class)
                .hasMessageContaining("does not know");
    }

    @Test
    void getsFillTheCacheAndScansDoNot() throws IOException {
        long bytes = write(Compression.LZ4, 700, texts(500));
        TableContext context = new TableContext(CACHE_BYTES);
        try (Table table = open(bytes, context)) {
            ListCursor.drain(table.cursor(), START);
            assertThat(context.blockMisses()).isZero();
            found(table, key(7));
            assertThat(context.partitionLoads()).isLessThanOrEqualTo(2); // one of the scan's start
            assertThat(context.blockMisses()).isEqualTo(1);
            assertThat(context.blockHits()).isZero();
            found(table, key(7));
            assertThat(context.blockHits()).isEqualTo(1);
            assertThat(context.blockMisses()).isEqualTo(1);
            ListCursor.drain(table.cursor(), START);
            assertThat(context.blockHits()).as("a scan is no hit").isEqualTo(1);
            assertThat(context.partitionLoads()).isLessThanOrEqualTo(2);
        }
    }

    /// Fixes the checksum of the first block, and reads it.
    private void assertRefused(byte[] file, long bytes, String message) throws IOException {
        seal(file);
        try (Table table = open(bytes, new TableContext(CACHE_BYTES))) {
            assertThatThrownBy(() -> find(table, key(0)))
                    .isInstanceOf(EngineException.Corruption.class)
                    .hasMessageContaining("offset 16")
                    .hasMessageContaining(message);
            assertThatThrownBy(() -> table.cursor().seek(START)).isInstanceOf(EngineException.Corruption.class);
        }
    }

    /// With a corrected checksum a wrong value is possible, but no other failure than corruption.
    private void readOrFailAsCorrupt(byte[] file, long bytes) throws IOException {
        seal(file);
        try (Table table = open(bytes, new TableContext(CACHE_BYTES))) {
            try {
                find(table, key(0));
            } catch (EngineException.Corruption e) {
                assertThat(e.offset()).isEqualTo(16);
            }
        }
    }

    private void seal(byte[] file) {
        int stored = storedLength();
        int checksum = Checksum.of(TableSamples.ID ^ 16, file, 16, stored + 1);
        MemorySegment.ofArray(file).set(ByteReader.INT, 16L + stored + 1, checksum);
        storage.put(TableSamples.FILE, file);
    }

    private int lengthOf() {
        return MemorySegment.ofArray(storage.bytes(TableSamples.FILE)).get(ByteReader.INT, 16);
    }

    /// Of the first block, from the index.
    private int storedLength() {
        return TableSamples.blocks(storage.bytes(TableSamples.FILE)).getFirst().length();
    }

    private int compressionOf(int block) {
        byte[] file = storage.bytes(TableSamples.FILE);
        BlockHandle handle = TableSamples.blocks(file).get(block);
        return file[(int) handle.offset() + handle.length()];
    }

    private Table open(long bytes, TableContext context) throws IOException {
        return Table.open(TableSamples.map(storage, TableSamples.ID, bytes), context);
    }

    private long write(Compression compression, int blockBytes, List<Entry> entries) throws IOException {
        if (storage.list().contains(TableSamples.FILE)) {
            storage.delete(TableSamples.FILE);
        }
        return TableSamples.write(storage, TableSamples.FILE, blockBytes, compression, entries)
                .bytes();
    }

    /// Values that shrink and values that do not, in turns long enough for blocks of either kind.
    private static List<Entry> mixed(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> TableSamples.put(
                        key(i), i + 1, i / 8 % 2 == 0 ? Samples.bytes("abc".repeat(30)) : Samples.noise(90, i)))
                .toList();
    }

    private static List<Entry> texts(int count) {
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            entries.add(
                    TableSamples.put(key(i), i + 1, Samples.bytes("{\"user\":%d,\"state\":\"active\"}".formatted(i))));
        }
        return entries;
    }

    private static byte[] found(Table table, byte[] key) {
        Lookup found = find(table, key);
        assertThat(found).isInstanceOf(Lookup.Found.class);
        return ((Lookup.Found) found).value();
    }

    private static @Nullable Lookup find(Table table, byte[] key) {
        return table.find(key, Keys.hash(key), Reading.by(InstantSource.system()), true);
    }

    private static byte[] key(int number) {
        return Samples.bytes("key-%05d".formatted(number));
    }
}
