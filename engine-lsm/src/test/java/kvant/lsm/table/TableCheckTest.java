package kvant.lsm.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import kvant.engine.EngineException;
import kvant.engine.Samples;
import kvant.lsm.bytes.Checksum;
import kvant.lsm.record.ListCursor;
import kvant.lsm.record.ListCursor.Entry;
import kvant.lsm.record.Tag;
import kvant.lsm.storage.Damage;
import kvant.lsm.storage.HeapStorage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Tables whose checksums are all right, and whose parts contradict each other, as a fault of the writer would leave
/// them.
class TableCheckTest {

    private static final String NAME = "00000001.table";
    private static final long ID = 77;

    private final HeapStorage storage = new HeapStorage();
    private final List<String> found = new ArrayList<>();
    private TableDescriptor.Footer footer =
            new TableDescriptor.Footer(new BlockHandle(0, 0), new BlockHandle(0, 0), new BlockHandle(0, 0), 2, 0, 0);

    @BeforeEach
    void write() throws IOException {
        write(Compression.NONE);
    }

    private void write(Compression compression) throws IOException {
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            entries.add(new Entry(Samples.bytes("key-%04d".formatted(i)), Tag.of(i + 1, Tag.PUT), new byte[20]));
        }
        try (TableWriter writer = new TableWriter(storage, NAME, ID, 512, compression);
                Arena arena = Arena.ofConfined()) {
            ListCursor records = new ListCursor(entries);
            for (boolean on = records.seek(new byte[0]); on; on = records.next()) {
                writer.add(records);
            }
            writer.finish();
            footer = TableDescriptor.decodeFooter(storage.map(NAME, arena), NAME);
        }
    }

    @Test
    void whatFitsIsSound() throws IOException {
        assertThat(check(null)).isNotNull();
        assertThat(found).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Compression.class)
    void compressedBlocksAreDecodedToo(Compression compression) throws IOException {
        storage.delete(NAME);
        write(compression);
        check(null);
        assertThat(found).isEmpty();

        write(2); // a count of records that is wrong is found only by decoding all of them
        check(null);
        assertThat(found).singleElement().asString().startsWith("TABLE").contains("properties");
    }

    @ParameterizedTest
    @EnumSource(value = Compression.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void aCompressedBlockThatCannotBeDecompressed(Compression compression) throws IOException {
        storage.delete(NAME);
        write(compression);
        patch(firstBlock(), content -> content.putInt(0, content.getInt(0) + 1)); // its length before compression

        check(null);

        assertThat(found).singleElement().asString().startsWith("BLOCK 16").contains("cannot be decompressed");
    }

    @Test
    void aFilterThatHidesKeys() throws IOException {
        patch(partition(0), content -> {
            for (int i = 8; i < 8 + 32; i++) {
                content.put(i, (byte) 0);
            }
        });

        check(null);

        assertThat(found).singleElement().asString().startsWith("FILTER").contains("keys do not pass the filter");
    }

    @Test
    void aPartitionThatIsDamagedAndTheRestIsLookedAt() throws IOException {
        assertThat(TableSamples.partitions(storage.bytes(NAME))).hasSize(2);
        byte[] bytes = storage.bytes(NAME);
        bytes[(int) partition(0).offset() + 20] ^= 1;
        bytes[(int) partition(1).offset() + 20] ^= 1;
        storage.put(NAME, bytes);

        check(null);

        assertThat(found).hasSize(2).allMatch(line -> line.startsWith("TABLE") && line.contains("checksum of a block"));
        assertThat(found.get(0)).contains(" " + partition(0).offset() + " ");
        assertThat(found.get(1)).contains(" " + partition(1).offset() + " ");
    }

    @Test
    void aPartitionThatCountsItsBlocksOtherwise() throws IOException {
        patch(partition(1), content -> content.putInt(0, content.getInt(0) + 1));

        check(null);

        assertThat(found).singleElement().asString().startsWith("TABLE").contains("it begins with block");
    }

    @Test
    void anIndexWithAnotherLastKey() throws IOException {
        for (BlockHandle index : List.of(footer.index(), partition(1))) {
            patch(index, content -> content.put(index.length() - 1, (byte) 'z'));

            check(null);

            assertThat(found).isNotEmpty().allMatch(line -> line.contains("not the one in the index"));
            again();
        }
    }

    @Test
    void anIndexWithAnotherPrefix() throws IOException {
        for (BlockHandle index : List.of(footer.index(), partition(0))) {
            patch(index, content -> {
                boolean root = index.equals(footer.index());
                int filterBytes = root ? 0 : 8 + BloomFilter.LINE_BYTES * content.getInt(4);
                content.put(filterBytes + 8, (byte) 'z');
            });

            check(null);

            assertThat(found).singleElement().asString().startsWith("BLOCK").contains("not the one in the index");
            again();
        }
    }

    @Test
    void aFooterThatCountsOtherBlocks() throws IOException {
        patchFooter(0);

        check(null);

        assertThat(found).singleElement().asString().startsWith("TABLE").contains("in its footer");
    }

    @Test
    void aFooterThatCountsMoreBlocksThanBytes() throws IOException {
        for (int digit : new int[] {3, 7}) {
            patchFooter(digit);
            check(null);
            assertThat(found).singleElement().asString().startsWith("TABLE").contains("footer");
            again();
        }
    }

    /// @param digit of the number of data blocks, which becomes larger
    private void patchFooter(int digit) {
        byte[] bytes = storage.bytes(NAME);
        int at = bytes.length - TableDescriptor.FOOTER_BYTES;
        bytes[at + digit]++;
        int checksum = Checksum.of(0x666F6F7465720000L, bytes, at, 52);
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(at + 52, checksum);
        storage.put(NAME, bytes);
    }

    private void again() throws IOException {
        found.clear();
        storage.delete(NAME);
        write();
    }

    private BlockHandle partition(int number) {
        return TableSamples.partitions(storage.bytes(NAME)).get(number);
    }

    @Test
    void propertiesThatCountOtherwise() throws IOException {
        for (int field = 1; field < 6; field++) { // single bytes behind the records' two
            int at = field + 1;
            write(at);
            check(null);
            assertThat(found)
                    .as("byte " + at)
                    .singleElement()
                    .asString()
                    .startsWith("TABLE")
                    .contains("properties");
            again();
        }
    }

    private void write(int propertiesByte) throws IOException {
        patch(footer.properties(), content -> content.put(propertiesByte, (byte) (content.get(propertiesByte) ^ 1)));
    }

    @Test
    void aRestartPointAtAnotherPlace() throws IOException {
        BlockHandle first = firstBlock();
        patch(first, content -> {
            int marks = content.getInt(first.length() - BlockDescriptor.TAIL_BYTES);
            int last = first.length() - BlockDescriptor.TAIL_BYTES - marks - Integer.BYTES;
            content.putInt(last, content.getInt(last) + 1);
        });

        check(null);

        assertThat(found).singleElement().asString().startsWith("BLOCK 16").contains("restart point");
    }

    @Test
    void aRecordThatLeavesItsBlock() throws IOException {
        patch(firstBlock(), content -> content.put(2, (byte) 0x7F)); // the length of the first value

        check(null);

        assertThat(found).singleElement().asString().startsWith("BLOCK 16");
    }

    /// Also to readers, which would get memory for it, or never end.
    @Test
    void whatClaimsMoreThanThereIsIsRefused() throws IOException {
        assertRefused(footer.index(), content -> content.putInt(0, Integer.MAX_VALUE)); // partitions
        assertRefused(footer.index(), content -> content.putInt(0, -1));
        assertRefused(footer.index(), content -> content.putInt(8 + 20, -1)); // bytes of a key
        assertRefused(partition(0), content -> content.putInt(8 + BloomFilter.LINE_BYTES * content.getInt(4), 1 << 30));
        byte[] lengthAndKind = {-1, -1, -1, -1, 7, Tag.PUT};
        assertRefused(firstBlock(), content -> content.put(2, lengthAndKind)); // bytes of a value
        assertRefused(firstBlock(), content -> content.put(0, (byte) 1)); // bytes of a key before the first
        assertRefused(firstBlock(), content -> content.put(3, (byte) Tag.PUT_SEPARATED)); // of another length
        assertRefused(
                firstBlock(), content -> content.putInt(content.limit() - BlockDescriptor.TAIL_BYTES, -(1 << 30)));
    }

    private void assertRefused(BlockHandle part, Consumer<ByteBuffer> change) throws IOException {
        patch(part, change);
        long size = storage.size(NAME);
        assertThatThrownBy(() -> {
                    try (Table table = TableSamples.open(storage, ID, size)) {
                        ListCursor.drain(table.cursor(), new byte[0]);
                    }
                })
                .isInstanceOf(EngineException.Corruption.class);
        check(null);
        assertThat(found).isNotEmpty();
        again();
    }

    @Test
    void anotherFileThanTheManifestNames() throws IOException {
        long size = storage.bytes(NAME).length;
        int checksum = Checksum.of(ID, storage.bytes(NAME), 0, (int) size);

        check(new TableInfo(1, 1, ID, size, checksum, 200, List.of()));
        assertThat(found).isEmpty();
        check(new TableInfo(1, 1, ID, size, checksum + 1, 200, List.of()));
        check(new TableInfo(1, 1, ID, size, checksum, 199, List.of()));
        check(new TableInfo(1, 1, ID, size + 1, checksum, 200, List.of()));
        check(new TableInfo(1, 1, ID + 1, size, checksum, 200, List.of()));

        assertThat(found).hasSize(4);
        assertThat(found.get(0)).contains("checksum of the whole file");
        assertThat(found.get(1)).contains("its last sequence number is 200");
        assertThat(found.get(2)).contains("bytes instead of");
        assertThat(found.get(3)).contains("a different one of the same name");
    }

    private BlockHandle firstBlock() {
        return TableSamples.blocks(storage.bytes(NAME)).getFirst();
    }

    /// Changes a block and makes its checksum right again.
    private void patch(BlockHandle handle, Consumer<ByteBuffer> change) {
        byte[] bytes = storage.bytes(NAME);
        int offset = (int) handle.offset();
        change.accept(ByteBuffer.wrap(bytes, offset, handle.length()).slice().order(ByteOrder.LITTLE_ENDIAN));
        int checksum = Checksum.of(TableDescriptor.blockSeed(ID, offset), bytes, offset, handle.length() + 1);
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(offset + handle.length() + 1, checksum);
        storage.put(NAME, bytes);
    }

    private TableProperties check(TableInfo expected) throws IOException {
        return TableCheck.check(
                storage,
                NAME,
                expected,
                (Damage kind, String file, long offset, String what) -> found.add(kind + " " + offset + " " + what));
    }
}
