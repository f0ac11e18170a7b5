package kvant.move.mirror;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import kvant.engine.Cursor;
import kvant.engine.Durability;
import kvant.engine.Engine;
import kvant.engine.LocalEngine;
import kvant.engine.Samples;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;

/// Helpers for tests of mirrors.
final class MirrorFixture {

    static final MirrorOptions QUICK = repairing(MirrorOptions.DEFAULT.maxRepairBytes());

    private MirrorFixture() {}

    /// Quick ones with another bound on the memory for keys to repair.
    static MirrorOptions repairing(long maxRepairBytes) {
        return new MirrorOptions(
                0,
                Duration.ofMillis(100),
                Duration.ofMillis(10),
                maxRepairBytes,
                MirrorOptions.DEFAULT.maxPendingBytes());
    }

    static LocalEngine lsm(Path directory) {
        return LsmEngine.open(directory, LsmOptions.defaults().withDurability(Durability.NONE));
    }

    /// Nothing is written down.
    static MirrorMarks marks(boolean overwrites) {
        return new MirrorMarks(null, "here", null, "there", overwrites);
    }

    static LocalMirror mirror(LocalEngine source, LocalEngine target, MirrorOptions options) {
        return LocalMirror.over(source, () -> target, marks(true), options);
    }

    static void awaitState(MirrorEngine<?> mirror, MirrorStatus.State state) {
        await().atMost(Duration.ofNanos(Samples.timeoutNanos()))
                .pollInterval(Duration.ofMillis(5))
                .untilAsserted(() -> assertThat(mirror.status().state())
                        .as(() -> mirror.status().text())
                        .isEqualTo(state));
    }

    static void awaitCaughtUp(MirrorEngine<?> mirror) {
        awaitState(mirror, MirrorStatus.State.CAUGHT_UP);
    }

    /// Some of the keys in which they differ.
    static List<String> differences(Engine source, UnreliableEngine target) {
        NavigableMap<String, UnreliableEngine.Stored> wanted = contents(source);
        NavigableMap<String, UnreliableEngine.Stored> there = target.contents();
        TreeSet<String> keys = new TreeSet<>(wanted.keySet());
        keys.addAll(there.keySet());
        return keys.stream()
                .filter(key -> !Objects.equals(wanted.get(key), there.get(key)))
                .map(key -> key + ": " + wanted.get(key) + ", but " + there.get(key))
                .limit(5)
                .toList();
    }

    static NavigableMap<String, UnreliableEngine.Stored> contents(Engine engine) {
        NavigableMap<String, UnreliableEngine.Stored> shown = new TreeMap<>();
        try (Cursor cursor = engine.scan(new byte[0], null)) {
            while (cursor.next()) {
                shown.put(
                        Arrays.toString(cursor.key()),
                        UnreliableEngine.Stored.of(cursor.value(), cursor.expiresAtMillis()));
            }
        }
        return shown;
    }
}
