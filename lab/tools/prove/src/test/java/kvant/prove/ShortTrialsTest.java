package kvant.prove;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Stream;
import kvant.prove.stage.Figures;
import kvant.prove.stage.Stage;
import kvant.text.child.QuickNodes;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Each trial with one trip: `./kvant prove` has the long form.
class ShortTrialsTest {

    /// The same faults on another file system, with another engine or durability, and a load that takes its time.
    private static final Set<String> VARIATIONS =
            Set.of("kill-rocksdb", "power-xfs", "power-interval", "power-none", "soak");

    @TempDir
    Path folder;

    @BeforeAll
    static void quickNodes() {
        QuickNodes.use("-Xmx256m", "-XX:+UseSerialGC");
    }

    static Stream<Named<Trial>> trials() {
        return all().filter(trial -> !VARIATIONS.contains(trial.getName()));
    }

    static Stream<Named<Trial>> variations() {
        return all().filter(trial -> VARIATIONS.contains(trial.getName()));
    }

    private static Stream<Named<Trial>> all() {
        return Trial.all().stream()
                // These have tests of their own.
                .filter(trial ->
                        !(trial.name().startsWith("tests-") || trial.name().equals("histories")))
                // A JVM under libfaketime takes 25 s of processor time to start: FaultsTest has its clock.
                .filter(trial -> !trial.name().equals("clock"))
                .map(trial -> Named.of(trial.name(), trial));
    }

    @ParameterizedTest
    @MethodSource("trials")
    void thePromiseHoldsForATrip(Trial trial) throws Exception {
        check(trial);
    }

    @ParameterizedTest
    @Tag("full") // a minute
    @MethodSource("variations")
    void thePromiseHoldsInEachVariation(Trial trial) throws Exception {
        check(trial);
    }

    private void check(Trial trial) throws Exception {
        String obstacle = trial.obstacle().get();
        Assumptions.assumeTrue(obstacle.isEmpty(), () -> "not run here: " + obstacle);
        try (Stage stage = new Stage(folder, Long.getLong("kvant.seed", 3), Duration.ZERO, 1, _ -> {})) {
            Figures figures = trial.run().on(stage);
            assertThat(figures.isEmpty()).isFalse();
        }
    }
}
