package kvant.move.copy;

import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.zip.CRC32C;

/// Number and checksum of the records of a key range on one side. The CRC32C is of each record in the order of keys:
/// length of the key (4 bytes, big-endian), key, length of the value (4), value, end (8).
final class RangeSum {

    private final CRC32C crc = new CRC32C();
    private final ByteBuffer number = ByteBuffer.allocate(Long.BYTES);
    private long records;

    /// @param end when the value expires as far as that is compared
    void add(byte[] key, byte[] value, long end) {
        add(key);
        add(value);
        crc.update(number.clear().putLong(end).flip());
        records++;
    }

    private void add(byte[] bytes) {
        crc.update(number.clear().putInt(bytes.length).flip());
        crc.update(bytes, 0, bytes.length);
    }

    long records() {
        return records;
    }

    int checksum() {
        return (int) crc.getValue();
    }

    boolean isSame(RangeSum other) {
        return records == other.records && checksum() == other.checksum();
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%d records, checksum %08x", records, checksum());
    }
}
