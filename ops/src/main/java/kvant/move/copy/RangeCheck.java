package kvant.move.copy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.zip.CRC32C;
import kvant.engine.Mutation;
import org.jspecify.annotations.Nullable;

/// Compares the two sides of one key range while they are read, and describes how they differ. Only the checksums over
/// both sides decide; the differences are kept for messages.
public final class RangeCheck {

    private static final int SHOWN_BYTES = 40;
    private static final byte[] NONE = {};

    final int number;
    private final boolean comparesEnds;
    private final Sum source = new Sum();
    private final Sum target = new Sum();
    private byte @Nullable [] firstKey;
    private byte[] lastKey = NONE;

    // Records that only the source has, that only the target has, and keys whose value or expiry differs.
    long missing;
    long extra;
    long different;
    long bytes;

    // The first difference: `missing`, `extra`, `different value` or `different life time`.
    byte[] key = NONE;
    String what = "";

    /// @param number of the range, from 1
    /// @param comparesEnds false if only the presence of an expiry can be compared
    RangeCheck(int number, boolean comparesEnds) {
        this.number = number;
        this.comparesEnds = comparesEnds;
    }

    /// Adds a key that the source has, and the target where both have it.
    void add(Records inSource, @Nullable Records inTarget) {
        seen(inSource);
        source.add(inSource.key(), inSource.value(), end(inSource));
        if (inTarget == null) {
            missing++;
            differs("missing");
            return;
        }
        target.add(inTarget.key(), inTarget.value(), end(inTarget));
        boolean sameValue = Arrays.equals(inSource.value(), inTarget.value());
        if (!sameValue || end(inSource) != end(inTarget)) {
            different++;
            differs(sameValue ? "different life time" : "different value");
        }
    }

    /// Adds a key that only the target has.
    void addExtra(Records inTarget) {
        seen(inTarget);
        target.add(inTarget.key(), inTarget.value(), end(inTarget));
        extra++;
        differs("extra");
    }

    private void seen(Records record) {
        firstKey = firstKey == null ? record.key() : firstKey;
        lastKey = record.key();
        bytes += record.key().length + record.value().length;
    }

    private void differs(String how) {
        if (what.isEmpty()) {
            key = lastKey;
            what = how;
        }
    }

    /// The expiry as far as it is compared: a node receives whole seconds counted from arrival, so that only the
    /// presence of an expiry can be compared.
    private long end(Records side) {
        long end = side.expiresAtMillis();
        return comparesEnds || end == Mutation.Put.NEVER ? end : 1;
    }

    /// The number of records on the larger side.
    long records() {
        return Math.max(source.records, target.records);
    }

    int checksum() {
        return source.checksum();
    }

    boolean isSame() {
        return source.isSame(target);
    }

    /// One line.
    @Override
    public String toString() {
        return "range " + number + " (" + text(firstKey == null ? NONE : firstKey) + " to " + text(lastKey)
                + "): source " + source + ", target " + target + "; " + missing + " missing, " + extra + " extra, "
                + different + " different; the first is " + text(key) + ": " + what;
    }

    /// A readable form of a key: text if printable, otherwise hexadecimal. A long key is truncated.
    public static String text(byte[] key) {
        int length = Math.min(key.length, SHOWN_BYTES);
        boolean readable = true;
        for (int i = 0; i < length; i++) {
            readable &= key[i] > ' ' && key[i] < 0x7F;
        }
        String more = key.length > length ? "..." : "";
        return readable
                ? "'" + new String(key, 0, length, StandardCharsets.US_ASCII) + more + "'"
                : "0x" + HexFormat.of().formatHex(key, 0, length) + more;
    }

    /// Number and checksum of the records on one side. The checksum is a CRC32C over the records in key order, each as
    /// length of the key (4 bytes, big-endian), key, length of the value (4), value, expiry (8).
    static final class Sum {

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

        int checksum() {
            return (int) crc.getValue();
        }

        boolean isSame(Sum other) {
            return records == other.records && checksum() == other.checksum();
        }

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%d records, checksum %08x", records, checksum());
        }
    }
}
