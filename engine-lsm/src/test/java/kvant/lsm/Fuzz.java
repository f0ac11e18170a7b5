package kvant.lsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import kvant.engine.EngineException;
import kvant.engine.Samples;
import kvant.lsm.bytes.ByteWriter;
import kvant.lsm.storage.HeapStorage;
import org.junit.jupiter.api.function.Executable;

/// Rounds with a mutated file: it is used, or refused by an exception that names it, in time and without much
/// memory.
///
/// `-Dkvant.fuzz.seed` and `-Dkvant.fuzz.rounds` choose another or a longer run. A round's own seed is that of
/// the run plus its number, so that it can be repeated alone.
public final class Fuzz {

    private static final long SEED = Long.getLong("kvant.fuzz.seed", 20261123);
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L; // seeds in a row would give similar numbers
    private static final Duration DEADLINE = Duration.ofSeconds(30);
    private static final long MOST_BYTES = 96 << 20; // of a round: a few blocks may claim the largest size
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final long[] EDGES = {
        0, 1, 0x7F, 0x80, 0xFF, 1 << 20, 1 << 30, Integer.MAX_VALUE, Integer.MIN_VALUE, -1, -9, 1L << 62, Long.MIN_VALUE
    };

    private Fuzz() {}

    /// Makes a mutated file and uses it.
    @FunctionalInterface
    public interface Round {
        /// @return whether it was refused
        boolean isRefused(Random random) throws Throwable;
    }

    /// @param usual number of rounds
    public static void run(int usual, Round round) {
        int rounds = Integer.getInteger("kvant.fuzz.rounds", Boolean.getBoolean("kvant.test.all") ? 4 * usual : usual);
        int refused = 0;
        for (int i = 0; i < rounds; i++) {
            long seed = SEED + i;
            String context =
                    "seed %d, round %d, alone: -Dkvant.fuzz.seed=%d -Dkvant.fuzz.rounds=1".formatted(SEED, i, seed);
            refused +=
                    assertTimeoutPreemptively(DEADLINE, () -> once(round, new Random(seed * SPREAD), context), context);
        }
        assertThat(refused).as("refused of %d", rounds).isBetween(rounds / 50, rounds - rounds / 50);
    }

    private static int once(Round round, Random random, String context) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        try {
            boolean refused = round.isRefused(random);
            assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(MOST_BYTES);
            return refused ? 1 : 0;
        } catch (Throwable e) {
            throw new AssertionError(context + ": " + e, e);
        }
    }

    /// @param file that a refusal has to name
    public static boolean isRefused(String file, Executable use) throws Throwable {
        try {
            use.execute();
            return false;
        } catch (EngineException.Corruption | EngineException.CannotOpen e) {
            assertThat(e).hasMessageContaining(file);
            return true;
        }
    }

    /// Opens a store and reads from it, as much as there may be.
    public static void open(HeapStorage storage) {
        long bytes = storage.totalBytes(_ -> true);
        try (LsmEngine engine = TestEngines.open(storage, SampleStores.calm(2))) {
            engine.get(Samples.bytes("key-010"));
            assertThat((long) SampleStores.scan(engine).size()).isLessThan(bytes);
        } catch (EngineException.Corruption e) {
            if (!e.getMessage().contains("a value file that is not there")) { // names the store, not a file
                throw e;
            }
        }
    }

    /// Changes up to four places, or all of it.
    public static byte[] mutate(byte[] original, Random random) {
        byte[] bytes = random.nextInt(50) > 0 ? original : Seeds.bytes(random, random.nextInt(2 * original.length + 1));
        for (int i = random.nextInt(4); i >= 0 && bytes.length > 0; i--) {
            int at = random.nextInt(bytes.length) & -1 << random.nextInt(3);
            byte[] with = switch (random.nextInt(9)) {
                case 0 -> Arrays.copyOfRange(bytes, random.nextInt(at + 1), at);
                case 1 -> Seeds.bytes(random, random.nextInt(9));
                case 2, 3, 4, 5 -> number(random);
                default -> new byte[] {(byte) (bytes[at] ^ 1 << random.nextInt(8))};
            };
            int end = switch (random.nextInt(12)) {
                case 0 -> at;
                case 1 -> at + random.nextInt(9);
                case 2 -> at + (random.nextBoolean() ? 1 : bytes.length);
                default -> at + with.length;
            };
            ByteWriter out = new ByteWriter(bytes.length + with.length);
            out.putBytes(bytes, 0, at);
            out.putBytes(with);
            out.putBytes(bytes, Math.min(end, bytes.length), Math.max(0, bytes.length - end));
            bytes = out.toByteArray();
        }
        return bytes;
    }

    private static byte[] number(Random random) {
        long edge = EDGES[random.nextInt(EDGES.length)];
        ByteWriter out = new ByteWriter(Long.BYTES);
        if (random.nextInt(3) == 0) {
            out.putVarint(edge);
            return out.toByteArray();
        }
        out.putLong(edge);
        return Arrays.copyOf(out.array(), 1 << random.nextInt(4)); // it begins with its lowest byte
    }
}
