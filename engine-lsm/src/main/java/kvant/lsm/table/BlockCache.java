package kvant.lsm.table;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import kvant.engine.MetricSink;
import org.jspecify.annotations.Nullable;

/// Decompressed blocks of all tables of a store, bounded by bytes. Plain blocks are never in it: they
/// are read in place, and the page cache keeps them.
///
/// Each table has a slot for each of its blocks, so that looking one up is one load from an array: no hash, no
/// key object, no lock. What stays is decided by S3-FIFO (Yang and others, SOSP 2023): a block enters a small
/// queue and gets into the main one only when it was asked for again meanwhile, or comes back soon; blocks that
/// are read once pass through a tenth of the memory. Only point reads insert; scans and merges use what is
/// there and change nothing.
///
/// Invariants, under the lock: an entry is in its slot exactly when it is in one of the queues;
/// `usedBytes` is the sum over them and never above the capacity; a closed table has none.
public final class BlockCache {

    /// A slot, a queue's place, the entry, the segment and the array's head, roughly.
    static final int ENTRY_BYTES = 128;

    private static final int SMALL_QUEUE_SHARE = 10;
    private static final int LARGEST_ENTRY_SHARE = 8;
    private static final int MAX_FREQUENCY = 3;
    private static final int PROMOTING_FREQUENCY = 2;

    /// Bounds the work of one insertion while many blocks are hot.
    private static final int MAX_SECOND_CHANCES = 64;

    private static final class Entry {
        final MemorySegment content;
        final TableBlocks table;
        final int block;

        /// Counted without synchronisation: a lost count only makes a block look a little colder.
        byte frequency;

        Entry(MemorySegment content, TableBlocks table, int block) {
            this.content = content;
            this.table = table;
            this.block = block;
        }

        long bytes() {
            return content.byteSize() + ENTRY_BYTES;
        }
    }

    // Constant.
    private final long capacityBytes;

    // Guarded by the lock.
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Entry> small = new ArrayDeque<>();
    private final ArrayDeque<Entry> main = new ArrayDeque<>();
    private long smallBytes;
    private int demotions;

    // Written under the lock, read by anyone.
    private volatile long usedBytes;

    // Concurrent.
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder evictions = new LongAdder();

    /// @param capacityBytes at most this much, with the bookkeeping; 0 for no cache
    public BlockCache(long capacityBytes) {
        if (capacityBytes < 0) {
            throw new IllegalArgumentException("a cache has at least 0 bytes");
        }
        this.capacityBytes = capacityBytes;
    }

    /// Bytes of the blocks that are in it, with the bookkeeping.
    public long usedBytes() {
        return usedBytes;
    }

    public long hits() {
        return hits.sum();
    }

    public long misses() {
        return misses.sum();
    }

    public long evictions() {
        return evictions.sum();
    }

    void measure(MetricSink sink) {
        sink.counter("kvant_lsm_block_cache_hits_total", "Gets that found their block decompressed.", hits.sum());
        sink.counter("kvant_lsm_block_cache_misses_total", "Gets that had to decompress a block.", misses.sum());
        sink.counter("kvant_lsm_block_cache_evictions_total", "Blocks that made room for others.", evictions.sum());
        sink.gauge("kvant_lsm_block_cache_bytes", "Size of the decompressed blocks that are kept.", usedBytes);
        sink.gauge("kvant_lsm_block_cache_capacity_bytes", "Bound of the size of kept blocks.", capacityBytes);
    }

    TableBlocks table(int blocks) {
        return new TableBlocks(capacityBytes == 0 ? 0 : blocks);
    }

    /// The blocks of one table.
    final class TableBlocks {

        private final AtomicReferenceArray<@Nullable Entry> slots;

        // Guarded by the lock.
        private final int[] demotedAt; // when each block last left the small queue; 0 for never
        private boolean closed;

        private TableBlocks(int blocks) {
            slots = new AtomicReferenceArray<>(blocks);
            demotedAt = new int[blocks];
        }

        /// For point reads.
        @Nullable
        MemorySegment get(int block) {
            Entry entry = block < slots.length() ? slots.getAcquire(block) : null;
            if (entry == null) {
                return null;
            }
            if (entry.frequency < MAX_FREQUENCY) {
                entry.frequency++;
            }
            hits.increment();
            return entry.content;
        }

        /// For scans and merges: changes nothing.
        @Nullable
        MemorySegment peek(int block) {
            Entry entry = block < slots.length() ? slots.getAcquire(block) : null;
            return entry == null ? null : entry.content;
        }

        /// After a miss. Never waits: while another thread changes the cache, the block is not inserted.
        void put(int block, MemorySegment content) {
            misses.increment();
            Entry entry = new Entry(content, this, block);
            boolean fits = block < slots.length() && entry.bytes() <= capacityBytes / LARGEST_ENTRY_SHARE;
            if (fits && lock.tryLock()) {
                try {
                    if (!closed && slots.get(block) == null) {
                        insert(entry);
                    }
                } finally {
                    lock.unlock();
                }
            }
        }

        /// Drops all blocks; later ones are not taken.
        void close() {
            lock.lock();
            try {
                closed = true;
                drop(small);
                drop(main);
                smallBytes = 0;
                small.forEach(entry -> smallBytes += entry.bytes());
            } finally {
                lock.unlock();
            }
        }

        private void drop(ArrayDeque<Entry> queue) {
            queue.removeIf(entry -> {
                if (entry.table != this) {
                    return false;
                }
                remove(entry);
                return true;
            });
        }

        /// Whether the block was in the small queue not long ago: then it is not read only once.
        private boolean wasHere(int block) {
            return demotedAt[block] != 0 && Integer.compareUnsigned(demotions - demotedAt[block], main.size()) <= 0;
        }
    }

    // Under the lock.

    private void insert(Entry entry) {
        while (usedBytes + entry.bytes() > capacityBytes) {
            if (smallBytes > capacityBytes / SMALL_QUEUE_SHARE || main.isEmpty()) {
                shrinkSmall();
            } else {
                shrinkMain();
            }
        }
        if (entry.table.wasHere(entry.block)) {
            main.addLast(entry);
        } else {
            small.addLast(entry);
            smallBytes += entry.bytes();
        }
        usedBytes = usedBytes + entry.bytes();
        entry.table.slots.setRelease(entry.block, entry);
    }

    private void shrinkSmall() {
        Entry oldest = small.removeFirst();
        smallBytes -= oldest.bytes();
        if (oldest.frequency >= PROMOTING_FREQUENCY) {
            oldest.frequency = 0;
            main.addLast(oldest);
            return;
        }
        demotions = demotions == -1 ? 1 : demotions + 1;
        oldest.table.demotedAt[oldest.block] = demotions;
        evict(oldest);
    }

    private void shrinkMain() {
        Entry oldest = main.removeFirst();
        for (int i = 0; i < MAX_SECOND_CHANCES && oldest.frequency > 0; i++) {
            oldest.frequency--;
            main.addLast(oldest);
            oldest = main.removeFirst();
        }
        evict(oldest);
    }

    private void evict(Entry entry) {
        remove(entry);
        evictions.increment();
    }

    private void remove(Entry entry) {
        entry.table.slots.setRelease(entry.block, null);
        usedBytes = usedBytes - entry.bytes();
    }
}
