package kvant.bench.access;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// How a get may reach a block of 4 KiB that is in memory. Each case picks a random block of a file of 256 MiB in the
/// page cache and looks at three words of it, about as many cache lines as a look-up touches.
///
/// `mapped` assumes that the block is there; the others check or have a copy. The heap of the cache holds all
/// blocks, so it never misses: a bound of what a cache can give.
///
///     ./kvant bench jmh access
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "-Xmx1g"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class BlockAccessBench {

    private static final int BLOCK_BYTES = 4 << 10;
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;

    @Param("65536")
    public int blocks;

    private final SplittableRandom random = new SplittableRandom(3);
    private final Arena arena = Arena.ofShared();
    private byte[][] cache = {};
    private Path path = Path.of("");
    private MemorySegment file = MemorySegment.NULL;
    private @Nullable NowaitFile nowait;

    @Setup(Level.Trial)
    public void write() throws IOException {
        path = Files.createTempFile("kvant-bench", ".blocks");
        cache = new byte[blocks][];
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            for (int i = 0; i < blocks; i++) {
                byte[] block = new byte[BLOCK_BYTES];
                random.nextBytes(block);
                cache[i] = block;
                channel.write(ByteBuffer.wrap(block));
            }
            file = channel.map(FileChannel.MapMode.READ_ONLY, 0, (long) blocks * BLOCK_BYTES, arena);
        }
        nowait = new NowaitFile(path, BLOCK_BYTES);
    }

    @TearDown(Level.Trial)
    public void delete() throws IOException {
        if (nowait != null) {
            nowait.close();
        }
        arena.close();
        Files.delete(path);
    }

    @Benchmark
    public long mapped() {
        return threeWords(file, (long) random.nextInt(blocks) * BLOCK_BYTES);
    }

    @Benchmark
    public long mappedAfterMincore() {
        long offset = (long) random.nextInt(blocks) * BLOCK_BYTES;
        return file.asSlice(offset, BLOCK_BYTES).isLoaded() ? threeWords(file, offset) : -1;
    }

    @Benchmark
    public long preadNowait() {
        NowaitFile opened = nowait;
        if (opened == null) {
            throw new IllegalStateException();
        }
        return threeWords(opened.read((long) random.nextInt(blocks) * BLOCK_BYTES), 0);
    }

    @Benchmark
    public long heapCache() {
        return threeWords(MemorySegment.ofArray(cache[random.nextInt(blocks)]), 0);
    }

    private static long threeWords(MemorySegment block, long offset) {
        return block.get(WORD, offset + BLOCK_BYTES - Long.BYTES)
                + block.get(WORD, offset + BLOCK_BYTES / 2)
                + block.get(WORD, offset + BLOCK_BYTES / 4);
    }
}
