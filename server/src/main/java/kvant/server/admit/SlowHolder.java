package kvant.server.admit;

/// Someone who has held memory of a budget for a while without getting on, and goes first when another
/// needs it. Whoever gets on as expected never becomes one.
///
///     AWAY --slow--> CANDIDATE --a claim does not fit--> LEAVING
///      ^---getsOn-------/                                   |
///      ^---gone---------------------------------------------/
///
/// Owned by one event loop, which tells what is held from time to time; only [#leave] is called by any
/// thread.
public final class SlowHolder {

    // Constant.
    private final SlowHolders holders;
    private final Runnable leave;

    // Guarded by the lock of the holders.
    boolean candidate;
    boolean large;
    long heldBytes;
    long leavingBytes;

    // Owned by the loop.
    private boolean told;

    /// @param leave called once for each time it has to go, by any thread: has the owner let go of what it holds, soon
    public SlowHolder(MemoryBudget budget, Runnable leave) {
        this.holders = budget.slow();
        this.leave = leave;
    }

    /// It holds so much, and is slow.
    public void slow(long bytes) {
        told = true;
        holders.add(this, bytes);
    }

    /// It is not slow any more; one that was told to go goes all the same.
    public void getsOn() {
        if (told) {
            holders.remove(this);
        }
    }

    /// Whether it was told to go and has not gone: what [#leave] has to ask, because it may come too
    /// late.
    public boolean isLeaving() {
        return told && holders.isLeaving(this);
    }

    /// It has let go of everything.
    public void gone() {
        if (told) {
            told = false;
            holders.gone(this);
        }
    }

    void leave() {
        leave.run();
    }
}
