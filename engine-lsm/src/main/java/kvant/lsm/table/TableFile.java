package kvant.lsm.table;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;
import kvant.engine.EngineException;
import kvant.lsm.bytes.Opened;
import kvant.lsm.bytes.UnpinnedMemory;
import kvant.lsm.record.Retired;
import kvant.lsm.storage.CLibrary;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.ReadFault;
import kvant.lsm.storage.Storage;
import kvant.lsm.storage.UnpinnedFile;
import org.jspecify.annotations.Nullable;

/// The file of a table, mapped twice: for look-ups without read-ahead, for scans and merges with it.
public final class TableFile implements UnpinnedFile {

    /// Bytes before the end of a file that opening reads in most cases: the index of the partitions, the properties
    /// and the footer.
    private static final long TAIL_BYTES = 16 << 10;

    // Constant.
    private final String name;
    private final TableInfo info;
    private final Arena arena;
    private final MemorySegment file;
    private final MemorySegment pages; // the same bytes, for look-ups
    private final Supplier<String> readFault;

    private TableFile(Storage storage, TableInfo info, Arena arena) throws IOException {
        String fileName = FileNames.table(info.number());
        this.name = storage.describe(fileName);
        this.info = info;
        this.arena = arena;
        this.file = storage.map(fileName, arena);
        this.pages = storage.map(fileName, arena);
        CLibrary.readsAreRandom(pages);
        this.readFault = () -> ReadFault.explain(storage, fileName, info.bytes());
    }

    /// Maps a file, and has the kernel start reading the parts needed to open the table. A caller that opens many
    /// maps them all first, so that the disk reads for many at the same time.
    ///
    /// @param info the manifest's entry
    public static TableFile map(Storage storage, TableInfo info) throws IOException {
        try (Opened opened = new Opened()) {
            Arena arena = opened.add(Arena.ofShared());
            TableFile table = new TableFile(storage, info, arena);
            long tail = Math.min(TAIL_BYTES, table.pages.byteSize());
            CLibrary.willBeRead(table.pages, 0, Math.min(TableDescriptor.HEADER_BYTES, tail));
            CLibrary.willBeRead(table.pages, table.pages.byteSize() - tail, tail);
            return opened.all(table);
        }
    }

    /// Checks that the file is the table that is meant.
    TableDescriptor.Footer requireExpected() {
        return requireExpected(pages, name, info);
    }

    /// @param info the manifest's entry; null where it is unknown
    static TableDescriptor.Footer requireExpected(MemorySegment file, String name, @Nullable TableInfo info) {
        TableDescriptor.checkHeader(file, name); // first: a newer version is not damage
        long size = file.byteSize();
        if (info != null && size != info.bytes()) {
            throw new EngineException.Corruption(
                    name, Math.min(info.bytes(), size), "it has " + size + " bytes instead of " + info.bytes());
        }
        TableDescriptor.Footer footer = TableDescriptor.decodeFooter(file, name);
        if (info != null && footer.tableId() != info.id()) {
            throw new EngineException.Corruption(
                    name, 0, "it is not the table in the manifest, but a different one of the same name");
        }
        return footer;
    }

    String name() {
        return name;
    }

    long tableId() {
        return info.id();
    }

    /// For scans and merges.
    MemorySegment file() {
        return file;
    }

    /// For look-ups.
    MemorySegment pages() {
        return pages;
    }

    Residency residency(Residency.Marks marks) {
        return new Residency(pages, info.id(), marks);
    }

    /// The content of a block, for scans and merges.
    MemorySegment content(BlockHandle handle) {
        return file.asSlice(handle.offset(), handle.length());
    }

    /// The same of a plain block, once its checksum is right.
    MemorySegment checked(BlockHandle handle) {
        TableDescriptor.checkBlock(file, handle, info.id(), name);
        return content(handle);
    }

    /// The same for opening and look-ups: missing pages are read at once, and nothing around them.
    ///
    /// @param isResident whether the kernel has reported that it is in memory
    MemorySegment checkedPages(BlockHandle handle, boolean isResident) {
        TableDescriptor.requireWithin(pages, handle.offset(), handle.length(), name);
        if (!isResident) {
            load(handle.offset(), handle.length());
        }
        TableDescriptor.checkBlock(pages, handle, info.id(), name);
        return pages.asSlice(handle.offset(), handle.length());
    }

    /// Has the disk read a block and its trailer by one request: otherwise each of its pages that a look-up touches
    /// would be a request of its own.
    void load(long offset, int length) {
        if (pages.isMapped()) {
            pages.asSlice(offset, length + (long) TableDescriptor.TRAILER_BYTES).load();
        }
    }

    /// @param mapping of the two, the one that its reader reads
    void check(MemorySegment mapping, long offset, int length) {
        TableDescriptor.checkBlock(mapping, offset, length, info.id(), name);
    }

    /// Refuses data from a block that has lost its end. A file that is shortened while it is open reads as zeros up
    /// to the end of its last page, without any error; but every block ends with a count that is at least one.
    ///
    /// @param content holds the block, from `at` on
    /// @param offset of the block in the file
    void requireWhole(MemorySegment content, long at, int length, long offset) {
        if (BlockDescriptor.restartCount(content, at, length) <= 0) {
            throw new EngineException.Corruption(name, offset, ReadFault.SHORTENED);
        }
    }

    /// @throws Retired when the table has been closed
    void refuseRetired() {
        if (!arena.scope().isAlive()) {
            UnpinnedMemory.dropInterrupt();
            throw Retired.INSTANCE;
        }
    }

    /// Translates an exception of reading the mapping.
    ///
    /// @throws Retired when the table has been closed
    RuntimeException explained(Throwable e, long offset) {
        if (e instanceof InternalError) {
            return new EngineException.Corruption(name, offset, readFault.get());
        }
        refuseRetired();
        return new EngineException.Corruption(name, offset, "a block cannot be decoded: " + e.getMessage());
    }

    @Override
    public boolean tryClose() {
        return UnpinnedMemory.tryClose(arena);
    }
}
