package kvant.lsm.value;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.LongFunction;
import kvant.engine.EngineException;
import kvant.lsm.bytes.Checksum;
import kvant.lsm.bytes.Opened;
import kvant.lsm.bytes.UnpinnedMemory;
import kvant.lsm.record.Retired;
import kvant.lsm.record.ValuePointer;
import kvant.lsm.storage.CLibrary;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.ReadFault;
import kvant.lsm.storage.Storage;
import kvant.lsm.storage.UnpinnedFile;
import org.jspecify.annotations.Nullable;

/// A value file, open for reading by any number of threads without a lock.
///
/// The file is mapped. A value is copied first, and then the checksum in its pointer is compared with that of the
/// copy, each time: so a reader gets exactly the checked bytes.
///
/// A reader does not pin the file. Closing it unmaps it, which a reader sees as [Retired]: it then looks for the key
/// in the newer version, in which no table refers to this file.
public final class ValueFile implements UnpinnedFile {

    private final String name;
    private final long id;
    private final Arena arena;
    private final MemorySegment file;
    private final LongFunction<EngineException> readFault; // at an offset

    private ValueFile(Storage storage, String fileName, long id, Arena arena, MemorySegment file) {
        this.name = storage.describe(fileName);
        this.id = id;
        this.arena = arena;
        this.file = file;
        long bytes = file.byteSize();
        this.readFault = offset -> ReadFault.damage(storage, fileName, bytes, offset);
    }

    /// @throws EngineException.Corruption when the file has another size, is another one, or is damaged in its header
    ///     or footer
    /// @throws EngineException.CannotOpen when a newer version wrote it
    public static ValueFile open(Storage storage, ValueFileInfo info) throws IOException {
        String fileName = FileNames.values(info.number());
        String name = storage.describe(fileName);
        try (Opened opened = new Opened()) {
            Arena arena = opened.add(Arena.ofShared());
            MemorySegment file = storage.map(fileName, arena);
            CLibrary.readsAreRandom(file);
            requireExpected(file, info, name);
            return opened.all(new ValueFile(storage, fileName, info.id(), arena, file));
        } catch (InternalError _) {
            throw ReadFault.damage(storage, fileName, info.bytes(), 0);
        } catch (IndexOutOfBoundsException e) {
            throw new EngineException.Corruption(name, 0, "it cannot be decoded: " + e.getMessage());
        }
    }

    /// Checks that a file begins, ends and is as long as the manifest says.
    static void requireExpected(MemorySegment file, ValueFileInfo info, String name) {
        long id = ValueFileDescriptor.checkHeader(file, name); // first: a newer version is not damage
        if (file.byteSize() != info.bytes()) {
            throw new EngineException.Corruption(
                    name,
                    Math.min(info.bytes(), file.byteSize()),
                    "it has " + file.byteSize() + " bytes instead of " + info.bytes());
        }
        if (id != info.id()) {
            throw new EngineException.Corruption(
                    name, 0, "it is not the value file in the manifest, but a different one of the same name");
        }
        ValueFileDescriptor.checkFooter(file, id, name);
    }

    /// Reads a value.
    ///
    /// @param mayBlock false to get null instead of waiting for a disk
    /// @throws Retired when the file has been closed
    byte @Nullable [] read(ValuePointer pointer, boolean mayBlock) {
        long at = pointer.offset();
        int length = pointer.length();
        try {
            requireWithin(at, length);
            if (!isResident(at, length, mayBlock)) {
                return null;
            }
            byte[] value = new byte[length];
            MemorySegment.copy(file, ValueLayout.JAVA_BYTE, at, value, 0, length);
            if (pointer.checksum() != Checksum.of(ValueFileDescriptor.seed(id, at), value, 0, length)) {
                throw wrongChecksum(at);
            }
            return value;
        } catch (IllegalStateException | InternalError e) {
            throw explained(e, at);
        }
    }

    /// Checks a value, and has the disk read it. Copies none of it, however long it is.
    ///
    /// @throws Retired when the file has been closed
    void check(ValuePointer pointer) {
        long at = pointer.offset();
        int length = pointer.length();
        try {
            requireWithin(at, length);
            isResident(at, length, true);
            if (pointer.checksum() != Checksum.of(ValueFileDescriptor.seed(id, at), file, at, length)) {
                throw wrongChecksum(at);
            }
        } catch (IllegalStateException | InternalError e) {
            throw explained(e, at);
        }
    }

    /// Copies a part of a value that [#check] has found to be right.
    ///
    /// @throws Retired when the file has been closed
    void copy(ValuePointer pointer, int from, byte[] target, int offset, int length) {
        long at = pointer.offset() + from;
        try {
            MemorySegment.copy(file, ValueLayout.JAVA_BYTE, at, target, offset, length);
        } catch (IllegalStateException | InternalError e) {
            throw explained(e, at);
        }
    }

    private void requireWithin(long at, int length) {
        if (at < 0 || length < 0 || at > file.byteSize() - length) {
            throw new EngineException.Corruption(name, at, "a value does not lie within the file");
        }
    }

    private EngineException.Corruption wrongChecksum(long at) {
        return new EngineException.Corruption(name, at, "the checksum of a value does not match");
    }

    /// Whether the pages of a value are in memory. If a wait is allowed, it reads them with one request to the disk:
    /// otherwise each page of a value would be a request of its own.
    private boolean isResident(long at, int length, boolean mayBlock) {
        if (!file.isMapped() || length == 0) {
            return true;
        }
        MemorySegment value = file.asSlice(at, length);
        if (value.isLoaded()) {
            return true;
        }
        if (mayBlock) {
            value.load();
        }
        return mayBlock;
    }

    /// Translates an exception of reading the mapping.
    RuntimeException explained(Throwable e, long offset) {
        if (e instanceof InternalError) {
            return readFault.apply(offset);
        }
        if (arena.scope().isAlive()) {
            return new EngineException.Corruption(name, offset, "a value cannot be read: " + e.getMessage());
        }
        UnpinnedMemory.dropInterrupt();
        return Retired.INSTANCE;
    }

    /// Reads every record; the caller makes sure that the file stays open.
    ///
    /// @param progress called for each record, and may end it with an exception
    /// @throws EngineException.Corruption at the first damage
    public <X extends Exception> void readThrough(Progress<X> progress) throws X {
        long end = file.byteSize() - ValueFileDescriptor.FOOTER_BYTES;
        long at = ValueFileDescriptor.HEADER_BYTES;
        while (at < end) {
            try {
                at = ValueCheck.checkRecord(file, at, id, name);
            } catch (InternalError e) {
                throw explained(e, at);
            }
            progress.read();
        }
    }

    /// Called for each record that was read.
    @FunctionalInterface
    public interface Progress<X extends Exception> {

        void read() throws X;
    }

    @Override
    public boolean tryClose() {
        return UnpinnedMemory.tryClose(arena);
    }
}
