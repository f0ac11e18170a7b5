package kvant.lsm.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import kvant.lsm.Seeds;
import kvant.lsm.bytes.ByteReader;
import org.junit.jupiter.api.Test;

class BlockCacheTest {

    private static final int BLOCK = 1_000;
    private static final long SEED = Seeds.seed(78);

    @Test
    void blocksComeBackUntilOthersNeedTheRoom() {
        BlockCache cache = new BlockCache(room(100));
        BlockCache.TableBlocks table = cache.table(1_000);
        for (int i = 0; i < 1_000; i++) {
            table.put(i, block(i));
            assertThat(cache.usedBytes()).isLessThanOrEqualTo(room(100));
        }
        assertThat(kept(table, 1_000)).isEqualTo(100);
        assertThat(cache.usedBytes()).isEqualTo(room(100));
        assertThat(cache.evictions()).isEqualTo(900);
    }

    @Test
    void hotBlocksSurviveBlocksThatAreReadOnce() {
        BlockCache cache = new BlockCache(room(100));
        BlockCache.TableBlocks table = cache.table(10_000);
        for (int i = 0; i < 10_000; i++) {
            read(table, i);
            for (int hot = 0; hot < 50 && i % 5 == 0; hot++) {
                read(table, hot);
            }
        }
        for (int hot = 0; hot < 50; hot++) {
            assertThat(table.peek(hot)).as("hot block %d", hot).isNotNull();
        }
    }

    @Test
    void aBlockThatComesBackSoonIsNoLongerOneThatIsReadOnce() {
        BlockCache cache = new BlockCache(room(100));
        BlockCache.TableBlocks table = cache.table(10_000);
        for (int i = 0; i < 100; i++) {
            read(table, i);
            read(table, i);
            read(table, i);
        }
        for (int i = 100; i < 200; i++) {
            read(table, i); // what was hot goes into the main queue
        }
        int returning = 100;
        while (table.peek(returning) != null) {
            returning++;
        }
        read(table, returning);
        for (int i = 200; i < 230; i++) {
            read(table, i);
        }
        assertThat(table.peek(returning)).isNotNull();
    }

    @Test
    void lookingInPassingLeavesNoTrace() {
        BlockCache cache = new BlockCache(room(100));
        BlockCache.TableBlocks table = cache.table(10);
        assertThat(table.peek(3)).isNull();
        table.put(3, block(3));
        assertThat(table.peek(3)).isNotNull();
        assertThat(cache.hits()).isZero();
        assertThat(cache.misses()).isEqualTo(1);
    }

    @Test
    void aClosedTableLeavesNothingBehindAndOthersStay() {
        BlockCache cache = new BlockCache(room(100));
        BlockCache.TableBlocks one = cache.table(40);
        BlockCache.TableBlocks other = cache.table(40);
        for (int i = 0; i < 40; i++) {
            read(one, i);
            read(other, i);
        }
        one.close();
        one.put(5, block(5)); // by a reader that was late
        assertThat(kept(one, 40)).isZero();
        assertThat(kept(other, 40)).isEqualTo(40);
        assertThat(cache.usedBytes()).isEqualTo(room(40));
        other.close();
        assertThat(cache.usedBytes()).isZero();
    }

    @Test
    void aLargeBlockDoesNotPushOutEverything() {
        BlockCache cache = new BlockCache(room(100));
        BlockCache.TableBlocks table = cache.table(10);
        table.put(1, MemorySegment.ofArray(new byte[BLOCK * 20]));
        assertThat(cache.usedBytes()).isZero();
    }

    @Test
    void withoutRoomNothingIsKept() {
        BlockCache cache = new BlockCache(0);
        BlockCache.TableBlocks table = cache.table(10);
        table.put(1, block(1));
        assertThat(table.get(1)).isNull();
        assertThat(table.peek(1)).isNull();
        table.close();
        assertThat(cache.usedBytes()).isZero();
    }

    @Test
    void theBoundHoldsAndNoBlockIsMistakenForAnotherUnderConcurrency() throws Exception {
        BlockCache cache = new BlockCache(room(50));
        List<Future<?>> done = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            for (int thread = 0; thread < 4; thread++) {
                Random random = new Random(SEED + thread);
                done.add(threads.submit(() -> {
                    for (int round = 0; round < 20; round++) {
                        BlockCache.TableBlocks table = cache.table(300);
                        for (int i = 0; i < 5_000; i++) {
                            int block = (int) (300 * Math.pow(random.nextDouble(), 3));
                            assertThat(read(table, block).get(ByteReader.INT, 0))
                                    .isEqualTo(block);
                            assertThat(cache.usedBytes()).isBetween(0L, room(50));
                        }
                        table.close();
                    }
                }));
            }
            for (Future<?> each : done) {
                each.get();
            }
        }
        assertThat(cache.usedBytes()).isZero();
        assertThat(cache.hits() + cache.misses()).isEqualTo(4 * 20 * 5_000);
    }

    private static MemorySegment read(BlockCache.TableBlocks table, int block) {
        MemorySegment found = table.get(block);
        if (found == null) {
            found = block(block);
            table.put(block, found);
        }
        return Objects.requireNonNull(found);
    }

    private static MemorySegment block(int number) {
        MemorySegment block = MemorySegment.ofArray(new byte[BLOCK]);
        block.set(ByteReader.INT, 0, number);
        return block;
    }

    private static int kept(BlockCache.TableBlocks table, int blocks) {
        int kept = 0;
        for (int i = 0; i < blocks; i++) {
            kept += table.peek(i) == null ? 0 : 1;
        }
        return kept;
    }

    private static long room(int blocks) {
        return (long) blocks * (BLOCK + BlockCache.ENTRY_BYTES);
    }
}
