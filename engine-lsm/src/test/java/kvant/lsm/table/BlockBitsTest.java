package kvant.lsm.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class BlockBitsTest {

    private static final int THREADS = 2;
    private static final int ROUNDS = 1_000_000;

    @Test
    void eachBlockHasABitOfItsOwn() {
        BlockBits bits = new BlockBits(130);
        bits.set(64);
        bits.set(129);
        bits.clear(64);
        bits.set(63);
        for (int block = 0; block < 130; block++) {
            assertThat(bits.get(block)).as("block %d", block).isEqualTo(block == 63 || block == 129);
        }
    }

    /// A bit that came back would have a block trusted in which damage was found.
    @Test
    void noThreadUndoesTheChangeOfAnother() throws Exception {
        BlockBits bits = new BlockBits(THREADS);
        CyclicBarrier begin = new CyclicBarrier(THREADS);
        List<Future<Integer>> undone = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            for (int thread = 0; thread < THREADS; thread++) {
                int block = thread;
                undone.add(threads.submit(() -> {
                    begin.await();
                    return undone(bits, block);
                }));
            }
        }
        for (Future<Integer> each : undone) {
            assertThat(each.get()).isZero();
        }
    }

    private static int undone(BlockBits bits, int block) {
        int undone = 0;
        for (int i = 0; i < ROUNDS; i++) {
            bits.set(block);
            undone += bits.get(block) ? 0 : 1;
            bits.clear(block);
            undone += bits.get(block) ? 1 : 0;
        }
        return undone;
    }
}
