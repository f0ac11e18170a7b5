package kvant.lsm.store;

import java.io.IOException;
import java.util.List;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.read.SuperVersions;
import kvant.lsm.version.LogInfo;
import kvant.lsm.version.VersionEdit;

/// The active memtable and the change from one to the next, together with their logs. Belongs to the commit thread.
public final class MemtableSwitch {

    private final StoreState state;
    private final SuperVersions readers;
    private final OperatorRequests requests;

    MemtableSwitch(StoreState state, OperatorRequests requests) {
        this.state = state;
        this.readers = state.readers();
        this.requests = requests;
    }

    public Memtable active() {
        return readers.current().active();
    }

    /// Makes what was just added to the active memtable part of new snapshots.
    public void publish(long sequence) {
        state.publisher().publish(sequence);
    }

    /// All up to this sequence number is durable, too.
    public void durable(long sequence) {
        state.durable().reached(sequence);
    }

    /// Deletes the logs that are kept for those who follow changes alone, because the room is needed.
    ///
    /// @return whether there were any
    public boolean releaseLogs() {
        return state.versions().releaseLogs();
    }

    /// Has scans give back the files that only they keep, because the room is needed: these are deleted soon.
    ///
    /// @return whether there were any
    public boolean breakOffScans() {
        return state.scans().boundFiles(0);
    }

    /// The same until they keep so much less, if they keep as much.
    ///
    /// @return whether they did
    public boolean releaseOfScans(long bytes) {
        return state.releaseOfScans(bytes);
    }

    public long nextFileNumber() {
        return state.versions().nextFileNumber();
    }

    /// Begins a log: its name is durable and the manifest knows it before it gets a record.
    ///
    /// @param edit that adds it
    public void addLog(VersionEdit edit) throws IOException {
        state.storage().logs().syncDirectory();
        state.apply(edit);
    }

    /// Nothing more is written to the log, and no other one begins before a restart.
    public void finishLog(LogInfo finished) throws IOException {
        state.apply(VersionEdit.logFinished(finished));
    }

    /// Seals the active memtable and puts a new one in its place.
    ///
    /// @param logs that hold its records
    /// @param isAwaited as of [SealedMemtable]
    public void seal(List<Long> logs, boolean isAwaited) {
        Memtable next = state.options().memtables().get(); // first: it may fail, and its zeros take a while
        state.changes().lock();
        try {
            requests.requestSeal(false);
            state.seal(next, logs, isAwaited);
            state.changes().signalHeld();
        } finally {
            state.changes().unlock();
        }
    }

    /// Whether an operator wants the active memtable to be sealed, full or not.
    public boolean isSealRequested() {
        return requests.isSealRequested();
    }
}
