package kvant.prove.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import kvant.prove.stage.Figures;
import kvant.prove.stage.Stage;
import kvant.text.child.QuickNodes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/// Both engines answer as a sorted map does, also after kills, and after copy, backup, archive or mirror.
///
/// `-Dkvant.tries=N`, `-Dkvant.operations=N` and `-Dkvant.seed=N` as in [HistoriesTest].
@Tag("full") // nearly a minute of nodes that are killed
class ParityTest {

    private static final long SEED = Long.getLong("kvant.seed", System.nanoTime() & 0xffff);
    private static final int OPERATIONS = Integer.getInteger("kvant.operations", 700);
    private static final int WAYS = 4;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path folder;

    @BeforeAll
    static void quickNodes() {
        QuickNodes.use("-Xmx256m", "-XX:+UseSerialGC");
    }

    @Test
    @Timeout(value = 1, unit = TimeUnit.HOURS) // for many of them
    void bothEnginesAnswerAsAMapDoesAlsoWhereTheStoreWasMoved() throws Exception {
        Figures figures = new Figures();
        try (Stage stage = new Stage(
                folder, SEED, Duration.ofHours(1), Integer.getInteger("kvant.tries", 1), System.out::println)) {
            while (stage.next()) {
                stage.say("seed " + SEED + ", history " + stage.trip() + ": " + figures);
                new ParityRun(stage, OPERATIONS, figures).run((int) Math.floorMod(SEED + stage.trip(), (long) WAYS));
            }
        }
        System.out.println("seed " + SEED + ": " + figures);
        assertThat(figures.number("moved")).isEqualTo(2 * figures.number("histories"));
    }
}
