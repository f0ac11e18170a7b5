package kvant.lsm.value;

import java.io.IOException;
import kvant.lsm.bytes.ByteWriter;
import kvant.lsm.bytes.Checksum;
import kvant.lsm.bytes.Opened;
import kvant.lsm.record.RecordView;
import kvant.lsm.record.ValuePointer;
import kvant.lsm.storage.ChecksummedOutput;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.Storage;

/// Writes one value file, front to back, in the order in which it gets the values. Belongs to one thread.
final class ValueFileWriter implements AutoCloseable {

    /// Largest piece of a value in memory. A longer value is read twice, because its checksum precedes it.
    private static final int PIECE_BYTES = 64 << 10;

    private final long number;
    private final long id;
    private final ChecksummedOutput out;
    private final Checksum checksum = new Checksum();
    private final ByteWriter scratch = new ByteWriter(1 << 10);
    private final byte[] piece = new byte[PIECE_BYTES];
    private long records;

    /// Creates the file.
    ///
    /// @param id a random number that seeds the checksums
    ValueFileWriter(Storage storage, long number, long id) throws IOException {
        this.number = number;
        this.id = id;
        try (Opened opened = new Opened()) {
            this.out = opened.add(new ChecksummedOutput(storage, FileNames.values(number), id));
            ValueFileDescriptor.encodeHeader(id, scratch);
            out.put(scratch);
            opened.all(this);
        }
    }

    /// Adds a value.
    ///
    /// @param record whose key it belongs to
    /// @param value whose stored value it is, from `from` on
    ValuePointer add(RecordView record, RecordView value, int from, int length) throws IOException {
        byte[] key = record.key();
        long start = out.size();
        long valueAt = start + ValueFileDescriptor.RECORD_HEAD_BYTES + key.length;
        long seed = ValueFileDescriptor.seed(id, valueAt);
        checksum.seed(seed);
        value.forEachPiece(from, length, piece, checksum::add);
        int valueChecksum = checksum.value();
        scratch.clear();
        ValueFileDescriptor.encodeHead(
                id, start, key, new ValueFileDescriptor.Head(key.length, length, valueChecksum), scratch);
        out.put(scratch);
        if (length <= piece.length) {
            out.put(piece, 0, length);
        } else {
            putLong(value, from, length, seed);
        }
        records++;
        return new ValuePointer(number, valueAt, length, valueChecksum);
    }

    private void putLong(RecordView value, int from, int length, long seed) throws IOException {
        int before = checksum.value();
        checksum.seed(seed);
        value.forEachPiece(from, length, piece, (bytes, offset, part) -> {
            checksum.add(bytes, offset, part);
            out.put(bytes, offset, part);
        });
        if (checksum.value() != before) {
            throw new IOException("a value of " + length + " bytes changed while it was copied: the disk or the memory"
                    + " that it was read from fails");
        }
    }

    long bytes() {
        return out.size();
    }

    /// Writes the footer and syncs the file. Its name is durable once the caller has synced the directory.
    ValueFileInfo finish() throws IOException {
        scratch.clear();
        ValueFileDescriptor.encodeFooter(records, id, scratch);
        out.put(scratch);
        out.sync();
        return new ValueFileInfo(number, id, out.size(), out.checksum(), records);
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
