package kvant.move.copy;

import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.zip.CRC32C;

/// Number and checksum of the records of a key range on one side. The checksum is a CRC32C over the records in key
/// order, each as length of the key (4 bytes, big-endian), key, length of the value (4), value, expiry (8).
final class RangeSum {

    private final CRC32C crc = new CRC32C();
    private final ByteBuffer number = ByteBuffer.allocate(Long.BYTES);
    private long records;

    /// @param end expiry of the value, as far as it is compared
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
