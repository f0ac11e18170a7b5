package kvant.lsm.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import kvant.lsm.Seeds;
import kvant.lsm.bytes.ByteReader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class BlockCacheTest {

    private static final int BLOCK = 1_000; // four to a chunk of 4 KiB
    private static final long CAPACITY = 128 << 10;
    private static final int FITTING = 32 * 4;
    private static final long SEED = Seeds.seed(78);

    @Test
    void entriesComeBackUntilOthersNeedTheRoom() {
        try (BlockCache cache = cache()) {
            CacheSlots table = cache.slots(1_000);
            for (int i = 0; i < 1_000; i++) {
                cache.put(table, i, block(i));
                assertThat(cache.allocatedBytes()).isLessThanOrEqualTo(CAPACITY);
                assertThat(numberIn(table.get(i))).as("the newest").isEqualTo(i);
            }
            assertThat(kept(table, 1_000)).isBetween(FITTING - 4 * 3, FITTING);
            assertThat(cache.evictions()).isEqualTo(1_000 - kept(table, 1_000));
        }
    }

    @Test
    void hotEntriesSurviveWhatIsReadOnce() {
        try (BlockCache cache = cache()) {
            CacheSlots table = cache.slots(10_000);
            int missed = 0;
            for (int i = 0; i < 10_000; i++) {
                read(cache, table, i);
                for (int hot = 0; hot < 50 && i % 5 == 0; hot++) {
                    missed += table.get(hot) == null ? 1 : 0;
                    read(cache, table, hot);
                }
            }
            for (int hot = 0; hot < 50; hot++) {
                assertThat(numberIn(table.get(hot))).as("hot block %d", hot).isEqualTo(hot);
            }
            assertThat(missed).as("each is read from the disk once").isEqualTo(49); // the first as a cold one
        }
    }

    @Test
    void hotEntriesLeaveWhenTheyAreHotNoMore() {
        try (BlockCache cache = cache()) {
            CacheSlots table = cache.slots(10_000);
            for (int round = 0; round < 4; round++) {
                for (int hot = 0; hot < 100; hot++) {
                    read(cache, table, hot);
                }
            }
            for (int i = 100; i < 10_000; i++) {
                read(cache, table, i);
                read(cache, table, i);
                read(cache, table, i);
            }
            assertThat(kept(table, 100)).isZero();
        }
    }

    @Test
    void anEntryThatComesBackSoonIsNoLongerOneThatIsReadOnce() {
        try (BlockCache cache = cache()) {
            CacheSlots table = cache.slots(10_000);
            for (int i = 0; i < 100; i++) {
                read(cache, table, i);
                read(cache, table, i);
                read(cache, table, i);
            }
            for (int i = 100; i < 200; i++) {
                read(cache, table, i); // what was hot goes into the main queue
            }
            int returning = 100;
            while (!table.isFree(returning)) {
                returning++;
            }
            read(cache, table, returning);
            for (int i = 200; i < 220; i++) {
                read(cache, table, i);
            }
            assertThat(table.isFree(returning)).isFalse();
        }
    }

    @Test
    void roomIsMadeLaterWhereNoThreadCouldBeStarted() {
        List<Throwable> failures = new ArrayList<>(
                List.of(new OutOfMemoryError("unable to create native thread"), new RejectedExecutionException()));
        Executor failing = task -> {
            if (!failures.isEmpty()) {
                switch (failures.removeFirst()) {
                    case Error e -> throw e;
                    case RuntimeException e -> throw e;
                    case Throwable e -> throw new IllegalStateException(e);
                }
            }
            task.run();
        };
        try (BlockCache cache = new BlockCache(CAPACITY, failing)) {
            CacheSlots table = cache.slots(1_000);
            for (int i = 0; i < 1_000; i++) {
                assertThat(read(cache, table, i)).isEqualTo(i);
            }
            assertThat(failures).isEmpty();
            assertThat(cache.evictions()).isPositive();
            assertThat(numberIn(table.get(999))).isEqualTo(999);
        }
    }

    @Test
    void aClosedOwnerLeavesNothingBehindAndOthersStay() {
        try (BlockCache cache = cache()) {
            CacheSlots one = cache.slots(40);
            CacheSlots other = cache.slots(40);
            for (int i = 0; i < 40; i++) {
                read(cache, one, i);
                read(cache, other, i);
            }
            cache.close(one);
            cache.put(one, 5, block(5)); // by a reader that was late
            assertThat(kept(one, 40)).isZero();
            assertThat(kept(other, 40)).isEqualTo(40);
        }
    }

    @Test
    void whatOnlyOneEntryLeadsToLeavesWithIt() {
        try (BlockCache cache = cache()) {
            CacheSlots table = cache.slots(1_000);
            CacheSlots inner = cache.slots(1);
            cache.put(table, 0, new Block(block(0), inner));
            cache.put(inner, 0, block(7));
            assertThat(numberIn(inner.get(0))).isEqualTo(7);
            for (int i = 1; i < 1_000; i++) {
                inner.get(0);
                read(cache, table, i);
            }
            assertThat(table.get(0)).isNull();
            assertThat(inner.get(0)).isNull();
            cache.put(inner, 0, block(7));
            assertThat(inner.get(0)).isNull();
        }
    }

    @Test
    void anEvictedEntryCannotBeRead() {
        try (BlockCache cache = cache()) {
            CacheSlots table = cache.slots(1_000);
            Cached first = cache.put(table, 0, block(0));
            assertThat(numberIn(first)).isZero();
            for (int i = 1; i < 1_000; i++) {
                read(cache, table, i);
            }
            assertThat(table.get(0)).isNull();
            assertThatThrownBy(() -> numberIn(first)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void anEntryThatDoesNotFitInAChunkIsNotKept() {
        try (BlockCache cache = cache()) {
            CacheSlots table = cache.slots(10);
            Block large = new Block(MemorySegment.ofArray(new byte[(4 << 10) + 1]), 0, (4 << 10) + 1, null);
            assertThat(cache.put(table, 1, large)).isSameAs(large);
            assertThat(table.get(1)).isNull();
        }
    }

    @Test
    void withoutRoomNothingIsKept() {
        try (BlockCache cache = new BlockCache(0, Runnable::run)) {
            CacheSlots table = cache.slots(10);
            Block loaded = block(1);
            assertThat(cache.put(table, 1, loaded)).isSameAs(loaded);
            assertThat(table.get(1)).isNull();
            cache.close(table);
            assertThat(cache.allocatedBytes()).isZero();
        }
    }

    @Test
    void afterItsEndItKeepsNothing() {
        BlockCache cache = cache();
        CacheSlots table = cache.slots(10);
        Cached kept = cache.put(table, 1, block(1));
        cache.close();
        assertThat(table.get(1)).isNull();
        assertThatThrownBy(() -> numberIn(kept)).isInstanceOf(IllegalStateException.class);
        Block late = block(2);
        assertThat(cache.put(table, 2, late)).isSameAs(late);
    }

    @Test
    void entriesThatOnlyAnotherLeadsToLeaveWithIt() {
        try (BlockCache cache = cache()) {
            CacheSlots parts = cache.slots(2);
            CacheSlots table = cache.slots(1);
            cache.put(table, 0, new Block(MemorySegment.ofArray(new byte[BLOCK]), 0, BLOCK, parts));
            cache.put(parts, 1, block(1));
            table.close();
            assertThat(parts.isClosed()).isTrue();
            assertThat(parts.get(1)).isNull();
        }
    }

    @Test
    @Timeout(60)
    void theBoundHoldsAndNoEntryIsMistakenForAnotherUnderConcurrency() throws Exception {
        List<Future<?>> done = new ArrayList<>();
        try (BlockCache cache = new BlockCache(CAPACITY)) {
            try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
                for (int thread = 0; thread < 4; thread++) {
                    Random random = new Random(SEED + thread);
                    done.add(threads.submit(() -> {
                        for (int round = 0; round < 20; round++) {
                            CacheSlots table = cache.slots(300);
                            for (int i = 0; i < 5_000; i++) {
                                int block = (int) (300 * Math.pow(random.nextDouble(), 3));
                                assertThat(read(cache, table, block)).isEqualTo(block);
                                assertThat(cache.allocatedBytes()).isBetween(0L, CAPACITY);
                            }
                            cache.close(table);
                        }
                    }));
                }
                for (Future<?> each : done) {
                    each.get();
                }
            }
            CacheSlots table = cache.slots(300);
            for (int i = 0; cache.evictions() == 0; i++) { // by a thread of its own, which may have had no core so far
                assertThat(read(cache, table, i % 300)).isEqualTo(i % 300);
            }
        }
    }

    private static BlockCache cache() {
        return new BlockCache(CAPACITY, Runnable::run);
    }

    /// Reads an entry as a look-up does.
    private static int read(BlockCache cache, CacheSlots table, int number) {
        while (true) {
            Cached found = table.get(number);
            if (found == null) {
                found = cache.put(table, number, block(number));
            }
            try {
                return numberIn(found);
            } catch (IllegalStateException e) {
                Thread.onSpinWait(); // evicted meanwhile
            }
        }
    }

    private static int numberIn(@Nullable Cached entry) {
        assertThat(entry).isNotNull();
        return entry.memory().get(ByteReader.INT, entry.offset());
    }

    private static Block block(int number) {
        MemorySegment block = MemorySegment.ofArray(new byte[BLOCK]);
        block.set(ByteReader.INT, 0, number);
        return new Block(block, 0, BLOCK, null);
    }

    private static int kept(CacheSlots table, int blocks) {
        int kept = 0;
        for (int i = 0; i < blocks; i++) {
            kept += table.get(i) == null ? 0 : 1;
        }
        return kept;
    }

    private static final class Block extends Cached {

        private final @Nullable CacheSlots inner;

        Block(MemorySegment memory, long offset, int bytes, @Nullable CacheSlots inner) {
            super(memory, offset, bytes, inner);
            this.inner = inner;
        }

        Block(Block block, CacheSlots inner) {
            this(block.memory(), block.offset(), block.bytes(), inner);
        }

        @Override
        protected Block at(MemorySegment place, long placeOffset) {
            return new Block(place, placeOffset, bytes(), inner);
        }
    }
}
