package kvant.lsm.read;

import java.util.ArrayList;
import java.util.List;
import kvant.engine.Lookup;
import kvant.lsm.bytes.Keys;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.record.Reading;
import kvant.lsm.version.Run;
import kvant.lsm.version.Version;

/// The data of a reader, behind one reference: the memtables and the version of the tables. Immutable, apart from the
/// active memtable, to which the commit thread adds.
///
/// Holds a reference to its version for as long as it is the store's current one.
///
/// @param sealed newest first
public record SuperVersion(Memtable active, List<Memtable> sealed, Version version) {

    public SuperVersion {
        sealed = List.copyOf(sealed);
    }

    /// The read path: newest source first, and the first that knows the key decides.
    ///
    /// @param newestTag of the snapshot. It bounds only the memtables: records in a table were visible before this
    ///     super version was created
    /// @param mayBlock false to get [Lookup.Miss#WOULD_BLOCK] instead of waiting for a disk
    /// @throws kvant.lsm.record.Retired when a part of it was released, because a newer one is current
    Lookup find(byte[] key, long newestTag, Reading reading, boolean mayBlock) {
        long hash = Keys.hash(key);
        Lookup found = active.find(key, hash, newestTag, reading);
        for (int i = 0; found == null && i < sealed.size(); i++) {
            found = sealed.get(i).find(key, hash, newestTag, reading);
        }
        List<Run> runs = version.runs();
        for (int i = 0; found == null && i < runs.size(); i++) {
            found = runs.get(i).find(key, hash, reading, mayBlock);
        }
        return found == null ? Lookup.Miss.ABSENT : found;
    }

    /// Acquires a reference to each memtable, or to none. Allocates nothing, because an error of memory would lose
    /// the references held already.
    ///
    /// @return false when one of them has been flushed, and its last reference released
    boolean acquireMemtables() {
        if (!active.acquire()) {
            return false;
        }
        for (int i = 0; i < sealed.size(); i++) {
            if (!sealed.get(i).acquire()) {
                releaseMemtables(i);
                return false;
            }
        }
        return true;
    }

    /// Gives back the memtables, but not the version.
    public void releaseMemtables() {
        releaseMemtables(sealed.size());
    }

    /// @param count of sealed ones
    private void releaseMemtables(int count) {
        active.release();
        for (int i = 0; i < count; i++) {
            sealed.get(i).release();
        }
    }

    /// All of them, newest first.
    public List<Memtable> memtables() {
        List<Memtable> all = new ArrayList<>();
        all.add(active);
        all.addAll(sealed);
        return List.copyOf(all);
    }
}
