package kvant.server.service;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// The place of a write among those of its client, so that they reach the engine in their order, whichever threads of
/// an executor come to them first.
///
///     [#isTurn] --yes--> handed to the engine --[#passOn]--> the one behind it, if that has come already
///               --no---> left with the one before it, whose thread goes on with it
///
/// Nobody waits for anybody: a thread that comes too early leaves its write behind and is free. The event loop says
/// what is behind what before it submits; from then on a write belongs to the thread that has it. Exactly one thread
/// goes on with each write: the link `after` is taken once, from either side.
abstract sealed class WriteSequencer permits Call {

    /// In `after`: the one behind need not wait.
    private static final Object PASSED = new Object();

    private static final VarHandle AFTER;

    static {
        try {
            AFTER = MethodHandles.lookup().findVarHandle(WriteSequencer.class, "after", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    // Handed to and fro.
    private @Nullable WriteSequencer before;
    private boolean skipped;

    // Atomic: null, the one behind it, or PASSED.
    @SuppressWarnings("unused") // through AFTER
    private volatile @Nullable Object after;

    /// Loop only, before it is submitted: the write that is to reach the engine before this one.
    public final void follow(@Nullable Call earlier) {
        before = earlier;
    }

    /// Asked once, by whoever was to carry it out: whether all before it have been handed over. If not, the thread that
    /// hands over the one before it goes on with this one.
    final boolean isTurn() {
        WriteSequencer earlier = before;
        before = null;
        return earlier == null || !AFTER.compareAndSet(earlier, null, this);
    }

    /// It will not be carried out: when its turn comes, only the turn goes on.
    final void skip() {
        skipped = true;
    }

    final boolean isSkipped() {
        return skipped;
    }

    /// It has been handed over, or never will be.
    ///
    /// @return the one behind it, if that waits: the caller goes on with it
    final @Nullable Call passOn() {
        return (Call) AFTER.getAndSet(this, PASSED);
    }
}
