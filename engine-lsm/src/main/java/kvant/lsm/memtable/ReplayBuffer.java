package kvant.lsm.memtable;

import java.util.Arrays;
import java.util.Comparator;
import kvant.lsm.bytes.Keys;

/// Records of logs that are being replayed, as many as one memtable holds. They are sorted before they go into it:
/// inserting them in the order of the log looks each one up among all others, at a few misses of the processor's
/// caches each; see docs/dev/decisions/0016-replay-sorts.md. Of each key only the newest version goes on, because there
/// are no snapshots yet.
///
/// Belongs to one thread.
public final class ReplayBuffer {

    /// About what an entry takes besides its key and value.
    private static final int ENTRY_BYTES = 96;

    /// Entries are numbered in so many bits of a word, and sorted by the other bits.
    private static final int NUMBER_BITS = 24;

    private static final int MOST_ENTRIES = 1 << NUMBER_BITS;
    private static final long NUMBER = MOST_ENTRIES - 1L;

    /// Entries that are loaded together.
    private static final int LOAD_GROUP = 64;

    private record Entry(long sequence, int kind, byte[] key, byte[] value, long expiresAtMillis) {}

    /// Of a key the newest version comes first.
    private static final Comparator<Entry> ORDER = (a, b) -> {
        int order = Keys.compare(a.key, b.key);
        return order != 0 ? order : Long.compare(b.sequence, a.sequence);
    };

    // One thread.
    private Entry[] entries = new Entry[1 << 10];
    private int count;
    private int loadedBytes;
    private long bytes;

    /// Bytes that all keys have in common at their beginning.
    private int common = Integer.MAX_VALUE;

    /// Parameters as for [Memtable#add].
    public void add(long sequence, int kind, byte[] key, byte[] value, long expiresAtMillis) {
        if (count == entries.length) {
            entries = Arrays.copyOf(entries, 2 * count);
        }
        if (common > 0) {
            int mismatch = Arrays.mismatch(count == 0 ? key : entries[0].key, key);
            common = Math.min(common, mismatch < 0 ? key.length : mismatch);
        }
        entries[count++] = new Entry(sequence, kind, key, value, expiresAtMillis);
        bytes += ENTRY_BYTES + key.length + value.length;
    }

    public boolean isEmpty() {
        return count == 0;
    }

    /// Whether it holds as much as a memtable of this size does.
    public boolean isFull(long memtableBytes) {
        return bytes >= memtableBytes || count >= MOST_ENTRIES;
    }

    /// Moves what it holds to a memtable, and is empty then.
    public void drainTo(Memtable memtable) {
        if (count > MOST_ENTRIES) { // one group of millions of records: their numbers do not fit
            addTo(memtable, entries, count);
        } else {
            addAll(memtable, sorted());
        }
        Arrays.fill(entries, 0, count, null);
        count = 0;
        bytes = 0;
        common = Integer.MAX_VALUE;
    }

    private void addAll(Memtable memtable, long[] order) {
        Entry[] sameBits = new Entry[1];
        int loaded = 0;
        for (int from = 0, to; from < count; from = to) {
            if (from >= loaded) {
                loaded = Math.min(count, from + LOAD_GROUP);
                load(order, from, loaded);
            }
            to = from + 1;
            while (to < count && order[from] >> NUMBER_BITS == order[to] >> NUMBER_BITS) {
                to++;
            }
            sameBits = to - from > sameBits.length ? new Entry[to - from] : sameBits;
            for (int i = from; i < to; i++) {
                sameBits[i - from] = entries[(int) (order[i] & NUMBER)];
            }
            addTo(memtable, sameBits, to - from);
        }
    }

    /// Loads entries that come next. One after the other, each would wait for memory; in a loop that does nothing else,
    /// the processor waits for many of them at once.
    private void load(long[] order, int from, int to) {
        int sum = 0;
        for (int i = from; i < to; i++) {
            Entry entry = entries[(int) (order[i] & NUMBER)];
            sum += entry.key.length + entry.value.length;
        }
        loadedBytes = sum; // or the compiler would leave the loop out
    }

    private static void addTo(Memtable memtable, Entry[] sameBits, int length) {
        if (length > 1) {
            Arrays.sort(sameBits, 0, length, ORDER);
        }
        for (int i = 0; i < length; i++) {
            Entry entry = sameBits[i];
            if (i == 0 || !Arrays.equals(sameBits[i - 1].key, entry.key)) {
                memtable.add(entry.sequence, entry.kind, entry.key, entry.value, entry.expiresAtMillis);
            }
        }
    }

    /// The numbers of the entries below the bits of their keys that first differ, in unsigned order of these.
    private long[] sorted() {
        long[] order = new long[count];
        for (int i = 0; i < count; i++) {
            byte[] key = entries[i].key;
            int skipped = Math.min(common, key.length);
            long prefix = Keys.prefix(key, skipped, key.length - skipped);
            order[i] = (prefix ^ Long.MIN_VALUE) & ~NUMBER | i;
        }
        Arrays.sort(order);
        return order;
    }
}
