package kvant.lsm.record;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import kvant.lsm.bytes.Keys;

/// A cursor over records in a list, and the records that a cursor shows as a list.
public final class ListCursor implements RecordCursor {

    /// One record. Two are equal when their bytes are.
    public record Entry(byte[] key, long tag, byte[] value) {

        /// Keys ascending, versions descending.
        public static final Comparator<Entry> ORDER = Comparator.comparing(Entry::key, Keys::compare)
                .thenComparing(Comparator.comparingLong(Entry::tag).reversed());

        @Override
        public boolean equals(Object other) {
            return other instanceof Entry entry
                    && Arrays.equals(key, entry.key)
                    && tag == entry.tag
                    && Arrays.equals(value, entry.value);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(key) ^ Long.hashCode(tag);
        }

        @Override
        public String toString() {
            return HexFormat.of().formatHex(key, 0, Math.min(key.length, 20)) + " (" + key.length + ") #"
                    + Tag.sequence(tag) + " kind " + Tag.kind(tag) + " " + value.length + " bytes";
        }
    }

    private final List<Entry> entries;
    private int at;

    public ListCursor(List<Entry> entries) {
        this.entries = new ArrayList<>(entries);
        this.entries.sort(Entry.ORDER);
        this.at = this.entries.size();
    }

    /// Everything from this key on.
    public static List<Entry> drain(RecordCursor cursor, byte[] from) {
        List<Entry> shown = new ArrayList<>();
        for (boolean on = cursor.seek(from); on; on = cursor.next()) {
            shown.add(new Entry(cursor.key(), cursor.tag(), cursor.storedValue()));
        }
        return shown;
    }

    @Override
    public boolean seek(byte[] key) {
        at = 0;
        while (at < entries.size() && Keys.compare(entries.get(at).key(), key) < 0) {
            at++;
        }
        return at < entries.size();
    }

    @Override
    public boolean next() {
        at = Math.min(entries.size(), at + 1);
        return at < entries.size();
    }

    @Override
    public byte[] keyArray() {
        return entries.get(at).key();
    }

    @Override
    public int keyOffset() {
        return 0;
    }

    @Override
    public int keyLength() {
        return keyArray().length;
    }

    @Override
    public long tag() {
        return entries.get(at).tag();
    }

    @Override
    public int valueLength() {
        return entries.get(at).value().length;
    }

    @Override
    public void copyValue(int from, byte[] target, int offset, int length) {
        System.arraycopy(entries.get(at).value(), from, target, offset, length);
    }
}
