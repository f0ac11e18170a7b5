package kvant.server.service;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// The order of one client's writes: it makes them reach the engine in their order, although several threads of an
/// executor carry them out.
///
///     [#isTurn] --yes--> handed to the engine --[#passOn]--> the one behind it, if that has come already
///               --no---> left with the one before it, whose thread goes on with it
///
/// No thread waits for another: a thread that comes too early leaves its write behind and is free. The event loop
/// sets the order before it submits; from then on a write belongs to the thread that has it. Exactly one thread
/// continues with each write: the link `after` is taken once, from either side.
abstract sealed class WriteSequencer permits Call {

    /// The value of `after` when the next write need not wait.
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

    /// Whether all writes before this one have been handed over. Called once, by the thread that was to carry it out.
    /// If false, the thread that hands over the write before it continues with this one.
    final boolean isTurn() {
        WriteSequencer earlier = before;
        before = null;
        return earlier == null || !AFTER.compareAndSet(earlier, null, this);
    }

    /// Cancels the write: when its turn comes, it only passes the turn on.
    final void skip() {
        skipped = true;
    }

    final boolean isSkipped() {
        return skipped;
    }

    /// Passes the turn on, because the write has been handed over, or never will be.
    ///
    /// @return the waiting write behind it, with which the caller continues; or null
    final @Nullable Call passOn() {
        return (Call) AFTER.getAndSet(this, PASSED);
    }
}
