package kvant.engine;

/// A point read submitted to a [RemoteEngine]; the caller extends it to receive the answer.
///
/// Exactly one of [#answered] and [#failed] is called, once, by a thread of the engine or from within
/// [RemoteEngine#submit(Read, Terms)]; neither may block.
public abstract class Read implements Lookup.Filter {

    private final byte[] key;

    protected Read(byte[] key) {
        this.key = key;
    }

    public final byte[] key() {
        return key;
    }

    /// Engine only, and before its answer: an engine that learns of the value only by reading it may ask afterwards.
    @Override
    public boolean wants(long version, int length) {
        return true;
    }

    /// Engine only: the value, [Lookup.Described] for one that is not wanted, or [Lookup.Miss#ABSENT].
    public abstract void answered(Lookup lookup);

    /// Engine only: there is no answer, for this reason.
    public abstract void failed(EngineException reason);
}
