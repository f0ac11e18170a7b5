package kvant.lsm.store;

/// What operators ask of the threads of the engine. Any thread may call it.
public final class OperatorRequests {

    // Constant.
    private final FullCompaction fullCompaction = new FullCompaction();

    // Written by operators and by the commit thread.
    private volatile boolean sealRequested;

    public FullCompaction fullCompaction() {
        return fullCompaction;
    }

    /// Has the active memtable sealed at the next group, full or not, unless it is empty.
    public void requestSeal(boolean requested) {
        sealRequested = requested;
    }

    boolean isSealRequested() {
        return sealRequested;
    }
}
