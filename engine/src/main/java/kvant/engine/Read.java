package kvant.engine;

/// A point read on its way through an engine that answers later; the caller extends it to take the answer.
///
/// Exactly one of [#answered] and [#failed] is called, once, by a thread of the engine or from within
/// [Engine#submit(Read)]; neither may block.
public abstract class Read {

    // Constant.
    private final byte[] key;
    private final Terms terms;

    protected Read(byte[] key, Terms terms) {
        this.key = key;
        this.terms = terms;
    }

    public final byte[] key() {
        return key;
    }

    public final Terms terms() {
        return terms;
    }

    /// Engine only: what [Engine#get] would have returned.
    public abstract void answered(Lookup lookup);

    /// Engine only: there is no answer, for this reason.
    public abstract void failed(EngineException reason);
}
