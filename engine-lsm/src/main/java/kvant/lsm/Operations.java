package kvant.lsm;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// What operators see of a store and ask of it, beside its data. Any thread may call it.
final class Operations {

    private final StoreFigures figures = new StoreFigures();
    private final FullCompaction fullCompaction = new FullCompaction();

    // Atomic.
    private final Set<ScanCursor> scans = ConcurrentHashMap.newKeySet();
    private volatile boolean sealRequested;

    StoreFigures figures() {
        return figures;
    }

    FullCompaction fullCompaction() {
        return fullCompaction;
    }

    /// The scans that are open.
    Set<ScanCursor> scans() {
        return scans;
    }

    /// Has the active memtable sealed at the next group, full or not, unless it is empty.
    void requestSeal(boolean requested) {
        sealRequested = requested;
    }

    boolean isSealRequested() {
        return sealRequested;
    }
}
