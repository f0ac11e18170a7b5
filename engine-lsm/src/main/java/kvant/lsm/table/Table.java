package kvant.lsm.table;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;
import kvant.engine.EngineException;
import kvant.engine.Lookup;
import kvant.lsm.record.Reading;
import kvant.lsm.record.RecordCursor;
import kvant.lsm.storage.ReadFault;
import kvant.lsm.storage.Storage;
import org.jspecify.annotations.Nullable;

/// An immutable sorted file, open for reading by any number of threads without a lock.
///
/// The file is mapped: hot pages are in the page cache and are searched in place. It is mapped twice: for look-ups
/// without read-ahead, for scans with it. Filter and fences are copied to the heap at open, so that a look-up of an
/// absent key reads no page of the file. A data block's checksum is checked before anything in it is trusted, once
/// for as long as the table is open.
///
///     find: filter -> index -> (resident?) -> checksum -> search in the block
///     find, compressed block: filter -> index -> cache, or: (resident?) -> copy -> checksum -> decompress -> cache
///                             -> search in the block
///
/// A reader does not pin the table. Closing it unmaps the file, which readers in the middle of a search
/// see as [Retired]: they then look for the key in the newer version that replaced this table.
public final class Table implements AutoCloseable {

    /// The table has been closed because newer tables replace it.
    public static final class Retired extends RuntimeException {
        private static final long serialVersionUID = 1L;
        static final Retired INSTANCE = new Retired();

        private Retired() {
            super("the table has been replaced", null, false, false);
        }
    }

    // Constant.
    private final String name;
    private final Supplier<String> readFault;
    private final long tableId;
    private final Arena arena;
    private final MemorySegment file; // for opening, scans and merges
    private final MemorySegment pages; // the same bytes, for look-ups
    private final MemorySegment filter;
    private final MemorySegment index;
    private final Fences fences;
    private final TableProperties properties;
    private final FilterFigures filters;
    private final Residency residency;
    private final int compressions;

    /// Null when all blocks are plain.
    private final @Nullable CompressedBlocks compressed;

    /// One bit for each data block whose checksum was found right. Threads may overwrite each other's
    /// bits: then a block is checked twice.
    private final long[] checked;

    private Table(
            String name,
            Supplier<String> readFault,
            Arena arena,
            MemorySegment file,
            MemorySegment pages,
            TableDescriptor.Footer footer,
            TableContext context) {
        this.name = name;
        this.readFault = readFault;
        this.arena = arena;
        this.file = file;
        this.pages = pages;
        this.tableId = footer.tableId();
        this.filter = resident(footer.filter());
        TableDescriptor.checkBlock(file, footer.index(), tableId, name);
        this.index = file.asSlice(footer.index().offset(), footer.index().length());
        this.properties = decodeProperties(footer.properties());
        this.fences = new Fences(index, properties, footer.filter().offset(), arena);
        int blocks = IndexDescriptor.count(index);
        this.checked = new long[(blocks + Long.SIZE - 1) / Long.SIZE];
        this.filters = context.filters();
        this.residency = new Residency(pages, blocks);
        this.compressions = footer.compressions();
        this.compressed =
                footer.compressions() == 0 ? null : new CompressedBlocks(name, footer, blocks, context.cache());
    }

    /// Opens a table that shares nothing with others and keeps no decompressed blocks.
    public static Table open(Storage storage, String fileName, long id, long bytes) throws IOException {
        return open(storage, fileName, id, bytes, new TableContext(0));
    }

    /// Opens a table.
    ///
    /// @param id the id that the manifest knows
    /// @param bytes the size that the manifest knows
    /// @throws EngineException.Corruption when the file has another size, is another table, or is damaged in
    ///     what is read now
    /// @throws EngineException.CannotOpen when a newer version wrote it, or a library that it needs cannot
    ///     be loaded
    public static Table open(Storage storage, String fileName, long id, long bytes, TableContext context)
            throws IOException {
        String name = storage.describe(fileName);
        Arena arena = Arena.ofShared();
        boolean opened = false;
        try {
            MemorySegment file = storage.map(fileName, arena);
            MemorySegment pages = storage.mapForLookups(fileName, arena);
            TableDescriptor.checkHeader(file, name); // first: a newer version is not damage
            if (file.byteSize() != bytes) {
                throw new EngineException.Corruption(
                        name,
                        Math.min(bytes, file.byteSize()),
                        "it has " + file.byteSize() + " bytes instead of " + bytes);
            }
            TableDescriptor.Footer footer = TableDescriptor.decodeFooter(file, name);
            if (footer.tableId() != id) {
                throw new EngineException.Corruption(
                        name, 0, "it is not the table that the manifest names, but another one under its name");
            }
            Supplier<String> readFault = () -> ReadFault.explain(storage, fileName, bytes);
            Table table = new Table(name, readFault, arena, file, pages, footer, context);
            opened = true;
            return table;
        } catch (IndexOutOfBoundsException | InternalError e) {
            throw new EngineException.Corruption(name, 0, "it cannot be decoded: " + e.getMessage());
        } finally {
            if (!opened) {
                arena.close();
            }
        }
    }

    public String name() {
        return name;
    }

    public TableProperties properties() {
        return properties;
    }

    /// Whether its data blocks are stored in this way, as far as that has made them smaller.
    ///
    /// @param attempted what whoever wrote it was told to use: blocks that it does not make smaller are plain
    public boolean isStoredAs(Compression compression, Compression attempted) {
        return compressions == compression.flag() || compressions == 0 && attempted == compression;
    }

    /// Looks a key up.
    ///
    /// @param hash the key's, from [#hash]
    /// @param mayBlock false to get [Lookup.Miss#WOULD_BLOCK] instead of waiting for a disk
    /// @return null when this table has no version of the key; [Lookup.Miss#ABSENT] when that is a deletion
    /// @throws Retired when the table has been closed
    public @Nullable Lookup find(byte[] key, long hash, Reading reading, boolean mayBlock) {
        boolean sampled = FilterFigures.isSampled();
        boolean passed;
        try {
            passed = BloomFilter.mayContain(filter, hash);
        } catch (IllegalStateException | InternalError | IndexOutOfBoundsException e) {
            throw explained(e, 0);
        }
        Lookup found = passed ? findPassed(key, hash, reading, mayBlock) : null;
        if (sampled && found != Lookup.Miss.WOULD_BLOCK) { // the read is repeated where it may block
            filters.asked(passed, found != null);
        }
        return found;
    }

    private @Nullable Lookup findPassed(byte[] key, long hash, Reading reading, boolean mayBlock) {
        long offset = 0;
        try {
            int block = fences.find(key);
            if (block == fences.count()) {
                return null;
            }
            offset = fences.blockOffset(block);
            int length = fences.blockLength(block);
            CompressedBlocks blocks = compressed;
            if (blocks != null && !blocks.isPlain(block)) {
                MemorySegment content = blocks.cached(block);
                if (content == null) {
                    if (!mayBlock && !(isResident(block, offset, length) && blocks.isQuick(pages, offset, length))) {
                        return Lookup.Miss.WOULD_BLOCK;
                    }
                    content = blocks.load(pages, block, offset, length);
                }
                if (content != null) {
                    return BlockSearch.find(content, 0, (int) content.byteSize(), key, hash, reading);
                }
            }
            if (!mayBlock && !isResident(block, offset, length)) {
                return Lookup.Miss.WOULD_BLOCK;
            }
            check(pages, block, offset, length);
            Lookup found = BlockSearch.find(pages, offset, length, key, hash, reading);
            requireWhole(pages, offset, length, offset);
            return found;
        } catch (IllegalStateException | InternalError | IndexOutOfBoundsException e) {
            throw explained(e, offset);
        }
    }

    public static long hash(byte[] key) {
        return BloomFilter.hash(key, 0, key.length);
    }

    /// A cursor over all records. The caller makes sure that the table stays open.
    public RecordCursor cursor() {
        return new TableCursor(this);
    }

    /// Unmaps the file. Costs a handshake with all threads, so it does not belong on the path of a
    /// request.
    ///
    /// @return false when a checksum was being computed just then: try again later
    public boolean tryClose() {
        try {
            arena.close();
        } catch (IllegalStateException e) {
            if (arena.scope().isAlive()) {
                return false;
            }
        }
        if (compressed != null) {
            compressed.close();
        }
        return true;
    }

    @Override
    public void close() {
        while (!tryClose()) {
            Thread.onSpinWait();
        }
    }

    // For the cursor.

    MemorySegment file() {
        return file;
    }

    Fences fences() {
        return fences;
    }

    MemorySegment index() {
        return index;
    }

    /// Checks a data block, unless it has been checked before.
    ///
    /// @param mapping of the two, the one that its reader reads
    void check(MemorySegment mapping, int block, long offset, int length) {
        long bit = 1L << block;
        int word = block / Long.SIZE;
        if ((checked[word] & bit) == 0) {
            TableDescriptor.checkBlock(mapping, offset, length, tableId, name);
            checked[word] |= bit;
        }
    }

    /// The content of a data block for a scan or a merge, from its first byte.
    ///
    /// @return null when it is plain: then it lies in the file
    @Nullable
    MemorySegment decompressed(int block, long offset, int length) {
        return compressed == null ? null : compressed.pass(file, block, offset, length);
    }

    /// Refuses what was read from a block that has lost its end. A file that is shortened while it is
    /// open reads as zeros up to the end of its last page, without any error; but every block ends with
    /// a count that is at least one.
    ///
    /// @param content where the block is, from `at` on
    /// @param offset of the block in the file
    void requireWhole(MemorySegment content, long at, int length, long offset) {
        if (BlockDescriptor.restartCount(content, at, length) <= 0) {
            throw new EngineException.Corruption(name, offset, ReadFault.SHORTENED);
        }
    }

    /// Translates an exception of reading the mapping.
    RuntimeException explained(Throwable e, long offset) {
        if (e instanceof InternalError) {
            return new EngineException.Corruption(name, offset, readFault.get());
        }
        if (!arena.scope().isAlive()) {
            return Retired.INSTANCE;
        }
        return new EngineException.Corruption(name, offset, "a block cannot be decoded: " + e.getMessage());
    }

    private boolean isResident(int block, long offset, int length) {
        return residency.isResident(block, offset, length + (long) TableDescriptor.TRAILER_BYTES);
    }

    private MemorySegment resident(BlockHandle handle) {
        TableDescriptor.checkBlock(file, handle, tableId, name);
        MemorySegment copy = arena.allocate(Math.max(1, handle.length()), Long.BYTES);
        MemorySegment.copy(file, handle.offset(), copy, 0, handle.length());
        return copy.asReadOnly();
    }

    private TableProperties decodeProperties(BlockHandle handle) {
        TableDescriptor.checkBlock(file, handle, tableId, name);
        try {
            return TableProperties.decode(file.asSlice(handle.offset(), handle.length()));
        } catch (IndexOutOfBoundsException e) {
            throw new EngineException.Corruption(name, handle.offset(), "its properties cannot be decoded");
        }
    }
}
