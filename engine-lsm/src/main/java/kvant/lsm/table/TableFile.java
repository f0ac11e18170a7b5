package kvant.lsm.table;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;
import kvant.engine.EngineException;
import kvant.lsm.storage.ReadFault;
import kvant.lsm.storage.Storage;

/// The file of an open table, mapped twice: for look-ups without read-ahead, for all else with it.
final class TableFile {

    // Constant.
    private final String name;
    private final long tableId;
    private final Arena arena;
    private final MemorySegment file;
    private final MemorySegment pages; // the same bytes, for look-ups
    private final Supplier<String> readFault;

    private TableFile(Storage storage, String fileName, long tableId, long bytes, Arena arena) throws IOException {
        this.name = storage.describe(fileName);
        this.tableId = tableId;
        this.arena = arena;
        this.file = storage.map(fileName, arena);
        this.pages = storage.mapForLookups(fileName, arena);
        this.readFault = () -> ReadFault.explain(storage, fileName, bytes);
    }

    /// Maps a file and checks that it is the table that is meant.
    ///
    /// @param arena its life
    static TableFile map(Storage storage, String fileName, long id, long bytes, Arena arena) throws IOException {
        TableFile table = new TableFile(storage, fileName, id, bytes, arena);
        TableDescriptor.checkHeader(table.file, table.name); // first: a newer version is not damage
        long size = table.file.byteSize();
        if (size != bytes) {
            throw new EngineException.Corruption(
                    table.name, Math.min(bytes, size), "it has " + size + " bytes instead of " + bytes);
        }
        return table;
    }

    TableDescriptor.Footer footer() {
        TableDescriptor.Footer footer = TableDescriptor.decodeFooter(file, name);
        if (footer.tableId() != tableId) {
            throw new EngineException.Corruption(
                    name, 0, "it is not the table that the manifest names, but another one under its name");
        }
        return footer;
    }

    String name() {
        return name;
    }

    long tableId() {
        return tableId;
    }

    /// For opening, scans and merges.
    MemorySegment file() {
        return file;
    }

    /// For look-ups.
    MemorySegment pages() {
        return pages;
    }

    Residency residency(Residency.Marks marks) {
        return new Residency(pages, tableId, marks);
    }

    /// The content of a block.
    MemorySegment content(BlockHandle handle) {
        return file.asSlice(handle.offset(), handle.length());
    }

    /// The content of a plain block, once its checksum is right.
    MemorySegment checked(BlockHandle handle) {
        TableDescriptor.checkBlock(file, handle, tableId, name);
        return content(handle);
    }

    /// The same for look-ups: what is not in memory is read at once, and nothing around it.
    ///
    /// @param isResident whether the kernel has said that it is in memory
    MemorySegment checkedPages(BlockHandle handle, boolean isResident) {
        TableDescriptor.requireWithin(pages, handle.offset(), handle.length(), name);
        if (!isResident) {
            pages.asSlice(handle.offset(), handle.length() + (long) TableDescriptor.TRAILER_BYTES)
                    .load();
        }
        TableDescriptor.checkBlock(pages, handle, tableId, name);
        return pages.asSlice(handle.offset(), handle.length());
    }

    /// @param mapping of the two, the one that its reader reads
    void check(MemorySegment mapping, long offset, int length) {
        TableDescriptor.checkBlock(mapping, offset, length, tableId, name);
    }

    /// Refuses what was read from a block that has lost its end. A file that is shortened while it is open
    /// reads as zeros up to the end of its last page, without any error; but every block ends with a count
    /// that is at least one.
    ///
    /// @param content where the block is, from `at` on
    /// @param offset of the block in the file
    void requireWhole(MemorySegment content, long at, int length, long offset) {
        if (BlockDescriptor.restartCount(content, at, length) <= 0) {
            throw new EngineException.Corruption(name, offset, ReadFault.SHORTENED);
        }
    }

    /// @throws Table.Retired when the table has been closed
    void refuseRetired() {
        if (!arena.scope().isAlive()) {
            throw Table.Retired.INSTANCE;
        }
    }

    /// Translates an exception of reading the mapping.
    RuntimeException explained(Throwable e, long offset) {
        if (e instanceof InternalError) {
            return new EngineException.Corruption(name, offset, readFault.get());
        }
        if (!arena.scope().isAlive()) {
            return Table.Retired.INSTANCE;
        }
        return new EngineException.Corruption(name, offset, "a block cannot be decoded: " + e.getMessage());
    }

    /// @return false while its bytes are being copied
    boolean tryClose() {
        try {
            arena.close();
        } catch (IllegalStateException e) {
            return !arena.scope().isAlive();
        }
        return true;
    }
}
