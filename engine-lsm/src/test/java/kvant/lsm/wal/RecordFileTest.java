package kvant.lsm.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import kvant.engine.EngineException;
import kvant.lsm.Seeds;
import kvant.lsm.bytes.Checksum;
import kvant.lsm.storage.HeapStorage;
import kvant.lsm.storage.StorageFullException;
import kvant.lsm.storage.WritableFile;
import org.junit.jupiter.api.Test;

/// The framing that log and manifest share.
class RecordFileTest {

    private static final ByteBuffer BUFFER = ByteBuffer.allocate(100);

    private static final String FILE = "some.log";
    private static final long SEED = Seeds.seed(31);
    private static final FileHeader HEADER =
            new FileHeader(FileHeader.Kind.LOG, 0x1234_5678_9ABC_DEF0L, 7, new FileHeader.Predecessor(6, 500, 42));

    private final HeapStorage storage = new HeapStorage();

    @Test
    void theHeaderIsFoundAgain() throws IOException {
        writer().close();
        RecordReader reader = reader(storage.bytes(FILE));
        assertThat(reader.header()).isEqualTo(HEADER);
        assertThat(reader.next()).isFalse();
        assertThat(reader.tornBytes()).isZero();
    }

    @Test
    void aFileThatCannotBeClosedEitherHidesNoFullDisk() {
        WritableFile full = new WritableFile() {
            @Override
            public void write(ByteBuffer bytes) throws IOException {
                throw new StorageFullException(StorageFullException.Limit.DISK, FILE, new IOException("full"));
            }

            @Override
            public void sync() {}

            @Override
            public void preallocate(long bytes) {}

            @Override
            public void truncate(long size) {}

            @Override
            public void close() throws IOException {
                throw new IOException("not closed");
            }
        };
        assertThatThrownBy(() -> RecordWriter.begin(storage, FILE, full, HEADER, BUFFER))
                .isInstanceOf(StorageFullException.class);
    }

    @Test
    void payloadsOfEveryLengthAndShapeRoundTripAligned() throws IOException {
        Random random = new Random(SEED);
        List<byte[]> payloads = new ArrayList<>();
        RecordWriter writer = writer();
        for (int length : new int[] {0, 1, 7, 8, 9, 63, 64, 65, 70_000, 262_111, 262_112, 262_144, 600_000}) {
            byte[] head = Seeds.bytes(random, length);
            byte[] large = Seeds.bytes(random, random.nextBoolean() ? 65_536 : 10);
            byte[] tail = Seeds.bytes(random, random.nextInt(20));
            append(writer, payloads.size() + 1, head, large, tail);
            payloads.add(concat(head, large, tail));
            assertThat(writer.size() % 8).isZero();
            if (random.nextBoolean()) {
                writer.sync();
            }
        }
        append(writer, payloads.size() + 1);
        payloads.add(new byte[0]);
        byte[] file = storage.bytes(FILE);
        assertThat((long) file.length).isEqualTo(writer.size());
        RecordReader reader = reader(file);
        for (int i = 0; i < payloads.size(); i++) {
            assertThat(reader.next()).as("seed %d, record %d", SEED, i).isTrue();
            assertThat(reader.type()).isEqualTo(RecordType.GROUP);
            assertThat(reader.firstSequence()).isEqualTo(i + 1);
            assertThat(Arrays.equals(reader.payload().toArray(ValueLayout.JAVA_BYTE), payloads.get(i)))
                    .as("seed %d, record %d", SEED, i)
                    .isTrue();
        }
        assertThat(reader.next()).isFalse();
        assertThat(reader.validSize()).isEqualTo(file.length);
    }

    @Test
    void cutAtEveryByteTheLongestValidPrefixIsReadAndTheRestIsTorn() throws IOException {
        List<Long> ends = new ArrayList<>();
        RecordWriter writer = writer();
        ends.add(writer.size());
        for (int i = 0; i < 5; i++) {
            append(writer, i + 1, ones(i * 11));
            writer.sync();
            ends.add(writer.size());
        }
        byte[] whole = storage.bytes(FILE);
        for (int cut = FileHeader.BYTES; cut <= whole.length; cut++) {
            int size = cut;
            RecordReader reader = reader(Arrays.copyOf(whole, size));
            int records = 0;
            while (reader.next()) {
                records++;
            }
            assertThat(records)
                    .as("records before %d", cut)
                    .isEqualTo(ends.stream().filter(end -> end <= size).count() - 1);
            assertThat(reader.validSize()).isEqualTo(ends.get(records));
            assertThat(reader.tornBytes()).isEqualTo(Math.max(0, writtenEnd(whole, cut) - ends.get(records)));
        }
    }

    @Test
    void aHeaderThatIsCutIsDamage() throws IOException {
        writer().close();
        byte[] whole = storage.bytes(FILE);
        for (int cut = 0; cut < whole.length; cut++) {
            byte[] shorter = Arrays.copyOf(whole, cut);
            assertThatThrownBy(() -> reader(shorter)).isInstanceOf(EngineException.Corruption.class);
        }
    }

    @Test
    void damageBelowASyncedOffsetIsRefusedWithFileAndOffset() throws IOException {
        RecordWriter writer = writer();
        append(writer, 1, new byte[40]);
        long second = writer.size();
        append(writer, 2, new byte[40]);
        writer.sync();
        append(writer, 3, new byte[40]); // says that the first two were durable
        byte[] whole = storage.bytes(FILE);
        for (long bit = second * 8; bit < (second + 32 + 40) * 8; bit++) {
            byte[] damaged = flipped(whole, bit);
            RecordReader reader = reader(damaged);
            assertThat(reader.next()).isTrue();
            assertThatThrownBy(reader::next)
                    .as("bit %d", bit)
                    .isInstanceOfSatisfying(EngineException.Corruption.class, e -> {
                        assertThat(e.file()).isEqualTo(FILE);
                        assertThat(e.offset()).isEqualTo(second);
                    });
        }
    }

    @Test
    void damageAboveEverySyncedOffsetIsATornTail() throws IOException {
        RecordWriter writer = writer();
        append(writer, 1, ones(40));
        writer.sync();
        long second = writer.size();
        append(writer, 2, ones(40));
        append(writer, 3, ones(40)); // written before the second was synced: it vouches for the first only
        RecordReader reader = reader(flipped(storage.bytes(FILE), (second + 50) * 8));
        assertThat(reader.next()).isTrue();
        assertThat(reader.next()).isFalse();
        assertThat(reader.validSize()).isEqualTo(second);
        assertThat(reader.tornBytes()).isEqualTo(2 * (32 + 40));
    }

    @Test
    void recordsOfAnotherFileAreNotValid() throws IOException {
        RecordWriter writer = writer();
        append(writer, 1, new byte[40]);
        byte[] file = storage.bytes(FILE);
        RecordWriter other = RecordWriter.create(
                storage,
                "other.log",
                new FileHeader(FileHeader.Kind.LOG, HEADER.id() + 1, 7, FileHeader.Predecessor.NONE),
                BUFFER);
        append(other, 1, new byte[40]);
        byte[] mixed = storage.bytes("other.log");
        System.arraycopy(file, 64, mixed, 64, file.length - 64);
        assertThat(reader(mixed).next()).isFalse();
    }

    @Test
    void zerosBehindTheLastRecordAreRoomAndNothingTorn() throws IOException {
        RecordWriter writer = preallocated(4_096);
        append(writer, 1, ones(40));
        append(writer, 2, ones(3), new byte[8]);
        writer.sync();
        RecordReader reader = reader(storage.bytes(FILE));
        assertThat(reader.next()).isTrue();
        assertThat(reader.next()).isTrue();
        assertThat(reader.next()).isFalse();
        assertThat(reader.validSize()).isEqualTo(writer.size());
        assertThat(reader.tornBytes()).isZero();
        assertThat(storage.bytes(FILE)).hasSize(4_096);
        writer.cutRoom();
        assertThat(storage.bytes(FILE)).hasSize((int) writer.size());
        writer.close();
    }

    @Test
    void aFileGrowsBeyondItsRoom() throws IOException {
        RecordWriter writer = preallocated(100);
        for (int i = 1; i <= 5; i++) {
            append(writer, i, ones(40));
        }
        RecordReader reader = reader(storage.bytes(FILE));
        for (int i = 1; i <= 5; i++) {
            assertThat(reader.next()).isTrue();
            assertThat(reader.firstSequence()).isEqualTo(i);
        }
        assertThat(reader.next()).isFalse();
        writer.close();
    }

    @Test
    void zerosWhereARecordHadBeenSyncedAreDamageAlsoInsideOfRoom() throws IOException {
        RecordWriter writer = preallocated(4_096);
        append(writer, 1, ones(40));
        long second = writer.size();
        append(writer, 2, ones(40));
        writer.sync();
        append(writer, 3, ones(40));
        byte[] lost = storage.bytes(FILE);
        Arrays.fill(lost, (int) second, (int) second + 72, (byte) 0);
        RecordReader reader = reader(lost);
        assertThat(reader.next()).isTrue();
        assertThatThrownBy(reader::next)
                .isInstanceOfSatisfying(
                        EngineException.Corruption.class,
                        e -> assertThat(e.offset()).isEqualTo(second));
        writer.close();
    }

    /// With this id the checksum of a header of zeros is zero; that of an empty payload is not.
    @Test
    void zerosAreNoRecordWhateverTheId() throws IOException {
        FileHeader header = new FileHeader(FileHeader.Kind.LOG, 0x6c6b568c00000000L, 7, FileHeader.Predecessor.NONE);
        assertThat(Checksum.of(header.id(), new byte[28], 0, 28)).isZero();
        RecordWriter writer = RecordWriter.create(storage, FILE, header, BUFFER);
        append(writer, 1, ones(40));
        byte[] file = Arrays.copyOf(storage.bytes(FILE), 4_096);
        RecordReader reader = reader(file);
        assertThat(reader.next()).isTrue();
        assertThat(reader.next()).isFalse();
        assertThat(reader.tornBytes()).isZero();
        writer.close();
    }

    private RecordWriter preallocated(int bytes) throws IOException {
        WritableFile file = storage.create(FILE);
        file.preallocate(bytes);
        return RecordWriter.begin(storage, FILE, file, HEADER, BUFFER);
    }

    private static byte[] ones(int length) {
        byte[] ones = new byte[length];
        Arrays.fill(ones, (byte) 1);
        return ones;
    }

    private static int writtenEnd(byte[] bytes, int cut) {
        int end = cut;
        while (end > 0 && bytes[end - 1] == 0) {
            end--;
        }
        return end;
    }

    @Test
    void aLogIsNoManifest() throws IOException {
        writer().close();
        MemorySegment file = MemorySegment.ofArray(storage.bytes(FILE));
        assertThatThrownBy(() -> new RecordReader(file, FileHeader.Kind.MANIFEST, FILE))
                .isInstanceOf(EngineException.Corruption.class)
                .hasMessageContaining("manifest");
    }

    private RecordWriter writer() throws IOException {
        return RecordWriter.create(storage, FILE, HEADER, BUFFER);
    }

    static void append(RecordWriter writer, long sequence, byte[]... pieces) throws IOException {
        Payload payload = new Payload();
        for (byte[] piece : pieces) {
            payload.putArray(piece);
        }
        writer.append(RecordType.GROUP, sequence, payload);
    }

    private static RecordReader reader(byte[] file) {
        return new RecordReader(MemorySegment.ofArray(file), FileHeader.Kind.LOG, FILE);
    }

    private static byte[] flipped(byte[] bytes, long bit) {
        byte[] flipped = bytes.clone();
        flipped[(int) (bit / 8)] ^= (byte) (1 << bit % 8);
        return flipped;
    }

    private static byte[] concat(byte[]... pieces) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] piece : pieces) {
            all.writeBytes(piece);
        }
        return all.toByteArray();
    }
}
