package kvant.lsm.value;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import kvant.engine.EngineException;
import kvant.lsm.bytes.Checksum;
import kvant.lsm.storage.Damage;
import kvant.lsm.storage.Storage;
import org.jspecify.annotations.Nullable;

/// Checks every byte of a value file.
///
///     header -> each record -> footer -> counts -> whole file
public final class ValueCheck {

    private ValueCheck() {}

    /// @param expected null without an undamaged manifest
    public static void check(Storage storage, String fileName, @Nullable ValueFileInfo expected, Damage.Sink sink)
            throws IOException {
        sink.look(Damage.VALUES, storage, fileName, (file, name) -> {
            check(file, name, expected);
            return name;
        });
    }

    private static void check(MemorySegment file, String name, @Nullable ValueFileInfo expected) {
        long id = ValueFileDescriptor.checkHeader(file, name);
        if (expected != null) {
            ValueFile.requireExpected(file, expected, name);
        }
        long said = ValueFileDescriptor.checkFooter(file, id, name);
        long end = file.byteSize() - ValueFileDescriptor.FOOTER_BYTES;
        long at = ValueFileDescriptor.HEADER_BYTES;
        long records = 0;
        while (at < end) {
            at = checkRecord(file, at, id, name);
            records++;
        }
        if (records != said || expected != null && records != expected.records()) {
            throw new EngineException.Corruption(
                    name, end, "it holds " + records + " values, and its footer or the manifest says otherwise");
        }
        if (expected != null && Checksum.of(id, file, 0, file.byteSize()) != expected.checksum()) {
            throw new EngineException.Corruption(
                    name, 0, "the checksum of the whole file is not the one in the manifest");
        }
    }

    /// @return where the next record begins
    /// @throws EngineException.Corruption when it is damaged
    static long checkRecord(MemorySegment file, long at, long id, String name) {
        ValueFileDescriptor.Head head = ValueFileDescriptor.checkHead(file, at, id, name);
        long valueAt = at + ValueFileDescriptor.RECORD_HEAD_BYTES + head.keyLength();
        int found = Checksum.of(ValueFileDescriptor.seed(id, valueAt), file, valueAt, head.valueLength());
        if (found != head.valueChecksum()) {
            throw new EngineException.Corruption(name, valueAt, "the checksum of a value does not match");
        }
        return at + head.recordBytes();
    }
}
