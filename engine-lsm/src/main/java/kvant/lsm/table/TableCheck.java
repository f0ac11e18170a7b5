package kvant.lsm.table;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import kvant.engine.EngineException;
import kvant.lsm.bytes.Checksum;
import kvant.lsm.bytes.Keys;
import kvant.lsm.storage.Damage;
import kvant.lsm.storage.Storage;
import kvant.lsm.value.PointerCheck;
import kvant.lsm.value.ValueReference;
import org.jspecify.annotations.Nullable;

/// Checks every byte of a table and that its parts agree, and continues behind damage.
///
///     size, header, footer -> filter, index, properties -> each data block -> sums -> whole file
///
/// One table is mapped at a time, so memory is bounded whatever the size of the store. Belongs to one thread.
public final class TableCheck {

    /// The manifest's entry of a table.
    public record Expected(long id, long bytes, int checksum, long lastSequence, List<ValueReference> values) {

        public Expected {
            values = List.copyOf(values);
        }
    }

    // Constant.
    private final MemorySegment file;
    private final String name;
    private final @Nullable Expected expected;
    private final PointerCheck pointers;
    private final Damage.Sink sink;

    // One thread.
    private int found;

    private TableCheck(
            MemorySegment file, String name, @Nullable Expected expected, PointerCheck pointers, Damage.Sink sink) {
        this.file = file;
        this.name = name;
        this.expected = expected;
        this.pointers = pointers;
        this.sink = sink;
    }

    /// @param expected null without an undamaged manifest
    /// @return the table's properties, null when they cannot be read
    public static @Nullable TableProperties check(
            Storage storage, String fileName, @Nullable Expected expected, Damage.Sink sink) throws IOException {
        String name = storage.describe(fileName);
        try (Arena arena = Arena.ofConfined();
                PointerCheck pointers = new PointerCheck(storage)) {
            return new TableCheck(storage.map(fileName, arena), name, expected, pointers, sink).check();
        } catch (EngineException.Corruption e) {
            sink.found(Damage.TABLE, name, e.offset(), e.detail());
        } catch (EngineException.CannotOpen e) {
            sink.found(Damage.FILE_NEWER, name, 0, String.valueOf(e.getMessage()));
        } catch (IndexOutOfBoundsException e) {
            sink.found(Damage.TABLE, name, 0, "it cannot be decoded: " + e.getMessage());
        } catch (InternalError e) {
            sink.found(Damage.TABLE, name, 0, "it was shortened while it was looked at");
        }
        return null;
    }

    private TableProperties check() {
        TableDescriptor.checkHeader(file, name);
        if (expected != null && file.byteSize() != expected.bytes()) {
            throw new EngineException.Corruption(
                    name,
                    Math.min(file.byteSize(), expected.bytes()),
                    "it has " + file.byteSize() + " bytes instead of " + expected.bytes());
        }
        TableDescriptor.Footer footer = TableDescriptor.decodeFooter(file, name);
        if (expected != null && footer.tableId() != expected.id()) {
            throw new EngineException.Corruption(
                    name, 0, "it is not the table that the manifest names, but another one under its name");
        }
        MemorySegment properties = content(footer.properties(), footer);
        MemorySegment index = content(footer.index(), footer);
        TableProperties said = TableProperties.decode(properties);
        checkPlaces(footer, index);
        @Nullable MemorySegment filter = filter(footer);
        checkBlocks(footer, index, filter, said);
        checkWholeFile(footer, said);
        return said;
    }

    /// A block's content, once its checksum is right.
    private MemorySegment content(BlockHandle handle, TableDescriptor.Footer footer) {
        TableDescriptor.checkBlock(file, handle, footer.tableId(), name);
        return file.asSlice(handle.offset(), handle.length());
    }

    private @Nullable MemorySegment filter(TableDescriptor.Footer footer) {
        try {
            return content(footer.filter(), footer);
        } catch (EngineException.Corruption e) {
            found(Damage.TABLE, e.offset(), e.detail());
            return null;
        }
    }

    /// Blocks follow one another without a gap, and then filter, index and properties.
    private void checkPlaces(TableDescriptor.Footer footer, MemorySegment index) {
        long at = TableDescriptor.HEADER_BYTES;
        for (int block = 0; block < IndexDescriptor.count(index); block++) {
            at = checkPlace("data block " + block, IndexDescriptor.handle(index, block), at);
        }
        at = checkPlace("the filter", footer.filter(), at);
        at = checkPlace("the index", footer.index(), at);
        at = checkPlace("the properties", footer.properties(), at);
        if (at != file.byteSize() - TableDescriptor.FOOTER_BYTES) {
            found(Damage.TABLE, at, "there are bytes before the footer that nothing names");
        }
    }

    private long checkPlace(String what, BlockHandle handle, long expectedOffset) {
        if (handle.offset() != expectedOffset) {
            found(Damage.TABLE, handle.offset(), what + " begins here instead of at " + expectedOffset);
        }
        return handle.offset() + handle.length() + TableDescriptor.TRAILER_BYTES;
    }

    private void checkBlocks(
            TableDescriptor.Footer footer, MemorySegment index, @Nullable MemorySegment filter, TableProperties said) {
        int count = IndexDescriptor.count(index);
        BlockCheck blocks = new BlockCheck(filter, pointers);
        CompressedBlocks compressed = new CompressedBlocks(name, footer, count, new BlockCache(0));
        boolean whole = true;
        for (int block = 0; block < count; block++) {
            BlockHandle handle = IndexDescriptor.handle(index, block);
            try {
                MemorySegment decompressed = compressed.pass(file, block, handle.offset(), handle.length());
                blocks.check(decompressed != null ? decompressed : content(handle, footer));
                checkIndexEntry(index, block, handle, blocks);
            } catch (EngineException.Corruption e) {
                whole = false;
                found(Damage.BLOCK, e.offset(), e.detail());
            } catch (IndexOutOfBoundsException e) {
                whole = false;
                found(Damage.BLOCK, handle.offset(), "it cannot be decoded: " + e.getMessage());
            }
        }
        if (blocks.hiddenKeys() > 0) {
            found(Damage.FILTER, footer.filter().offset(), blocks.hiddenKeys() + " keys do not pass the filter");
        }
        if (whole) {
            checkSums(footer, blocks.sums(), said);
            checkReferences(blocks.references());
        }
    }

    private void checkIndexEntry(MemorySegment index, int block, BlockHandle handle, BlockCheck blocks) {
        byte[] last = IndexDescriptor.lastKey(index, block);
        if (!Arrays.equals(last, blocks.lastKey())
                || IndexDescriptor.prefix(index, block) != Keys.prefix(last, 0, last.length)) {
            found(Damage.BLOCK, handle.offset(), "its last key is not the one in the index");
        }
    }

    private void checkSums(TableDescriptor.Footer footer, TableProperties counted, TableProperties said) {
        boolean same = counted.records() == said.records()
                && counted.deletions() == said.deletions()
                && counted.keyBytes() == said.keyBytes()
                && counted.valueBytes() == said.valueBytes()
                && counted.firstSequence() == said.firstSequence()
                && counted.lastSequence() == said.lastSequence()
                && Arrays.equals(counted.smallestKey(), said.smallestKey())
                && Arrays.equals(counted.largestKey(), said.largestKey());
        if (!same) {
            found(Damage.TABLE, footer.properties().offset(), "its properties do not fit its content");
        }
    }

    /// A value file is deleted when the manifest says that no table refers to it.
    private void checkReferences(List<ValueReference> counted) {
        if (expected != null && !counted.equals(expected.values())) {
            found(Damage.TABLE, 0, "it does not refer to the value files that the manifest says");
        }
    }

    /// Reported only where nothing else was found: otherwise it repeats that.
    private void checkWholeFile(TableDescriptor.Footer footer, TableProperties said) {
        if (expected == null || found > 0) {
            return;
        }
        if (Checksum.of(footer.tableId(), file, 0, file.byteSize()) != expected.checksum()) {
            found(Damage.TABLE, 0, "the checksum of the whole file is not the one in the manifest");
        }
        if (said.lastSequence() != expected.lastSequence()) {
            found(
                    Damage.TABLE,
                    footer.properties().offset(),
                    "its last sequence number is " + said.lastSequence() + ", and " + expected.lastSequence()
                            + " in the manifest");
        }
    }

    private void found(Damage kind, long offset, String what) {
        found++;
        sink.found(kind, name, offset, what);
    }
}
