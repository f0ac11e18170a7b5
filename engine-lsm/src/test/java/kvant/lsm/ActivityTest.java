package kvant.lsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import kvant.engine.ActivitySink;
import kvant.engine.Durability;
import kvant.engine.Samples;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The engine tells what it does besides answering.
class ActivityTest {

    private static final int MEMTABLE_BYTES = 64 << 10;

    @TempDir
    private Path folder;

    private final List<String> kinds = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger running = new AtomicInteger();

    private final ActivitySink sink = new ActivitySink() {
        @Override
        public long began(String kind) {
            kinds.add(kind);
            running.incrementAndGet();
            return kinds.size();
        }

        @Override
        public void ended(long id) {
            if (id != 0) {
                running.decrementAndGet();
            }
        }

        @Override
        public void during(String kind, long beginNanos, long endNanos) {
            // see CommitStepsTest
        }
    };

    @Test
    void flushesAndCompactionsAreToldWithTheirEnds() {
        LsmOptions options = LsmOptions.defaults().with(draft -> {
            draft.durability = Durability.NONE;
            draft.memtableBytes = MEMTABLE_BYTES;
        });
        try (LsmEngine engine = LsmEngine.open(folder, options)) {
            engine.observe(sink);
            String value = "v".repeat(1000);
            for (int i = 0; i < 2000; i++) {
                Samples.write(engine, Samples.put("key" + i % 100, value));
            }
            await().until(() -> kinds.contains("flush") && kinds.contains("compaction") && running.get() == 0);
        }
        assertThat(kinds).allMatch(kind -> kind.equals("flush") || kind.equals("compaction") || kind.contains("stall"));
    }
}
