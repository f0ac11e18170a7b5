package kvant.move.mirror;

import java.util.function.Supplier;
import kvant.engine.EngineException;
import kvant.engine.Read;
import kvant.engine.RemoteEngine;
import kvant.engine.Terms;
import kvant.engine.Write;

/// A mirror of two engines, at least one of them remote. Reads are always asynchronous, so that nothing changes for
/// readers when the target takes over. A local side is an [OffloadedEngine].
public final class RemoteMirror extends MirrorEngine<RemoteEngine> implements RemoteEngine {

    private final boolean sourceHasReplicas;

    private RemoteMirror(
            RemoteEngine source, Supplier<? extends RemoteEngine> opener, MirrorMarks marks, MirrorOptions options) {
        super(source, opener, marks, options);
        this.sourceHasReplicas = !(source instanceof OffloadedEngine);
    }

    /// Starts to mirror.
    ///
    /// @param opener opens the target; called on a thread of the mirror, repeatedly until it succeeds
    public static RemoteMirror over(
            RemoteEngine source, Supplier<? extends RemoteEngine> opener, MirrorMarks marks, MirrorOptions options) {
        RemoteMirror mirror = new RemoteMirror(source, opener, marks, options);
        mirror.start();
        return mirror;
    }

    /// Changes at the switch-over.
    @Override
    public int replicas() {
        return active().replicas();
    }

    @Override
    public void submit(Read read, Terms terms) {
        active().submit(read, terms);
    }

    @Override
    public void submit(Write write, Terms terms) {
        accept(write, terms);
    }

    @Override
    void send(RemoteEngine to, Write write, Terms terms) {
        to.submit(write, terms);
    }

    /// Some replicas may have applied it.
    @Override
    boolean mayApply(EngineException.Busy failure) {
        return sourceHasReplicas;
    }
}
