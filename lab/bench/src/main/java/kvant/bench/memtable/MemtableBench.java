package kvant.bench.memtable;

import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import kvant.bench.published.MapMemtable;
import kvant.engine.Lookup;
import kvant.lsm.memtable.ArenaMemtable;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.record.Reading;
import kvant.lsm.record.RecordCursor;
import kvant.lsm.record.Tag;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.GroupThreads;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// The arena memtable against the JDK's skip list map: point gets of present and of absent keys, scans, inserts,
/// and gets beside one writer. Keys of 16 bytes in random order, values of 100 bytes; full memtables hold about
/// 64 MiB.
///
///     ./kvant bench jmh memtable
@State(Scope.Group)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class MemtableBench {

    /// How records are kept.
    public enum Kind {
        /// A skip list in arrays.
        ARENA,
        /// A `ConcurrentSkipListMap`.
        SKIP_LIST_MAP;

        Memtable create(long expectedBytes) {
            return switch (this) {
                case ARENA -> new ArenaMemtable(expectedBytes);
                case SKIP_LIST_MAP -> new MapMemtable();
            };
        }
    }

    private static final long MEMTABLE_BYTES = 64 << 20;
    private static final int SCANNED = 1_000;

    @Param({"ARENA", "SKIP_LIST_MAP"})
    public Kind kind = Kind.ARENA;

    /// Of a full memtable.
    @Param("350000")
    public int records;

    /// Whether the process has used both kinds before, as no node does: what a call through the interface costs
    /// when the compiler cannot know which one it is.
    @Param("false")
    public boolean both;

    private final Reading reading = Reading.by(InstantSource.system());
    private final byte[] value = new byte[100];
    private Memtable memtable = kind.create(MEMTABLE_BYTES);
    private Memtable growing = memtable;
    private long sequence;

    @Setup(Level.Trial)
    public void fill() {
        if (both) {
            for (Kind each : Kind.values()) {
                Memtable other = each.create(1 << 20);
                for (int i = 0; i < 20_000; i++) {
                    other.add(i + 1, Tag.PUT, key(i), value, 0);
                    other.find(key(i), Tag.NEWEST, reading);
                }
            }
        }
        memtable = kind.create(MEMTABLE_BYTES);
        for (int i = 0; i < records; i++) {
            memtable.add(i + 1, Tag.PUT, key(i), value, 0);
        }
        growing = kind.create(MEMTABLE_BYTES);
    }

    @State(Scope.Thread)
    public static class Choice {
        private final SplittableRandom random =
                new SplittableRandom(Thread.currentThread().threadId());

        int of(int records) {
            return random.nextInt(records);
        }
    }

    private byte[] present(Choice choice) {
        return key(choice.of(records));
    }

    private byte[] absent(Choice choice) {
        return key(-1 - choice.of(records));
    }

    @Benchmark
    @Group("hit")
    @GroupThreads(1)
    public @Nullable Lookup hit(Choice choice) {
        return memtable.find(present(choice), Tag.NEWEST, reading);
    }

    @Benchmark
    @Group("hit2")
    @GroupThreads(2)
    public @Nullable Lookup hitOfTwo(Choice choice) {
        return memtable.find(present(choice), Tag.NEWEST, reading);
    }

    @Benchmark
    @Group("miss")
    @GroupThreads(1)
    public @Nullable Lookup miss(Choice choice) {
        return memtable.find(absent(choice), Tag.NEWEST, reading);
    }

    @Benchmark
    @Group("miss2")
    @GroupThreads(2)
    public @Nullable Lookup missOfTwo(Choice choice) {
        return memtable.find(absent(choice), Tag.NEWEST, reading);
    }

    /// A thousand records from a random place on.
    @Benchmark
    @Group("scan")
    @GroupThreads(1)
    public long scan(Choice choice) {
        RecordCursor cursor = memtable.cursor();
        long bytes = 0;
        boolean on = cursor.seek(present(choice));
        for (int i = 0; on && i < SCANNED; i++) {
            bytes += cursor.keyLength() + cursor.valueLength();
            on = cursor.next();
        }
        return bytes;
    }

    /// Into a memtable that is replaced when it is full.
    @Benchmark
    @Group("insert")
    @GroupThreads(1)
    public void insert() {
        grow();
    }

    @Benchmark
    @Group("beside")
    @GroupThreads(1)
    public void insertBesideAReader() {
        grow();
    }

    @Benchmark
    @Group("beside")
    @GroupThreads(1)
    public @Nullable Lookup hitBesideAWriter(Choice choice) {
        return memtable.find(present(choice), Tag.NEWEST, reading);
    }

    private void grow() {
        if (growing.bytes() >= MEMTABLE_BYTES) {
            growing = kind.create(MEMTABLE_BYTES);
        }
        sequence++;
        growing.add(sequence, Tag.PUT, key(sequence), value, 0);
    }

    /// Numbers to keys in random order (the finalizer of SplitMix64).
    private static byte[] key(long number) {
        long z = number + 0x9E3779B97F4A7C15L;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        z ^= z >>> 31;
        return ByteBuffer.allocate(16).putLong(z).putLong(~z).array();
    }
}
