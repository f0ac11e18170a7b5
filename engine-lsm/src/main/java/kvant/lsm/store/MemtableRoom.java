package kvant.lsm.store;

import kvant.lsm.memtable.Memtable;

/// The bounds on the memory of memtables.
///
/// @param memtableBytes a memtable is sealed at this size
/// @param maxSealed memtables that may wait for their flush before writes wait too
/// @param maxSealedBytes memory that those may hold, of which one may take more
public record MemtableRoom(long memtableBytes, int maxSealed, long maxSealedBytes) {

    static MemtableRoom of(StoreOptions options) {
        int maxSealed = options.maxSealedMemtables();
        long maxSealedBytes = options.maxSealedBytes() > 0
                ? options.maxSealedBytes()
                : maxSealed * (options.memtableBytes() + options.commit().maxGroupBytes());
        return new MemtableRoom(options.memtableBytes(), maxSealed, maxSealedBytes);
    }

    /// Whether a memtable is full and accepts no more writes.
    public boolean isFull(Memtable active) {
        return !active.isEmpty() && active.bytes() >= memtableBytes;
    }

    /// The share of the room that is taken: 1 where no write can be taken before a memtable is flushed, and less
    /// everywhere else. One memtable may always wait, however large it is.
    public double shareTaken(Memtable active, Backlog.Amount backlog) {
        if (backlog.sealedMemtables() == 0) {
            return 0;
        }
        long activeBytes = active.bytes();
        boolean maySeal =
                backlog.sealedMemtables() < maxSealed && backlog.sealedBytes() + activeBytes <= maxSealedBytes;
        if (!maySeal && isFull(active)) {
            return 1;
        }
        double filled = Math.min(1, (double) activeBytes / memtableBytes);
        double byCount = (backlog.sealedMemtables() + filled) / (maxSealed + 1);
        double byBytes = (backlog.sealedBytes() + (double) activeBytes) / (maxSealedBytes + (double) memtableBytes);
        return Math.min(Math.max(byCount, byBytes), Math.nextDown(1.0));
    }
}
