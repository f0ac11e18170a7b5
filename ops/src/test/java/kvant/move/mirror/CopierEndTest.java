package kvant.move.mirror;

import static kvant.engine.Samples.bytes;
import static kvant.engine.Samples.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import kvant.engine.EngineException;
import kvant.engine.LocalEngine;
import kvant.engine.Samples;
import kvant.engine.kit.KeyedSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// With the switch-over the copier ends. One that went on could fall behind, by an error of its own, and then make the
/// target equal to a source that has got nothing since.
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CopierEndTest {

    private static final Duration LIMIT = Duration.ofSeconds(10);

    /// Many times as long as the copier rests between two looks.

    @TempDir
    Path folder;

    private final UnreliableEngine target = new UnreliableEngine(3);
    private final MirrorBacklog backlog = new MirrorBacklog(MirrorFixture.QUICK);
    private LocalEngine source = target;
    private Copier<LocalEngine> copier = copier(() -> target);

    @BeforeEach
    void open() {
        source = MirrorFixture.lsm(folder.resolve("source"));
        Samples.write(source, put("a", "1"));
        copier = copier(() -> target);
    }

    @AfterEach
    void close() {
        copier.end();
        source.close();
    }

    private Copier<LocalEngine> copier(Supplier<LocalEngine> opener) {
        TargetWrites writes = new TargetWrites(backlog, MirrorFixture.QUICK);
        return new Copier<>(
                source, opener, MirrorFixture.marks(true), new KeyedSerializer(), backlog, writes, MirrorFixture.QUICK);
    }

    private void awaitCaughtUp() {
        await().until(() -> copier.status(false).state() == MirrorStatus.State.CAUGHT_UP);
    }

    @Test
    void nothingTakesBackWhatWasWrittenSinceTheSwitchOver() {
        Set<Thread> before = copiers();
        copier.start();
        awaitCaughtUp();
        Set<Thread> own = copiers();
        own.removeAll(before);
        assertThat(own).hasSize(1);
        copier.endWith(LIMIT, () -> target.put(bytes("a"), bytes("2")));

        backlog.fallBehind("an error of the copier, on purpose");
        await().until(() -> own.stream().noneMatch(Thread::isAlive));

        assertThat(target.value("a")).isEqualTo("2");
    }

    @Test
    void aSwitchOverThatFailsHasTheCopierGoOn() {
        copier.start();
        awaitCaughtUp();
        assertThatThrownBy(() -> copier.endWith(LIMIT, () -> {
                    throw new EngineException.Unavailable("not switched, on purpose");
                }))
                .hasMessageContaining("on purpose");

        Samples.write(source, put("a", "2"));
        backlog.fallBehind("on purpose");
        await().until(() -> "2".equals(target.value("a")));
        awaitCaughtUp();
    }

    @Test
    void aCopierAtWorkIsWaitedForNoLongerThanTheLimit() {
        CountDownLatch opened = new CountDownLatch(1);
        CountDownLatch opening = new CountDownLatch(1);
        AtomicInteger switches = new AtomicInteger();
        copier = copier(() -> {
            opening.countDown();
            await().until(() -> opened.getCount() == 0);
            return target;
        });
        copier.start();
        await().until(() -> opening.getCount() == 0);

        assertThatThrownBy(() -> copier.endWith(Duration.ofMillis(20), switches::incrementAndGet))
                .isInstanceOf(EngineException.Unavailable.class)
                .hasMessageContaining("not switched");
        opened.countDown();
        awaitCaughtUp();
        copier.endWith(LIMIT, switches::incrementAndGet);

        assertThat(switches).hasValue(1);
    }

    @Test
    void theSwitchOverOfAMirrorEndsIt() {
        Set<Thread> before = copiers();
        LocalMirror mirror = MirrorFixture.mirror(source, target, MirrorFixture.QUICK);
        try (mirror) {
            Set<Thread> own = copiers();
            own.removeAll(before);
            assertThat(own).hasSize(1);
            MirrorFixture.awaitCaughtUp(mirror);

            mirror.switchOver(LIMIT);

            await().until(() -> own.stream().noneMatch(Thread::isAlive));
            assertThat(mirror.status().state()).isEqualTo(MirrorStatus.State.SWITCHED);
        }
    }

    private static Set<Thread> copiers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("kvant-mirror"))
                .collect(Collectors.toSet());
    }
}
