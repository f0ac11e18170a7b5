package kvant.lsm.store;

import java.io.IOException;
import kvant.engine.MetricSink;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.read.Scans;
import kvant.lsm.read.SuperVersions;
import kvant.lsm.storage.Storage;
import kvant.lsm.version.VersionSet;

/// Puts together what the threads of the engine share, gives each audience its part, and ends it.
public final class Store {

    private final StoreState state;
    private final Changes changes;
    private final SuperVersions readers;
    private final CommitView commits;
    private final BackgroundView background;
    private final OperatorView operators;

    /// @param active what recovery read from the logs
    /// @param lastSequence that was given before
    public Store(Storage storage, StoreOptions options, VersionSet versions, Memtable active, long lastSequence) {
        BacklogWatch backlog = new BacklogWatch();
        this.changes = new Changes(backlog);
        this.state = new StoreState(storage, options, versions, changes, active, lastSequence);
        this.readers = state.readers();
        StoreHealth health = new StoreHealth(changes);
        OperatorRequests requests = new OperatorRequests();
        StoreFigures figures = new StoreFigures();
        this.commits = new CommitView(readers, new MemtableSwitch(state, requests), backlog, health, figures);
        this.background = new BackgroundView(
                readers, state.scans(), new TableInstaller(state), changes, health, requests, figures);
        this.operators = new OperatorView(readers, new StoreFiles(state), changes, health, requests, figures);
    }

    public SuperVersions readers() {
        return readers;
    }

    public Scans scans() {
        return state.scans();
    }

    /// Up to where writes are durable and visible.
    public DurablePoint durable() {
        return state.durable();
    }

    public CommitView commits() {
        return commits;
    }

    public BackgroundView background() {
        return background;
    }

    public OperatorView operators() {
        return operators;
    }

    /// What the tables share has figures of its own: filters, and the cache of decompressed blocks.
    public void measure(MetricSink sink) {
        state.versions().context().measure(sink);
    }

    /// Tells the threads to end.
    public void beginClose() {
        changes.beginClose();
        state.durable().close();
    }

    /// Closes the files; the threads have ended.
    public void close() throws IOException {
        state.close();
    }
}
