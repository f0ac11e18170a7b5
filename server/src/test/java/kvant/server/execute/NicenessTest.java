package kvant.server.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import kvant.server.ExecutorKind;
import kvant.server.MemoryEngine;
import kvant.server.admit.AdmissionOptions;
import kvant.server.admit.AnswerMemory;
import kvant.server.execute.PoolThreads.Niceness;
import kvant.server.service.RequestHandler;
import kvant.server.service.ServiceOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// Asks the kernel who goes first.
@EnabledOnOs(OS.LINUX)
class NicenessTest {

    /// Counted after the name, which is in parentheses: state is 0 (`proc_pid_stat(5)`).
    private static final int NICE_FIELD = 16;

    private static final int MOST = 19;

    @Test
    void workersOfRangesGoBehindTheOthers() {
        try (MemoryEngine engine = new MemoryEngine();
                RequestHandler handler = new RequestHandler(
                        engine,
                        InstantSource.system(),
                        new ServiceOptions(1, 1000, PoolOptions.blocking(1), null, AdmissionOptions.none()),
                        new AnswerMemory(1 << 20),
                        ExecutorKind.ADAPTIVE::open)) {
            int own = nicenessOf("self").getFirst();

            await().untilAsserted(() -> assertThat(nicenessOf("kvant-range-\\d+"))
                    .isNotEmpty()
                    .containsOnly(Math.min(MOST, own + Niceness.BEHIND_EVENT_LOOPS)));
            assertThat(nicenessOf("kvant-worker-\\d+")).isNotEmpty().containsOnly(own);
            assertThat(handler.openScans()).isZero();
        }
    }

    private static List<Integer> nicenessOf(String threads) {
        try (Stream<Path> tasks = "self".equals(threads)
                ? Stream.of(Path.of("/proc/thread-self"))
                : Files.list(Path.of("/proc/self/task"))) {
            return tasks.map(NicenessTest::stat)
                    .filter(stat -> "self".equals(threads)
                            || stat.substring(stat.indexOf('(') + 1, Math.max(1, stat.lastIndexOf(')')))
                                    .matches(threads))
                    .map(stat -> Integer.parseInt(
                            stat.substring(stat.lastIndexOf(')') + 2).split(" ")[NICE_FIELD]))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Empty where the thread has ended meanwhile.
    private static String stat(Path task) {
        try {
            return Files.readString(task.resolve("stat"));
        } catch (IOException _) {
            return "()";
        }
    }
}
