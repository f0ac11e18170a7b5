package kvant.lsm.table;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.InstantSource;
import kvant.engine.EngineException;
import kvant.engine.Lookup;
import kvant.lsm.record.RecordCursor;
import kvant.lsm.storage.Storage;
import org.jspecify.annotations.Nullable;

/// An immutable sorted file, open for reading by any number of threads without a lock.
///
/// The file is mapped: what is hot lies in the page cache and is searched in place. Index and filter are
/// copied out at open, so that they stay in memory and a question for an absent key touches no page of the
/// file. A data block's checksum is checked before anything in it is trusted, once for as long as the table
/// is open.
///
///     find: filter -> index -> (resident?) -> checksum -> search in the block
///
/// A reader does not pin the table. Closing it unmaps the file, which readers in the middle of a search see
/// as [Retired]: they then look for the key in the newer version that replaced this table.
public final class Table implements AutoCloseable {

    /// The table has been closed because newer tables replace it.
    public static final class Retired extends RuntimeException {
        private static final long serialVersionUID = 1L;
        static final Retired INSTANCE = new Retired();

        private Retired() {
            super("the table has been replaced", null, false, false);
        }
    }

    private static final String SHORTENED = "the file has been shortened while it was open";

    // Constant.
    private final String name;
    private final long tableId;
    private final Arena arena;
    private final MemorySegment file;
    private final MemorySegment filter;
    private final MemorySegment index;
    private final Fences fences;
    private final TableProperties properties;

    /// One bit for each data block whose checksum was found right. Threads may overwrite each other's bits:
    /// then a block is checked twice.
    private final long[] checked;

    private Table(String name, Arena arena, MemorySegment file, TableDescriptor.Footer footer) {
        this.name = name;
        this.arena = arena;
        this.file = file;
        this.tableId = footer.tableId();
        this.filter = resident(footer.filter());
        this.index = resident(footer.index());
        this.properties = decodeProperties(footer.properties());
        this.fences = new Fences(index, properties, footer.filter().offset(), arena);
        this.checked = new long[(IndexDescriptor.count(index) + Long.SIZE - 1) / Long.SIZE];
    }

    /// Opens a table.
    ///
    /// @param id the id that the manifest knows
    /// @param bytes the size that the manifest knows
    /// @throws EngineException.Corruption when the file has another size, is another table, or is damaged in
    ///     what is read now
    /// @throws EngineException.CannotOpen when a newer version wrote it
    public static Table open(Storage storage, String fileName, long id, long bytes) throws IOException {
        String name = storage.describe(fileName);
        Arena arena = Arena.ofShared();
        boolean opened = false;
        try {
            MemorySegment file = storage.map(fileName, arena);
            TableDescriptor.checkHeader(file, name); // first: a newer version is no damage
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
            Table table = new Table(name, arena, file, footer);
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

    /// Looks a key up.
    ///
    /// @param hash the key's, from [#hash]
    /// @param mayBlock false to get [Lookup.Miss#WOULD_BLOCK] instead of waiting for a disk
    /// @return null when this table knows nothing of the key; [Lookup.Miss#ABSENT] when it knows that it was
    ///     removed
    /// @throws Retired when the table has been closed
    public @Nullable Lookup find(byte[] key, long hash, InstantSource clock, boolean mayBlock) {
        long offset = 0;
        try {
            if (!BloomFilter.mayContain(filter, hash)) {
                return null;
            }
            int block = fences.find(key);
            if (block == fences.count()) {
                return null;
            }
            offset = fences.blockOffset(block);
            int length = fences.blockLength(block);
            if (!mayBlock && !isResident(offset, length)) {
                return Lookup.Miss.WOULD_BLOCK;
            }
            check(block, offset, length);
            Lookup found = BlockSearch.find(file, offset, length, key, hash, clock);
            requireWhole(offset, length);
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

    /// Unmaps the file. Costs a handshake with all threads, so it does not belong on the path of a request.
    ///
    /// @return false when a checksum was being computed just then: try again later
    public boolean tryClose() {
        try {
            arena.close();
            return true;
        } catch (IllegalStateException e) {
            return !arena.scope().isAlive();
        }
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
    void check(int block, long offset, int length) {
        long bit = 1L << block;
        int word = block / Long.SIZE;
        if ((checked[word] & bit) == 0) {
            TableDescriptor.checkBlock(file, offset, length, tableId, name);
            checked[word] |= bit;
        }
    }

    /// Refuses what was read from a block that has lost its end. A file that is shortened while it is open reads
    /// as zeros up to the end of its last page, without any error; but every block ends with a count that is
    /// at least one.
    void requireWhole(long offset, int length) {
        if (BlockDescriptor.restartCount(file, offset, length) <= 0) {
            throw new EngineException.Corruption(name, offset, SHORTENED);
        }
    }

    /// What an exception from touching the mapping means.
    RuntimeException explained(Throwable e, long offset) {
        if (e instanceof InternalError) {
            return new EngineException.Corruption(name, offset, SHORTENED);
        }
        if (!arena.scope().isAlive()) {
            return Retired.INSTANCE;
        }
        return new EngineException.Corruption(name, offset, "a block cannot be decoded: " + e.getMessage());
    }

    private boolean isResident(long offset, int length) {
        return !file.isMapped()
                || file.asSlice(offset, length + (long) TableDescriptor.TRAILER_BYTES)
                        .isLoaded();
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
