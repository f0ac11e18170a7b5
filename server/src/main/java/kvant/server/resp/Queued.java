package kvant.server.resp;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// What a connection has queued since its `MULTI`, and the keys that it watches. Owned by the event loop.
final class Queued {

    /// Commands of a transaction, and keys that are watched.
    static final int MOST = 10_000;

    /// What a command or a word takes besides its bytes.
    private static final int OVERHEAD_BYTES = 48;

    /// The keys of one `WATCH`, which is carried out later than it is read: an `EXEC` may have been read meanwhile.
    static final class Watch {

        private final List<byte[]> keys;
        private long[] versions = {};

        private Watch(List<byte[]> keys) {
            this.keys = keys;
        }

        List<byte[]> keys() {
            return keys;
        }

        /// Its turn has come.
        void look(View view) {
            versions = versionsIn(view);
        }

        /// Whether it was carried out.
        boolean hasLooked() {
            return versions.length > 0;
        }

        boolean holds(View view) {
            return Arrays.equals(versions, versionsIn(view));
        }

        private long[] versionsIn(View view) {
            return keys.stream().mapToLong(view::version).toArray();
        }
    }

    /// One command.
    record Entry(CommandSpec spec, List<byte[]> words) {}

    private final List<Watch> watches = new ArrayList<>();
    private final List<Entry> entries = new ArrayList<>();
    private boolean begun;
    private boolean refused;
    private int watched;
    private long bytes;

    boolean hasBegun() {
        return begun;
    }

    void begin() {
        begun = true;
    }

    /// A command was refused: nothing will be carried out.
    void refuse() {
        refused = true;
        entries.clear();
        watches.clear();
        bytes = 0;
    }

    boolean isRefused() {
        return refused;
    }

    boolean isFull() {
        return entries.size() >= MOST;
    }

    void add(CommandSpec spec, List<byte[]> words) {
        if (!refused) {
            entries.add(new Entry(spec, words));
            bytes += bytesOf(words);
        }
    }

    boolean hasRoomFor(int keys) {
        return watched + keys <= MOST;
    }

    Watch watch(List<byte[]> keys) {
        Watch watch = new Watch(keys);
        watches.add(watch);
        watched += keys.size();
        bytes += bytesOf(keys);
        return watch;
    }

    private static long bytesOf(List<byte[]> words) {
        long sum = OVERHEAD_BYTES;
        for (byte[] word : words) {
            sum += OVERHEAD_BYTES + word.length;
        }
        return sum;
    }

    /// About how much memory it takes.
    long bytes() {
        return bytes;
    }

    List<Entry> entries() {
        return entries;
    }

    List<Watch> watches() {
        return watches;
    }
}
