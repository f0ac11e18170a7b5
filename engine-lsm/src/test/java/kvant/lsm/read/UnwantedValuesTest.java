package kvant.lsm.read;

import static kvant.engine.Samples.bytes;
import static kvant.engine.Samples.noise;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.ToLongFunction;
import kvant.engine.Condition;
import kvant.engine.Durability;
import kvant.engine.Lookup;
import kvant.engine.Mutation;
import kvant.engine.Samples;
import kvant.engine.WriteBatch;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Existence checks and conditions take no memory for the value.
class UnwantedValuesTest {

    private static final int VALUE_BYTES = 4 << 20;
    private static final int LITTLE_BYTES = 256 << 10;

    @TempDir
    private Path folder;

    @Test
    void aValueThatIsNotWantedIsNotCopied() {
        long day = System.currentTimeMillis() + Duration.ofDays(1).toMillis();
        try (LsmEngine engine = LsmEngine.open(folder, LsmOptions.defaults().withDurability(Durability.NONE))) {
            Samples.write(engine, new Mutation.Put(bytes("stays"), noise(VALUE_BYTES, 1)));
            Samples.write(engine, new Mutation.Put(bytes("expires"), noise(VALUE_BYTES, 2), day));
            lookUp(engine);
            engine.maintenance().compact(_ -> {}); // from the memtable to a table
            lookUp(engine);
            assertThat(allocatedBy(() -> engine.get(bytes("stays"))))
                    .as("what is wanted")
                    .isGreaterThan(VALUE_BYTES);
        }
    }

    @Test
    void aConditionReadsNoValue() {
        try (LsmEngine engine = LsmEngine.open(folder, LsmOptions.defaults().withDurability(Durability.NONE))) {
            long version = Samples.write(engine, new Mutation.Put(bytes("key"), noise(VALUE_BYTES, 1)));
            engine.maintenance().compact(_ -> {});
            Thread commits = commitThread();
            ToLongFunction<Thread> allocated = thread -> threads().getThreadAllocatedBytes(thread.threadId());
            long before = allocated.applyAsLong(commits);
            Mutation update = new Mutation.Put(bytes("key"), bytes("new"));
            Samples.write(engine, WriteBatch.of(update).when(new Condition.VersionIs(version)));
            assertThat(allocated.applyAsLong(commits) - before).isLessThan(VALUE_BYTES);
        }
    }

    private static void lookUp(LsmEngine engine) {
        for (String key : new String[] {"stays", "expires"}) {
            assertThat(allocatedBy(() -> engine.get(bytes(key), Lookup.Filter.NONE)))
                    .as(key)
                    .isLessThan(LITTLE_BYTES);
            assertThat(engine.get(bytes(key), Lookup.Filter.NONE)).isInstanceOf(Lookup.Described.class);
            assertThat(engine.tryGet(bytes(key), Lookup.Filter.NONE)).isInstanceOf(Lookup.Described.class);
        }
    }

    private static long allocatedBy(Runnable work) {
        work.run(); // classes, and the checksum of the block
        long before = threads().getCurrentThreadAllocatedBytes();
        work.run();
        return threads().getCurrentThreadAllocatedBytes() - before;
    }

    private static ThreadMXBean threads() {
        return (ThreadMXBean) ManagementFactory.getThreadMXBean();
    }

    private static Thread commitThread() {
        Thread[] all = new Thread[Thread.activeCount() + 16];
        int count = Thread.enumerate(all);
        return Arrays.stream(all, 0, count)
                .filter(thread -> thread.getName().equals("kvant-lsm-commit"))
                .findFirst()
                .orElseThrow();
    }
}
