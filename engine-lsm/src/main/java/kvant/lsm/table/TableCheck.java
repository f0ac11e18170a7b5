package kvant.lsm.table;

import java.io.IOException;
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
///     size, header, footer -> properties, index -> each partition: filter, index, data blocks -> sums -> whole file
///
/// One table is mapped at a time, so memory is bounded regardless of the size of the store. Belongs to one thread.
public final class TableCheck {

    // Constant.
    private final MemorySegment file;
    private final String name;
    private final @Nullable TableInfo expected;
    private final Damage.Sink sink;

    // One thread.
    private final BlockCheck blocks;
    private long next = TableDescriptor.HEADER_BYTES; // where the next part of the file should begin
    private int blocksSeen;
    private boolean whole = true; // nothing of the content is left out
    private int found;

    private TableCheck(
            MemorySegment file, String name, @Nullable TableInfo expected, PointerCheck pointers, Damage.Sink sink) {
        this.file = file;
        this.name = name;
        this.expected = expected;
        this.blocks = new BlockCheck(pointers);
        this.sink = sink;
    }

    /// @param expected its entry in the manifest; null without an undamaged manifest
    /// @return the table's properties, null when they cannot be read
    public static @Nullable TableProperties check(
            Storage storage, String fileName, @Nullable TableInfo expected, Damage.Sink sink) throws IOException {
        return sink.look(Damage.TABLE, storage, fileName, (file, name) -> {
            try (PointerCheck pointers = new PointerCheck(storage)) {
                return new TableCheck(file, name, expected, pointers, sink).check();
            }
        });
    }

    private TableProperties check() {
        TableDescriptor.Footer footer = TableFile.requireExpected(file, name, expected);
        MemorySegment index = content(footer.index(), footer);
        TableProperties said = TableProperties.decode(content(footer.properties(), footer));
        int count = footer.isPartitioned() ? Math.toIntExact(footer.blocks().offset()) : IndexDescriptor.count(index);
        CompressedBlocks compressed = new CompressedBlocks(name, footer, count, new TableContext(0));
        if (footer.isPartitioned()) {
            checkPartitions(footer, index, compressed);
        } else {
            checkSinglePartition(footer, index, compressed);
        }
        checkPlace("the index", footer.index());
        checkPlace("the properties", footer.properties());
        if (next != file.byteSize() - TableDescriptor.FOOTER_BYTES) {
            found(Damage.TABLE, next, "there are bytes before the footer that nothing names");
        }
        if (whole) {
            checkSums(footer, blocks.sums(), said);
            checkReferences(blocks.references());
        }
        checkWholeFile(footer, said);
        return said;
    }

    /// A block's content, once its checksum is right.
    private MemorySegment content(BlockHandle handle, TableDescriptor.Footer footer) {
        TableDescriptor.checkBlock(file, handle, footer.tableId(), name);
        return file.asSlice(handle.offset(), handle.length());
    }

    private void checkPartitions(TableDescriptor.Footer footer, MemorySegment index, CompressedBlocks compressed) {
        for (int number = 0; number < IndexDescriptor.count(index); number++) {
            BlockHandle handle = IndexDescriptor.handle(index, number);
            try {
                byte[] lastKey = checkPartition(footer, content(handle, footer), compressed);
                checkPlace("partition " + number, handle);
                requireLastKey("partition", handle, index, number, lastKey);
            } catch (EngineException.Corruption e) {
                lost(Damage.TABLE, handle.offset(), e.detail());
            } catch (IndexOutOfBoundsException e) {
                lost(Damage.TABLE, handle.offset(), "partition " + number + " cannot be decoded: " + e.getMessage());
            }
            next = handle.offset() + handle.length() + TableDescriptor.TRAILER_BYTES;
        }
        if (whole && blocksSeen != footer.blocks().offset()) {
            found(
                    Damage.TABLE,
                    footer.index().offset(),
                    "it has " + blocksSeen + " data blocks, and "
                            + footer.blocks().offset() + " in its footer");
        }
    }

    /// @return the last key of its last block
    private byte[] checkPartition(TableDescriptor.Footer footer, MemorySegment partition, CompressedBlocks compressed) {
        int first = PartitionDescriptor.firstBlock(partition);
        if (whole && first != blocksSeen) {
            throw new IndexOutOfBoundsException("it begins with block " + first + " instead of " + blocksSeen);
        }
        blocksSeen = first;
        blocks.filter(PartitionDescriptor.filter(partition));
        MemorySegment index = PartitionDescriptor.index(partition);
        checkBlocks(footer, index, compressed);
        return IndexDescriptor.lastKey(index, IndexDescriptor.count(index) - 1);
    }

    /// Version 1: data blocks, then filter and index.
    private void checkSinglePartition(TableDescriptor.Footer footer, MemorySegment index, CompressedBlocks compressed) {
        try {
            blocks.filter(content(footer.blocks(), footer));
        } catch (EngineException.Corruption e) {
            found(Damage.TABLE, e.offset(), e.detail());
        }
        checkBlocks(footer, index, compressed);
        checkPlace("the filter", footer.blocks());
    }

    /// Parts of the file follow one another without a gap.
    private void checkPlace(String what, BlockHandle handle) {
        if (handle.offset() != next) {
            found(Damage.TABLE, handle.offset(), what + " begins here instead of at " + next);
        }
        next = handle.offset() + handle.length() + TableDescriptor.TRAILER_BYTES;
    }

    private void checkBlocks(TableDescriptor.Footer footer, MemorySegment index, CompressedBlocks compressed) {
        for (int block = 0; block < IndexDescriptor.count(index); block++) {
            BlockHandle handle = IndexDescriptor.handle(index, block);
            checkPlace("data block " + blocksSeen, handle);
            try {
                byte[] decompressed = compressed.pass(file, blocksSeen, handle.offset(), handle.length());
                blocks.check(decompressed != null ? MemorySegment.ofArray(decompressed) : content(handle, footer));
                requireLastKey("block", handle, index, block, blocks.lastKey());
            } catch (EngineException.Corruption e) {
                lost(Damage.BLOCK, e.offset(), e.detail());
            } catch (IndexOutOfBoundsException e) {
                lost(Damage.BLOCK, handle.offset(), "it cannot be decoded: " + e.getMessage());
            }
            blocksSeen++;
        }
        long hidden = blocks.takeHiddenKeys();
        if (hidden > 0) {
            found(Damage.FILTER, next, hidden + " keys do not pass the filter");
        }
    }

    private void requireLastKey(String what, BlockHandle handle, MemorySegment index, int entry, byte[] lastKey) {
        byte[] said = IndexDescriptor.lastKey(index, entry);
        if (!Arrays.equals(said, lastKey)
                || IndexDescriptor.prefix(index, entry) != Keys.prefix(said, 0, said.length)) {
            found(Damage.BLOCK, handle.offset(), "the last key of the " + what + " is not the one in the index");
        }
    }

    private void lost(Damage kind, long offset, String what) {
        whole = false;
        found(kind, offset, what);
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

    /// Compares the references with those in the manifest, by which a value file without references is deleted.
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
