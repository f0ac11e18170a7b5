package kvant.lsm.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import kvant.engine.EngineException;
import kvant.engine.Samples;
import kvant.lsm.Seeds;
import kvant.lsm.bytes.ByteReader;
import kvant.lsm.bytes.Checksum;
import kvant.lsm.record.ListCursor;
import kvant.lsm.record.ListCursor.Entry;
import kvant.lsm.record.RecordView;
import kvant.lsm.record.Retired;
import kvant.lsm.record.Tag;
import kvant.lsm.record.ValuePointer;
import kvant.lsm.storage.Damage;
import kvant.lsm.storage.DiskStorage;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.HeapStorage;
import kvant.lsm.storage.UnreadableFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Values in value files are read back intact, or refused as damaged.
class ValueFileTest {

    private static final long SEED = Seeds.seed(222);
    private static final int FILE_BYTES = 5_000;
    private static final int SEPARATE_BYTES = 100;

    private final Random random = new Random(SEED);
    private final HeapStorage storage = new HeapStorage();
    private final ValueFiles files = new ValueFiles();
    private long lastNumber;

    private final List<Entry> stored = new ArrayList<>();
    private final List<ValueReference> references = new ArrayList<>();

    @Test
    void everyLargeValueComesBackAndSmallOnesStay() throws IOException {
        List<Entry> entries = entries(200);
        List<ValueFileInfo> written = write(entries, Set.of());
        open(written);
        assertThat(written).hasSizeGreaterThan(3);
        assertThat(read(stored)).isEqualTo(entries);
        for (int i = 0; i < entries.size(); i++) {
            boolean large = value(entries.get(i)).length >= SEPARATE_BYTES;
            assertThat(Tag.isSeparated(stored.get(i).tag())).isEqualTo(large);
            assertThat(Tag.hasExpiry(stored.get(i).tag()))
                    .isEqualTo(Tag.hasExpiry(entries.get(i).tag()));
        }
        assertThat(written.stream().mapToLong(ValueFileInfo::recordBytes).sum())
                .isEqualTo(references.stream().mapToLong(ValueReference::bytes).sum());
        assertThat(written.stream().mapToLong(ValueFileInfo::records).sum())
                .isEqualTo(
                        references.stream().mapToLong(ValueReference::records).sum());
        assertThat(written.stream().mapToLong(ValueFileInfo::bytes).max().orElse(0))
                .isBetween((long) FILE_BYTES, FILE_BYTES + 1_000L);
    }

    /// From the files that are to be emptied, and from no others.
    @Test
    void valuesAreMovedOutOfFiles() throws IOException {
        List<Entry> entries = entries(200);
        List<ValueFileInfo> written = write(entries, Set.of());
        open(written);
        long emptied = written.getFirst().number();
        List<Entry> before = List.copyOf(stored);
        stored.clear();
        references.clear();
        open(write(before, Set.of(emptied)));
        assertThat(references).noneMatch(each -> each.file() == emptied);
        assertThat(references).anyMatch(each -> each.file() == written.get(1).number());
        assertThat(read(stored)).isEqualTo(entries);
    }

    /// Into tables, where values are no longer to be kept apart. They stay in their file until they are copied.
    @Test
    void valuesComeBackIntoTables() throws IOException {
        List<Entry> entries = entries(200);
        List<ValueFileInfo> written = write(entries, Set.of());
        open(written);
        List<Entry> before = List.copyOf(stored);
        stored.clear();
        Set<Long> all = new HashSet<>();
        written.forEach(info -> all.add(info.number()));
        assertThat(write(before, all, Integer.MAX_VALUE)).isEmpty();
        assertThat(stored).isEqualTo(entries);
    }

    @Test
    void aDamagedValueIsNotMoved() throws IOException {
        ValueFileInfo info = write(entries(20), Set.of()).getFirst();
        List<Entry> before = List.copyOf(stored);
        ValuePointer damaged = before.stream()
                .filter(each -> Tag.isSeparated(each.tag()))
                .map(ValueFileTest::pointer)
                .findFirst()
                .orElseThrow();
        storage.flipBit(FileNames.values(info.number()), damaged.offset() * Byte.SIZE);
        open(List.of(info));
        assertThatThrownBy(() -> write(before, Set.of(info.number())))
                .isInstanceOf(EngineException.Corruption.class)
                .hasMessageContaining("the checksum of a value does not match");
    }

    /// Its checksum stands before it, so that it is read twice.
    @Test
    void aLongValueThatChangesWhileItIsCopiedIsRefused() throws IOException {
        byte[] value = new byte[300 << 10];
        Entry entry = new Entry(Samples.bytes("a"), Tag.of(1, Tag.PUT), value);
        assertThat(write(List.of(entry), Set.of())).hasSize(1);
        ListCursor changing = new ListCursor(List.of(entry));
        assertThat(changing.seek(new byte[0])).isTrue();
        try (ValueFileWriter writer = new ValueFileWriter(storage, 77, 1)) {
            assertThatThrownBy(() -> writer.add(changing, new ChangingRecord(changing, value), 0, value.length))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("changed while it was copied");
        }
    }

    /// Loses its first byte when its last one has been read.
    private record ChangingRecord(RecordView record, byte[] value) implements RecordView {

        @Override
        public byte[] keyArray() {
            return record.keyArray();
        }

        @Override
        public int keyOffset() {
            return record.keyOffset();
        }

        @Override
        public int keyLength() {
            return record.keyLength();
        }

        @Override
        public long tag() {
            return record.tag();
        }

        @Override
        public int valueLength() {
            return value.length;
        }

        @Override
        public void copyValue(int from, byte[] target, int offset, int length) {
            System.arraycopy(value, from, target, offset, length);
            if (from + length == value.length) {
                value[0]++;
            }
        }
    }

    @Test
    void oneFlippedBitIsNoticedOrHarmless() throws IOException {
        List<Entry> entries = entries(20);
        ValueFileInfo info = write(entries, Set.of()).getFirst();
        String name = FileNames.values(info.number());
        for (int i = 0; i < 500; i++) {
            HeapStorage damaged = storage.copy();
            long bit = random.nextLong(info.bytes() * 8);
            damaged.flipBit(name, bit);
            List<Damage> found = new ArrayList<>();
            ValueCheck.check(damaged, name, info, (kind, _, _, _) -> found.add(kind));
            assertThat(found).as("seed %d: bit %d", SEED, bit).hasSize(1);
            assertReadsNothingWrong(damaged, info, entries);
        }
    }

    private void assertReadsNothingWrong(HeapStorage damaged, ValueFileInfo info, List<Entry> entries)
            throws IOException {
        try (ValueFile file = ValueFile.open(damaged, info)) {
            for (int i = 0; i < stored.size(); i++) {
                if (Tag.isSeparated(stored.get(i).tag())
                        && pointer(stored.get(i)).file() == info.number()) {
                    try {
                        assertThat(file.read(pointer(stored.get(i)), true)).isEqualTo(value(entries.get(i)));
                    } catch (EngineException.Corruption e) {
                        assertThat(e.file()).endsWith(FileNames.values(info.number()));
                    }
                }
            }
        } catch (EngineException.Corruption _) {
            // Noticed when it is opened.
        }
    }

    @Test
    void aPointerToAnotherPlaceIsRefused() throws IOException {
        List<ValueFileInfo> written = write(entries(200), Set.of());
        open(written);
        ValuePointer right = stored.stream()
                .filter(each -> Tag.isSeparated(each.tag()))
                .map(ValueFileTest::pointer)
                .findFirst()
                .orElseThrow();
        for (ValuePointer wrong : List.of(
                new ValuePointer(right.file(), right.offset() + 1, right.length(), right.checksum()),
                new ValuePointer(right.file(), right.offset(), right.length() - 1, right.checksum()),
                new ValuePointer(right.file(), right.offset(), right.length(), right.checksum() + 1),
                new ValuePointer(right.file() + 1, right.offset(), right.length(), right.checksum()),
                new ValuePointer(right.file(), Long.MAX_VALUE, right.length(), right.checksum()),
                new ValuePointer(right.file(), -1, right.length(), right.checksum()),
                new ValuePointer(right.file(), right.offset(), Integer.MAX_VALUE, right.checksum()),
                new ValuePointer(right.file(), right.offset(), -1, right.checksum()))) {
            assertThatThrownBy(() -> files.waiting().read(wrong))
                    .as(wrong.toString())
                    .isInstanceOf(EngineException.Corruption.class);
        }
    }

    /// Bytes that were moved with their checksum are still not valid there.
    @Test
    void aValueInAnotherPlaceIsNotValid() throws IOException {
        byte[] value = Samples.noise(SEPARATE_BYTES, SEED);
        write(
                List.of(
                        new Entry(Samples.bytes("a"), Tag.of(1, Tag.PUT), value),
                        new Entry(Samples.bytes("b"), Tag.of(2, Tag.PUT), value)),
                Set.of());
        assertThat(pointer(stored.get(0)).checksum())
                .isNotEqualTo(pointer(stored.get(1)).checksum());
    }

    @Test
    void aFileOfANewerVersionIsToldFromADamagedOne() throws IOException {
        ValueFileInfo info = write(entries(20), Set.of()).getFirst();
        String name = FileNames.values(info.number());
        byte[] bytes = storage.bytes(name);
        bytes[8] = 2;
        MemorySegment.ofArray(bytes).set(ByteReader.INT, 24, Checksum.of(0x6865616465720000L, bytes, 0, 24));
        storage.put(name, bytes);
        assertThatThrownBy(() -> ValueFile.open(storage, info))
                .isInstanceOf(EngineException.CannotOpen.class)
                .hasMessageContaining("use the version that wrote it");
    }

    /// The JVM tells both as the same error of an access to the mapping.
    @Test
    void aPageThatCannotBeReadIsNoShortenedFileWhereTheFileHasItsSize() throws IOException {
        ValueFileInfo info = write(entries(20), Set.of()).getFirst();
        String name = FileNames.values(info.number());
        InternalError fault = new InternalError("a fault occurred in an unsafe memory access operation");
        try (ValueFile file = ValueFile.open(storage, info)) {
            assertThat(file.explained(fault, 7))
                    .isInstanceOf(EngineException.Corruption.class)
                    .hasMessageContaining(name)
                    .hasMessageContaining("cannot be read (I/O error)")
                    .hasMessageNotContaining("shortened");
            storage.truncate(name, info.bytes() - 1);
            assertThat(file.explained(fault, 7)).hasMessageContaining("shortened");
            storage.delete(name);
            assertThat(file.explained(fault, 7)).hasMessageContaining("cannot be read (I/O error)");
        }
    }

    @Test
    void theCheckTellsAFailingDiskFromAShortenedFile(@TempDir Path folder) throws IOException {
        ValueFileInfo info = write(entries(20), Set.of()).getFirst();
        String name = FileNames.values(info.number());
        List<String> found = new ArrayList<>();
        UnreadableFile disk = new UnreadableFile(storage, name, folder);
        ValueCheck.check(disk, name, info, (kind, _, _, detail) -> found.add(kind + " " + detail));
        assertThat(found).hasSize(1);
        assertThat(found.getFirst())
                .startsWith("FILE_UNREADABLE")
                .contains("I/O error")
                .doesNotContain("shortened");
        assertThatThrownBy(() -> ValueFile.open(disk, info))
                .isInstanceOf(EngineException.Corruption.class)
                .hasMessageContaining(name)
                .hasMessageContaining("I/O error");
    }

    @Test
    void whoReadsAClosedFileIsToldThatItWasRetired() throws IOException {
        List<ValueFileInfo> written = write(entries(200), Set.of());
        ValueFile file = ValueFile.open(storage, written.getFirst());
        files.add(written.getFirst().number(), file);
        ValuePointer pointer = stored.stream()
                .filter(each -> Tag.isSeparated(each.tag()))
                .map(ValueFileTest::pointer)
                .findFirst()
                .orElseThrow();
        assertThat(files.resident().read(pointer)).isNotNull();
        files.remove(pointer.file());
        assertThatThrownBy(() -> files.resident().read(pointer)).isInstanceOf(Retired.class);
        file.close();
    }

    /// The JVM interrupts a thread that reads memory which is being closed.
    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void aFileThatIsClosedInTheMiddleOfAReadLeavesNoInterrupt(@TempDir Path folder) throws Exception {
        byte[] large = new byte[8 << 20];
        ValueFileInfo info = write(List.of(new Entry(Samples.bytes("key"), Tag.of(1, Tag.PUT), large)), Set.of())
                .getFirst();
        String name = FileNames.values(info.number());
        Files.write(folder.resolve(name), storage.bytes(name));
        for (int i = 0; i < 50; i++) {
            ValueFile file = ValueFile.open(DiskStorage.open(folder), info);
            CountDownLatch reads = new CountDownLatch(1);
            FutureTask<Boolean> untilItIsClosed = new FutureTask<>(() -> {
                try {
                    while (true) {
                        file.read(pointer(stored.getFirst()), true);
                        reads.countDown();
                    }
                } catch (Retired _) {
                    return Thread.currentThread().isInterrupted();
                }
            });
            Thread.ofPlatform().start(untilItIsClosed);
            reads.await();
            file.close();
            assertThat(untilItIsClosed.get()).as("interrupted").isFalse();
        }
    }

    @Test
    void filesAreFoundByTheirNumbersWhateverTheOrderOfTheirComingAndGoing() throws IOException {
        List<ValueFileInfo> written = new ArrayList<>(write(entries(400), Set.of()));
        Collections.shuffle(written, random);
        List<Entry> separated =
                stored.stream().filter(each -> Tag.isSeparated(each.tag())).toList();
        open(written);
        for (ValueFileInfo gone : written) {
            files.remove(gone.number());
            for (Entry entry : separated) {
                boolean there = written.indexOf(gone)
                        < written.indexOf(written.stream()
                                .filter(info -> info.number() == pointer(entry).file())
                                .findFirst()
                                .orElseThrow());
                if (there) {
                    assertThat(files.waiting().read(pointer(entry)))
                            .hasSize(pointer(entry).length());
                } else {
                    assertThatThrownBy(() -> files.waiting().read(pointer(entry)))
                            .isInstanceOf(Retired.class);
                }
            }
        }
    }

    private List<Entry> entries(int count) {
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] value =
                    new byte[8 + (random.nextInt(4) == 0 ? random.nextInt(SEPARATE_BYTES) : random.nextInt(900))];
            random.nextBytes(value);
            int kind = random.nextInt(3) == 0 ? Tag.PUT_EXPIRING : Tag.PUT;
            entries.add(new Entry(Samples.bytes("key-%05d".formatted(i)), Tag.of(i + 1, kind), value));
        }
        return entries;
    }

    private List<ValueFileInfo> write(List<Entry> entries, Set<Long> emptied) throws IOException {
        return write(entries, emptied, SEPARATE_BYTES);
    }

    private List<ValueFileInfo> write(List<Entry> entries, Set<Long> emptied, int separateBytes) throws IOException {
        ValueOptions options = new ValueOptions(separateBytes, FILE_BYTES, 1.4);
        try (ValueSeparation separation = new ValueSeparation(
                storage,
                random,
                () -> ++lastNumber,
                new ValueSeparation.Plan(options, files, emptied),
                new ArrayList<>())) {
            ListCursor records = new ListCursor(entries);
            for (boolean on = records.seek(new byte[0]); on; on = records.next()) {
                RecordView placed = separation.place(records);
                stored.add(new Entry(placed.key(), placed.tag(), placed.storedValue()));
            }
            references.addAll(separation.takeReferences());
            return separation.finish();
        }
    }

    private void open(List<ValueFileInfo> infos) throws IOException {
        for (ValueFileInfo info : infos) {
            files.add(info.number(), ValueFile.open(storage, info));
        }
    }

    /// As they were before any value left them.
    private List<Entry> read(List<Entry> placed) {
        List<Entry> read = new ArrayList<>();
        for (Entry entry : placed) {
            if (Tag.isSeparated(entry.tag())) {
                byte[] value = files.waiting().read(pointer(entry));
                int expiryBytes = Tag.hasExpiry(entry.tag()) ? Tag.EXPIRY_BYTES : 0;
                byte[] whole = Arrays.copyOf(entry.value(), expiryBytes + value.length);
                System.arraycopy(value, 0, whole, expiryBytes, value.length);
                read.add(new Entry(entry.key(), Tag.inline(entry.tag()), whole));
            } else {
                read.add(entry);
            }
        }
        return read;
    }

    private static byte[] value(Entry entry) {
        int expiryBytes = Tag.hasExpiry(entry.tag()) ? Tag.EXPIRY_BYTES : 0;
        return Arrays.copyOfRange(entry.value(), expiryBytes, entry.value().length);
    }

    private static ValuePointer pointer(Entry entry) {
        return ValuePointer.of(entry.tag(), entry.value());
    }
}
