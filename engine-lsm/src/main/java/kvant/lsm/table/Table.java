package kvant.lsm.table;

import java.lang.foreign.MemorySegment;
import kvant.engine.EngineException;
import kvant.engine.Lookup;
import kvant.lsm.bytes.UnpinnedMemory;
import kvant.lsm.record.Reading;
import kvant.lsm.record.RecordCursor;
import kvant.lsm.storage.UnpinnedFile;
import kvant.lsm.table.CompressedBlocks.DecompressedBlock;
import org.jspecify.annotations.Nullable;

/// An immutable sorted file, open for reading by any number of threads without a lock.
///
/// The file is mapped: hot pages are in the page cache, and blocks are searched in place. The filters and indexes
/// that lead there are read into a cache when they are first needed; see [TableIndex]. A data block's checksum is
/// checked before any of its content is trusted: for gets and scans once for as long as the table is open, so that
/// they do not notice a plain block that the disk returns otherwise when it is read again later. Merges check each
/// block that they read, every time: in the table that they write, damage would have a valid checksum. Where one
/// finds damage, gets and scans check that block again too.
///
///     find: partition (cached, or: resident? -> checksum -> cache) -> filter -> index
///             -> resident? -> checksum -> search in the block
///     find, compressed block: ... -> cached, or: resident? -> copy -> checksum -> decompress -> cache
///             -> search in the block
///
/// A reader pins neither the table nor its cached parts. Closing the table unmaps the file, which readers in the
/// middle of a search see as [kvant.lsm.record.Retired]: they then look for the key in the newer version that
/// replaced this table. A reader of an entry that is being evicted searches again.
public final class Table implements UnpinnedFile {

    // Constant.
    private final TableFile file;
    private final TableProperties properties;
    private final TableIndex index;
    private final TableContext.FilterFigures filters;
    private final Residency residency;
    private final int compressions;

    /// Null when all blocks are plain.
    private final @Nullable CompressedBlocks compressed;

    /// The data blocks whose checksum was found right.
    private final BlockBits checked;

    private Table(TableFile file, TableDescriptor.Footer footer, TableContext context) {
        this.file = file;
        this.properties = TableProperties.decode(file.checkedPages(footer.properties(), false));
        this.index = new TableIndex(file, footer, properties, context);
        this.checked = new BlockBits(index.blocks());
        this.filters = context.filters();
        this.residency = file.residency(context.resident());
        this.compressions = footer.compressions();
        this.compressed =
                footer.compressions() == 0 ? null : new CompressedBlocks(file.name(), footer, index.blocks(), context);
    }

    /// Opens a table, which owns its file from now on: one that cannot be opened is unmapped.
    ///
    /// @throws EngineException.Corruption when the file has another size, is another table, or is damaged in a part
    ///     read now
    /// @throws EngineException.CannotOpen when a newer version wrote it, or a library that it needs cannot be
    /// loaded
    public static Table open(TableFile file, TableContext context) {
        boolean opened = false;
        try {
            Table table = new Table(file, file.requireExpected(), context);
            opened = true;
            return table;
        } catch (InternalError e) {
            throw file.explained(e, 0);
        } catch (IndexOutOfBoundsException e) {
            throw new EngineException.Corruption(file.name(), 0, "it cannot be decoded: " + e.getMessage());
        } finally {
            if (!opened) {
                file.close();
            }
        }
    }

    public String name() {
        return file.name();
    }

    public TableProperties properties() {
        return properties;
    }

    /// Whether its data blocks have this compression, as far as it has made them smaller.
    ///
    /// @param attempted compression that the writer was set to: blocks that it does not make smaller are plain
    public boolean isStoredAs(Compression compression, Compression attempted) {
        return compressions == compression.flag() || compressions == 0 && attempted == compression;
    }

    /// Looks a key up.
    ///
    /// @param hash the key's, from [kvant.lsm.bytes.Keys#hash]
    /// @param mayBlock false to get [Lookup.Miss#WOULD_BLOCK] instead of waiting for a disk
    /// @return null when this table has no version of the key; [Lookup.Miss#ABSENT] when that is a deletion
    /// @throws kvant.lsm.record.Retired when the table has been closed
    public @Nullable Lookup find(byte[] key, long hash, Reading reading, boolean mayBlock) {
        while (true) {
            try {
                return search(key, hash, reading, mayBlock);
            } catch (Evicted _) {
                // The cache has reused the memory meanwhile: the look-up is repeated.
            } catch (IllegalStateException e) {
                file.refuseRetired();
                throw e;
            } catch (InternalError | IndexOutOfBoundsException e) {
                throw file.explained(e, 0);
            }
        }
    }

    private @Nullable Lookup search(byte[] key, long hash, Reading reading, boolean mayBlock) {
        int number = index.find(key);
        if (number == index.count()) {
            return null;
        }
        Partition partition = index.partition(number, mayBlock);
        if (partition == null) {
            return Lookup.Miss.WOULD_BLOCK;
        }
        boolean passed = mayContain(partition, hash);
        Lookup found = passed ? search(partition, key, hash, reading, mayBlock) : null;
        if (TableContext.FilterFigures.isSampled() && found != Lookup.Miss.WOULD_BLOCK) { // repeated where it may block
            filters.asked(passed, found != null);
        }
        return found;
    }

    private boolean mayContain(Partition partition, long hash) {
        try {
            return partition.mayContain(hash);
        } catch (IllegalStateException e) {
            throw whyUnreadable(e, partition, null);
        }
    }

    private @Nullable Lookup search(Partition partition, byte[] key, long hash, Reading reading, boolean mayBlock) {
        DecompressedBlock content = null;
        long offset = 0;
        try {
            int inPartition = partition.find(key);
            if (inPartition == partition.blocks()) {
                return null;
            }
            offset = partition.blockOffset(inPartition);
            int length = partition.blockLength(inPartition);
            content = content(partition, inPartition, mayBlock);
            if (content == DecompressedBlock.NOT_RESIDENT) {
                return Lookup.Miss.WOULD_BLOCK;
            }
            if (content != null) {
                return BlockSearch.find(content.memory(), content.offset(), content.bytes(), key, hash, reading);
            }
            Lookup found = BlockSearch.find(file.pages(), offset, length, key, hash, reading);
            file.requireWhole(file.pages(), offset, length, offset);
            return found;
        } catch (IllegalStateException e) {
            throw whyUnreadable(e, partition, content);
        } catch (InternalError | IndexOutOfBoundsException e) {
            throw file.explained(e, offset);
        }
    }

    /// Tells closed memory from other faults of a read. Only for closed memory is a look-up repeated: a permanent
    /// fault would keep its thread for ever.
    ///
    /// @return [Retired], [Evicted], or the fault itself
    private RuntimeException whyUnreadable(
            IllegalStateException e, Partition partition, @Nullable DecompressedBlock content) {
        file.refuseRetired();
        UnpinnedMemory.dropInterrupt();
        return partition.isEvicted() || content != null && content.isEvicted() ? Evicted.INSTANCE : e;
    }

    /// Thrown when the cache has evicted an entry during a look-up.
    private static final class Evicted extends RuntimeException {

        private static final long serialVersionUID = 1L;

        static final Evicted INSTANCE = new Evicted();

        private Evicted() {
            super("evicted", null, false, false);
        }
    }

    /// The content of a block, for look-ups: checked, and decompressed where it is compressed.
    ///
    /// @param inPartition number of the block in its partition
    /// @param mayBlock false to get [DecompressedBlock#NOT_RESIDENT] instead of waiting for a disk
    /// @return null when it is plain: then it lies in [TableFile#pages]
    @Nullable
    DecompressedBlock content(Partition partition, int inPartition, boolean mayBlock) {
        long offset = partition.blockOffset(inPartition);
        int length = partition.blockLength(inPartition);
        int block = partition.firstBlock() + inPartition;
        CompressedBlocks blocks = compressed;
        if (blocks != null && !blocks.isPlain(block)) {
            DecompressedBlock content = blocks.cached(partition, inPartition);
            if (content == null) {
                if (!isInMemory(offset, length, mayBlock)
                        || !mayBlock && !blocks.isQuick(file.pages(), offset, length)) {
                    return DecompressedBlock.NOT_RESIDENT;
                }
                content = blocks.load(file.pages(), partition, inPartition, offset, length);
            }
            if (content != null) {
                return content;
            }
        }
        if (!isInMemory(offset, length, mayBlock)) {
            return DecompressedBlock.NOT_RESIDENT;
        }
        check(file.pages(), block, offset, length);
        return null;
    }

    /// A cursor over all records. The caller makes sure that the table stays open.
    public RecordCursor cursor() {
        return new TableCursor(this, file, index, TableCursor.Mode.SCAN);
    }

    /// The same for threads that may not wait for a disk: throws [kvant.lsm.record.WouldBlock] where a record is
    /// not in memory, and can then not be used any more.
    public RecordCursor residentCursor() {
        return new TableCursor(this, file, index, TableCursor.Mode.RESIDENT);
    }

    /// The same for rewriting the records or for checking that they can be read: verifies the checksum of every
    /// block, also of those checked before.
    public RecordCursor checkingCursor() {
        return new TableCursor(this, file, index, TableCursor.Mode.CHECK);
    }

    @Override
    public boolean tryClose() {
        if (!file.tryClose()) {
            return false;
        }
        index.close();
        return true;
    }

    // For the cursor.

    /// Checks a data block, unless it has been checked before.
    ///
    /// @param mapping of the two, the one that its reader reads
    void check(MemorySegment mapping, int block, long offset, int length) {
        if (!checked.get(block)) {
            file.check(mapping, offset, length);
            checked.set(block);
        }
    }

    /// Checks a data block even if it has been checked before. A block that has changed is no longer trusted by any
    /// reader.
    void recheck(MemorySegment mapping, int block, long offset, int length) {
        boolean right = false;
        try {
            file.check(mapping, offset, length);
            right = true;
        } finally {
            if (!right) {
                checked.clear(block);
            }
        }
    }

    /// The content of a data block for a scan or a merge, from its first byte.
    ///
    /// @return null when it is plain: then it lies in the file
    byte @Nullable [] decompressed(int block, long offset, int length) {
        return compressed == null ? null : compressed.pass(file.file(), block, offset, length);
    }

    /// Whether a block is in memory, or may be waited for; then this reads it into memory, as far as that is worth
    /// it.
    private boolean isInMemory(long offset, int length, boolean mayBlock) {
        if (mayBlock && !residency.isWorthAsking()
                || residency.isResident(offset, length + (long) TableDescriptor.TRAILER_BYTES)) {
            return true;
        }
        if (mayBlock) {
            file.load(offset, length);
        }
        return mayBlock;
    }
}
