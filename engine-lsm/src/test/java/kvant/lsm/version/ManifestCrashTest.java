package kvant.lsm.version;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import kvant.lsm.sim.SimStorage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// An edit is durable by itself, also where only the manifest syncs the directory.
class ManifestCrashTest {

    private static final int EDITS = 60;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void everyEditSurvivesAPowerCutWhileManifestsAreBegunAnew(long seed) throws IOException {
        SimStorage storage = new SimStorage();
        SplittableRandom random = new SplittableRandom(seed);
        try (Manifest manifest = new Manifest(storage, new Random(seed), 200, Manifest.read(storage))) {
            for (long log = 1; log <= EDITS; log++) {
                manifest.append(VersionEdit.logs(new LogInfo(log, log), List.of()));
                for (int i = 0; i < 4; i++) {
                    assertThat(Manifest.read(storage.crashed(random)).logs())
                            .as("seed %d, after edit %d", seed, log)
                            .containsExactlyElementsOf(
                                    LongStream.rangeClosed(1, log).boxed().toList());
                }
            }
        }
    }
}
