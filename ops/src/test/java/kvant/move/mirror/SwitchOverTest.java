package kvant.move.mirror;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import kvant.engine.Crew;
import kvant.engine.Engine;
import kvant.engine.LocalEngine;
import kvant.engine.Samples;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A switch-over during reads and writes, between two real engines: nothing acknowledged is lost, no read goes back in
/// time, and the source gets nothing any more.
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SwitchOverTest {

    private static final int WRITERS = 4;

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void losesNoAcknowledgedWrite(int run) {
        Path sourceFolder = folder.resolve("source" + run);
        Path targetFolder = folder.resolve("target" + run);
        LocalEngine source = MirrorFixture.lsm(sourceFolder);
        for (int i = 0; i < 2_000; i++) {
            Samples.write(source, Samples.put("before" + i, "v"));
        }
        Map<String, Integer> acknowledged = new ConcurrentHashMap<>();
        AtomicBoolean stop = new AtomicBoolean();
        MirrorMarks marks = new MirrorMarks(sourceFolder, "s", targetFolder, "t", false);
        LocalMirror mirror =
                LocalMirror.over(source, () -> MirrorFixture.lsm(targetFolder), marks, MirrorFixture.QUICK);
        try (mirror) {
            Crew.runAll(WRITERS + 1, number -> {
                if (number == WRITERS) {
                    MirrorFixture.awaitCaughtUp(mirror);
                    switchOver(mirror);
                    int then = acknowledged.values().stream()
                            .mapToInt(Integer::intValue)
                            .sum();
                    await("writes go on")
                            .until(() -> acknowledged.values().stream()
                                            .mapToInt(Integer::intValue)
                                            .sum()
                                    > then + 500);
                    stop.set(true);
                    return;
                }
                for (int i = 1; !stop.get(); i++) {
                    String key = "w" + number + "/" + i % 50;
                    Samples.write(mirror, Samples.put(key, "" + i));
                    acknowledged.put(key, i);
                    assertThat(Samples.valueOf(mirror.get(Samples.bytes(key)))).isEqualTo("" + i);
                }
            });
            Samples.write(mirror, Samples.put("after", "v"));
        }
        try (Engine target = MirrorFixture.lsm(targetFolder);
                Engine old = MirrorFixture.lsm(sourceFolder)) {
            acknowledged.forEach(
                    (key, value) -> assertThat(Samples.get(target, key)).as(key).isEqualTo("" + value));
            assertThat(Samples.get(target, "before1999")).isEqualTo("v");
            assertThat(Samples.get(target, "after")).isEqualTo("v");
            assertThat(Samples.get(old, "after")).isNull();
            assertThat(acknowledged)
                    .anySatisfy((key, value) -> assertThat(Samples.get(old, key))
                            .as("written after the switch")
                            .isNotEqualTo("" + value));
        }
    }

    /// Under load a write may have missed the deadline just then.
    private static void switchOver(LocalMirror mirror) {
        await().atMost(Duration.ofSeconds(20)).ignoreExceptions().until(() -> {
            mirror.switchOver(Duration.ofSeconds(5));
            return true;
        });
    }
}
