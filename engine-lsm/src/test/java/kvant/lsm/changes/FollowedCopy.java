package kvant.lsm.changes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeMap;
import kvant.engine.Mutation;
import kvant.engine.Samples;
import kvant.engine.feed.Change;
import kvant.engine.feed.ChangeCursor;
import kvant.lsm.LsmEngine;

/// A copy of a store, made of its changes alone. Belongs to one thread.
final class FollowedCopy {

    private final TreeMap<String, Samples.Entry> entries = new TreeMap<>();
    private long version;
    private boolean inMiddle;

    FollowedCopy() {}

    FollowedCopy(FollowedCopy other) {
        entries.putAll(other.entries);
        version = other.version;
        inMiddle = other.inMiddle;
    }

    /// Follows up to the newest change there is, in reads of about so many bytes.
    void follow(LsmEngine engine, long bytes) {
        ChangeCursor cursor = engine.changes().after(version);
        long newest = engine.changes().newest();
        while (cursor.version() < newest) {
            read(cursor, bytes);
        }
    }

    /// Reads once.
    void read(ChangeCursor cursor, long bytes) {
        cursor.read(Long.MAX_VALUE, bytes, this::apply);
        assertThat(cursor.version()).isEqualTo(version);
    }

    /// Each version comes once and in order, whatever was read before.
    private void apply(Change change, boolean more) {
        assertThat(change.version()).isEqualTo(version + 1);
        version = change.version();
        inMiddle = more;
        switch (change.mutation()) {
            case Mutation.Put put ->
                entries.put(
                        Samples.text(put.key()),
                        new Samples.Entry(Samples.text(put.key()), Samples.text(put.value()), version));
            case Mutation.Delete delete -> entries.remove(Samples.text(delete.key()));
        }
    }

    long version() {
        return version;
    }

    /// Whether only a part of a batch has been read.
    boolean inMiddle() {
        return inMiddle;
    }

    /// As a scan of the store shows them.
    List<Samples.Entry> entries() {
        return List.copyOf(entries.values());
    }
}
