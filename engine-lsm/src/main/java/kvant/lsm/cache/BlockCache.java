package kvant.lsm.cache;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import kvant.engine.MetricSink;
import org.jspecify.annotations.Nullable;

/// The cache of a store's tables, with one bound and outside the heap: partitions of index and filter, and
/// decompressed blocks. Plain blocks are never in it: they are read in place, and the page cache keeps them.
///
///     look-up -> slot -> entry in a chunk
///     insert  -> newest chunk of the small queue, or of the main one
///     reclaim -> oldest chunk: hot entries are copied to the main queue, the rest is forgotten, and the chunk is free
///
/// The eviction policy is S3-FIFO (Yang and others, SOSP 2023): an entry enters a small queue, and moves to the main
/// one only if it was asked for again meanwhile, or comes back soon. Entries read once pass through a tenth of the
/// memory. Entries leave by the chunk. So memory does not fragment, regardless of their sizes, and one wait for all
/// readers frees many of them: readers hold nothing, see [Cached]. Only point reads insert.
///
/// Chunks are reclaimed ahead, by a thread that serves no requests. An insertion that finds no room, or the lock
/// taken, is skipped: no reader waits.
///
/// Invariants, under the lock: a live entry is in its slot and in a chunk of one of the queues; chunks are in a
/// queue, free, or being emptied, and there are never more than the capacity allows.
public final class BlockCache implements AutoCloseable {

    private static final int SMALL_QUEUE_SHARE = 10;
    private static final int PROMOTING_FREQUENCY = 2;

    /// Chunks kept free: one for insertions while another is emptied, one to copy hot entries to.
    private static final int FREE_CHUNKS = 2;

    /// Divisor: at most this part of a chunk of the main queue gets a second chance, so that emptying one always
    /// gains room.
    private static final int SECOND_CHANCES_SHARE = 2;

    private static final int IDLE_SECONDS = 10;

    // Constant.
    private final long capacityBytes;
    private final Executor background;
    private final int smallChunks;

    // Guarded by the lock.
    private final ReentrantLock lock = new ReentrantLock();
    private final Chunk.Pool pool;
    private final Chunk.Queue small = new Chunk.Queue();
    private final Chunk.Queue main = new Chunk.Queue();
    private int demotions;
    private boolean closed;

    // Concurrent.
    private final AtomicBoolean reclaiming = new AtomicBoolean();
    private final LongAdder evictions = new LongAdder();

    /// @param capacityBytes bound of its memory; 0 for no cache. Entries cost some of the heap too, about a
    ///     twentieth of that
    public BlockCache(long capacityBytes) {
        this(capacityBytes, reclaimer());
    }

    BlockCache(long capacityBytes, Executor background) {
        if (capacityBytes < 0) {
            throw new IllegalArgumentException("a cache has at least 0 bytes");
        }
        this.capacityBytes = capacityBytes;
        this.background = background;
        this.pool = new Chunk.Pool(capacityBytes);
        this.smallChunks = Math.max(1, pool.count() / SMALL_QUEUE_SHARE);
    }

    /// A thread that ends when there has been nothing to do for a while.
    private static Executor reclaimer() {
        return new ThreadPoolExecutor(
                0,
                1,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(1), // bounds the queue if no thread could be started
                Thread.ofPlatform().daemon().name("kvant-lsm-cache").factory(),
                new ThreadPoolExecutor.DiscardPolicy()); // late for the end, or another one waits
    }

    /// Places for an owner's entries.
    public CacheSlots slots(int count) {
        return new CacheSlots(count);
    }

    /// Whether entries of this size can be kept.
    public boolean takes(int bytes) {
        return bytes <= pool.chunkBytes();
    }

    /// Caches an entry that a look-up has missed and loaded, where that is possible at once. Never waits.
    ///
    /// @return the entry to read: the one in the cache, or the given one
    public Cached put(CacheSlots home, int number, Cached loaded) {
        if (!takes(loaded.bytes()) || !lock.tryLock()) {
            return loaded;
        }
        @Nullable Cached kept = null;
        boolean scarce = false;
        try {
            if (!closed && home.isFree(number)) {
                kept = insert(home, number, loaded);
                scarce = isScarce();
            }
        } finally {
            lock.unlock();
        }
        if (scarce && reclaiming.compareAndSet(false, true)) {
            reclaimLater();
        }
        return kept == null ? loaded : kept;
    }

    /// If the thread cannot be started, a later insertion tries again: the present entry has its room all the same.
    private void reclaimLater() {
        boolean handedOver = false;
        try {
            background.execute(this::reclaim);
            handedOver = true;
        } catch (RejectedExecutionException | OutOfMemoryError _) {
            // not reported: the reader has its result
        } finally {
            if (!handedOver) {
                reclaiming.set(false);
            }
        }
    }

    /// Forgets all entries of an owner. Their memory is free when their chunks are reclaimed.
    public void close(CacheSlots home) {
        lock.lock();
        try {
            home.close();
        } finally {
            lock.unlock();
        }
    }

    /// Forgets everything; look-ups find nothing any more.
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        if (background instanceof ExecutorService thread) {
            thread.close();
        }
        while (small.size() + main.size() > 0) {
            Chunk chunk = (small.size() > 0 ? small : main).removeOldest();
            chunk.entries().forEach(BlockCache::forget);
            chunk.retire();
        }
        pool.close();
    }

    public void measure(MetricSink sink) {
        sink.counter("kvant_lsm_block_cache_evictions_total", "Partitions and blocks that made room.", evictions.sum());
        sink.gauge(
                "kvant_lsm_block_cache_bytes",
                "Memory that holds partitions of indexes and filters, and decompressed blocks.",
                allocatedBytes());
        sink.gauge("kvant_lsm_block_cache_capacity_bytes", "Bound of that memory.", capacityBytes);
    }

    long evictions() {
        return evictions.sum();
    }

    long allocatedBytes() {
        lock.lock();
        try {
            return pool.allocatedBytes();
        } finally {
            lock.unlock();
        }
    }

    /// Empties chunks until enough are free.
    private void reclaim() {
        try {
            @Nullable Chunk emptied = nextEmptied();
            while (emptied != null) {
                giveBack(emptied);
                emptied = nextEmptied();
            }
        } finally {
            reclaiming.set(false);
        }
    }

    /// @return null when enough are free
    private @Nullable Chunk nextEmptied() {
        lock.lock();
        try {
            return closed || !isScarce() ? null : empty();
        } finally {
            lock.unlock();
        }
    }

    private void giveBack(Chunk emptied) {
        var memory = emptied.retire(); // waits for readers: not under the lock
        lock.lock();
        try {
            pool.giveBack(memory);
        } finally {
            lock.unlock();
        }
    }

    // Under the lock.

    private boolean isScarce() {
        return pool.available() < FREE_CHUNKS;
    }

    private @Nullable Cached insert(CacheSlots home, int number, Cached loaded) {
        boolean returns = home.wasHere(number, demotions, main.entries());
        @Nullable Cached kept = (returns ? main : small).add(loaded, this::chunkForInsertion);
        if (kept != null) {
            place(kept, home, number);
        }
        return kept;
    }

    private @Nullable Chunk chunkForInsertion() {
        return pool.available() < FREE_CHUNKS ? null : pool.take();
    }

    private @Nullable Chunk chunkForHotEntries() {
        return pool.available() == 0 ? null : pool.take();
    }

    private static void place(Cached entry, CacheSlots home, int number) {
        entry.home = home;
        entry.number = number;
        home.set(number, entry);
    }

    private Chunk empty() {
        boolean fromSmall = small.size() > smallChunks || main.size() == 0;
        Chunk oldest = (fromSmall ? small : main).removeOldest();
        long chances = fromSmall ? Long.MAX_VALUE : oldest.used() / SECOND_CHANCES_SHARE;
        for (Cached entry : oldest.entries()) {
            if (!entry.isLive()) {
                continue;
            }
            boolean hot = fromSmall ? entry.frequency >= PROMOTING_FREQUENCY : entry.frequency > 0 && chances > 0;
            if (hot && keep(entry, fromSmall)) {
                chances -= entry.bytes();
            } else {
                evict(entry, fromSmall);
            }
        }
        return oldest;
    }

    private boolean keep(Cached entry, boolean fromSmall) {
        @Nullable Cached kept = main.add(entry, this::chunkForHotEntries);
        if (kept == null || entry.home == null) {
            return false;
        }
        kept.frequency = (byte) (fromSmall ? 0 : entry.frequency - 1);
        place(kept, entry.home, entry.number);
        return true;
    }

    private void evict(Cached entry, boolean fromSmall) {
        if (fromSmall && entry.home != null) {
            demotions = demotions == -1 ? 1 : demotions + 1;
            entry.home.demoted(entry.number, demotions);
        }
        forget(entry);
        evictions.increment();
    }

    private static void forget(Cached entry) {
        if (entry.home != null && entry.isLive()) {
            entry.home.set(entry.number, null);
            entry.closeOwned();
        }
    }
}
