package kvant.prove.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import kvant.prove.stage.Figures;
import kvant.prove.stage.Stage;
import kvant.prove.stage.Violation;
import kvant.text.child.QuickNodes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// `-Dkvant.tries=N` for more histories, `-Dkvant.operations=N` for longer ones, `-Dkvant.seed=N` for the same ones.
class HistoriesTest {

    private static final Duration LONG = Duration.ofHours(1);
    private static final long SEED = Long.getLong("kvant.seed", System.nanoTime() & 0xffff);
    private static final int OPERATIONS = Integer.getInteger("kvant.operations", 1_000);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path folder;

    @BeforeAll
    static void quickNodes() {
        QuickNodes.use("-Xmx256m", "-XX:+UseSerialGC");
    }

    @Test
    @Timeout(value = 1, unit = TimeUnit.HOURS) // for many of them
    void whatClientsSeeAcrossKillsIsLinearizable() throws Exception {
        try (Stage stage = new Stage(folder, SEED, LONG, Integer.getInteger("kvant.tries", 2), System.out::println)) {
            Figures figures = HistoryRun.run(stage, OPERATIONS, UnaryOperator.identity());
            System.out.println("seed " + SEED + ": " + figures);
            assertThat(figures.number("undecided")).isZero();
            assertThat(figures.number("kills") + figures.number("stops")).isPositive();
            assertThat(figures.number("refused"))
                    .as("conditions that did not hold")
                    .isPositive();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aNodeThatDoesWrongIsFound(FaultyNode.Fault fault) throws Exception {
        UnaryOperator<InetSocketAddress> between = node -> {
            try {
                return new FaultyNode(fault, node).address();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
        try (Stage stage = new Stage(folder, SEED, LONG, 1, _ -> {})) {
            assertThatThrownBy(() -> HistoryRun.run(stage, OPERATIONS, between))
                    .as("seed %d", SEED)
                    .isInstanceOf(Violation.class)
                    .hasMessageMatching("(?s).*(no order explains|a version went back|two versions).*history.txt\\)");
        }
    }

    @Test
    void sixteenInTurnHaveEachEngineWithEachExecutorAndTransport() {
        assertThat(IntStream.range(0, 16)
                        .mapToObj(i -> Setup.of(SEED + i, new Random(i), 1))
                        .map(setup -> setup.engine() + setup.executor() + setup.transport())
                        .distinct())
                .hasSize(16);
    }
}
