package kvant.lsm.wal;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import kvant.engine.EngineException;
import kvant.lsm.bytes.ByteReader;

/// Reads the records of one file, and distinguishes a torn tail from damage.
///
/// After an invalid record, the rest of the file is searched for a later record that was written when this place had
/// already been synced. If there is one, an acknowledged record has been damaged, and reading stops with an exception
/// that names the place. If there is none, the file ends here: a crash tore a record that was never acknowledged.
///
/// Belongs to one thread.
public final class RecordReader {

    private final MemorySegment file;
    private final String name;
    private final FileHeader header;

    private long current;
    private long writtenEnd = -1;
    private long position = FileHeader.BYTES;

    /// @param file all bytes of it
    /// @param name of the file, for messages
    /// @throws EngineException.Corruption when the header is damaged
    /// @throws EngineException.CannotOpen when a newer version wrote it
    public RecordReader(MemorySegment file, FileHeader.Kind kind, String name) {
        this.file = file;
        this.name = name;
        this.header = FileHeader.decode(file, kind, name);
    }

    String name() {
        return name;
    }

    public FileHeader header() {
        return header;
    }

    /// Moves to the next record.
    ///
    /// @return false at the end, torn or not
    /// @throws EngineException.Corruption when a record that had been synced is damaged
    public boolean next() {
        if (isRecord(position)) {
            current = position;
            position += RecordDescriptor.recordBytes(RecordDescriptor.length(file, current));
            return true;
        }
        refuseDamage();
        return false;
    }

    /// For tools that report all damage: continues behind what [#next] has refused.
    ///
    /// @return whether a valid record follows; the next call of [#next] finds it
    public boolean skipDamage() {
        for (long at = position + RecordDescriptor.ALIGNMENT;
                at + RecordDescriptor.HEADER_BYTES <= file.byteSize();
                at += RecordDescriptor.ALIGNMENT) {
            if (isRecord(at)) {
                position = at;
                return true;
            }
        }
        return false;
    }

    /// Whether the padding behind the current record, up to the next one, still consists of zeros. No checksum covers
    /// it, and it is never read otherwise.
    public boolean isPadded() {
        return isZero(current + RecordDescriptor.HEADER_BYTES + RecordDescriptor.length(file, current), position);
    }

    /// Once [#next] has returned false: whether no byte was written behind the valid part.
    public boolean isTailEmpty() {
        return isZero(position, file.byteSize());
    }

    private boolean isZero(long from, long to) {
        for (long at = from; at < to; at++) {
            if (file.get(ValueLayout.JAVA_BYTE, at) != 0) {
                return false;
            }
        }
        return true;
    }

    public int type() {
        return RecordDescriptor.type(file, current);
    }

    public long firstSequence() {
        return RecordDescriptor.sequence(file, current);
    }

    public MemorySegment payload() {
        return file.asSlice(payloadOffset(), RecordDescriptor.length(file, current));
    }

    /// The start of the current payload.
    public long payloadOffset() {
        return current + RecordDescriptor.HEADER_BYTES;
    }

    /// The start of the current record.
    public long offset() {
        return current;
    }

    /// Once [#next] has returned false: the size of the valid part.
    public long validSize() {
        return position;
    }

    /// Once [#next] has returned false: bytes behind the valid part, left by a crash. Zeros at the end of the file do
    /// not count: they are preallocated space.
    public long tornBytes() {
        return Math.max(0, writtenEnd() - position);
    }

    /// The end of the written part: the start of the zeros at the end of the file.
    private long writtenEnd() {
        if (writtenEnd < 0) {
            long end = file.byteSize();
            while (end >= Long.BYTES && file.get(ByteReader.LONG, end - Long.BYTES) == 0) {
                end -= Long.BYTES;
            }
            while (end > 0 && file.get(ValueLayout.JAVA_BYTE, end - 1) == 0) {
                end--;
            }
            writtenEnd = end;
        }
        return writtenEnd;
    }

    private boolean isRecord(long at) {
        return RecordDescriptor.isHeader(file, at, header.id()) && RecordDescriptor.isPayload(file, at, header.id());
    }

    private void refuseDamage() {
        long end = writtenEnd();
        for (long at = position + RecordDescriptor.ALIGNMENT;
                at < end && at + RecordDescriptor.HEADER_BYTES <= file.byteSize();
                at += RecordDescriptor.ALIGNMENT) {
            if (file.get(ValueLayout.JAVA_INT_UNALIGNED, at) != 0
                    && isRecord(at)
                    && RecordDescriptor.synced(file, at) > position) {
                throw new EngineException.Corruption(
                        name, position, "a record that was synced is not valid, later ones are");
            }
        }
    }

    /// Decoding of a checked payload that fails means that the writer and this reader disagree.
    public EngineException.Corruption undecodable(IndexOutOfBoundsException cause) {
        return new EngineException.Corruption(name, current, "a record cannot be decoded: " + cause.getMessage());
    }

    /// The failure for a record of a type that does not belong in this file.
    public EngineException.Corruption unexpectedType() {
        return new EngineException.Corruption(name, current, "a record of unknown type " + type());
    }

    /// A view of the current payload.
    public ByteReader reader() {
        return new ByteReader(payload());
    }
}
