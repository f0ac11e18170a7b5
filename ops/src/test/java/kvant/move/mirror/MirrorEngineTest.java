package kvant.move.mirror;

import static kvant.engine.Samples.bytes;
import static kvant.engine.Samples.delete;
import static kvant.engine.Samples.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import kvant.engine.EngineException;
import kvant.engine.LocalEngine;
import kvant.engine.Mutation;
import kvant.engine.RecordingSink;
import kvant.engine.RemoteEngine;
import kvant.engine.Samples;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The behaviour of a mirror, against a target that the test controls.
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MirrorEngineTest {

    private static final Duration LIMIT = Duration.ofSeconds(10);

    @TempDir
    Path folder;

    private final UnreliableEngine target = new UnreliableEngine(1);
    private LocalEngine source = target;
    private LocalMirror mirror = MirrorFixture.mirror(target, target, MirrorFixture.QUICK); // until there is another

    @BeforeEach
    void open() {
        mirror.close();
        source = MirrorFixture.lsm(folder.resolve("source"));
    }

    @AfterEach
    void close() {
        mirror.close();
        source.close();
    }

    private void start() {
        start(MirrorFixture.QUICK);
    }

    private void start(MirrorOptions options) {
        mirror = MirrorFixture.mirror(source, target, options);
    }

    private RecordingSink submit(String key, String value) {
        RecordingSink sink = new RecordingSink();
        mirror.submit(new Write(WriteBatch.of(put(key, value)), sink));
        return sink;
    }

    private void assertSame() {
        assertThat(MirrorFixture.differences(source, target)).isEmpty();
    }

    @Test
    void aWriteIsAcknowledgedOnceBothHaveIt() {
        start(MirrorFixture.QUICK.withDeadline(Duration.ofMinutes(1)));
        MirrorFixture.awaitCaughtUp(mirror);
        target.holding = true;
        RecordingSink sink = submit("a", "1");
        await().until(() -> target.held() == 1);
        assertThat(Samples.get(source, "a")).isEqualTo("1");
        assertThat(sink.completed()).isEmpty();

        target.release();
        sink.awaitCompleted(1);

        assertThat(target.value("a")).isEqualTo("1");
        assertThat(mirror.status().repairKeys()).isZero();
    }

    @Test
    void theSecondWriteOfAKeyWaitsForTheFirstInBoth() {
        start(MirrorFixture.QUICK.withDeadline(Duration.ofMinutes(1)));
        MirrorFixture.awaitCaughtUp(mirror);
        target.holding = true;
        RecordingSink first = submit("a", "1");
        RecordingSink second = submit("a", "2");
        RecordingSink other = submit("z", "1"); // the source would have applied the second one before it
        await().until(() -> "1".equals(target.heldValue("z")));
        assertThat(target.held())
                .as("held: the first one, and that of the other key")
                .isEqualTo(2);
        assertThat(Samples.get(source, "a")).isEqualTo("1");

        target.release();
        first.awaitCompleted(1);
        second.awaitCompleted(1);
        other.awaitCompleted(1);

        assertThat(target.value("a")).isEqualTo("2");
    }

    @Test
    void aSourceThatBreaksOffLeavesNoClientWithoutAnAnswer() {
        UnreliableEngine broken = new UnreliableEngine(2);
        source.close();
        source = broken;
        start();
        MirrorFixture.awaitCaughtUp(mirror);
        broken.breakage = new StackOverflowError("on purpose");
        RecordingSink first = submit("a", "1");
        first.awaitCompleted(1);
        assertThat(first.completed().getFirst().failure()).isInstanceOf(EngineException.OutcomeUnknown.class);

        broken.breakage = null;
        RecordingSink second = submit("a", "2"); // behind it in the order of the key
        second.awaitCompleted(1);
        assertThat(second.completed().getFirst().outcome()).isEqualTo(Write.Outcome.APPLIED);
    }

    @Test
    void aTargetThatHangsDelaysNobodyBeyondTheDeadline() {
        start();
        MirrorFixture.awaitCaughtUp(mirror);
        target.holding = true;
        submit("a", "1").awaitCompleted(1);
        int asked = target.submitted();
        for (int i = 0; i < 50; i++) { // none of them waits: the circuit is open
            submit("b" + i, "1").awaitCompleted(1);
        }
        assertThat(target.submitted() - asked)
                .as("writes sent to a target that hangs")
                .isLessThan(25);
        assertThat(mirror.status().state()).isEqualTo(MirrorStatus.State.REPAIRING);
        assertThat(mirror.status().text()).contains("keys wait for the target", "no answer within 100 ms");

        target.release();
        MirrorFixture.awaitCaughtUp(mirror);
        assertSame();
    }

    @Test
    void aKeyIsNotRepairedWhileAWriteOfItMayStillTakeEffect() {
        start();
        MirrorFixture.awaitCaughtUp(mirror);
        target.holding = true;
        submit("a", "old").awaitCompleted(1);
        target.holding = false; // later ones go through, the first is held
        submit("a", "new").awaitCompleted(1);
        submit("b", "1").awaitCompleted(1);
        await("others are repaired").until(() -> "1".equals(target.value("b")));
        assertThat(target.value("a")).isNull();
        assertThat(mirror.status().state()).isEqualTo(MirrorStatus.State.REPAIRING);

        target.release();
        MirrorFixture.awaitCaughtUp(mirror);

        assertThat(target.value("a")).isEqualTo("new");
    }

    @Test
    void copyingDoesNotOverwriteWhatWasWrittenMeanwhile() {
        Samples.write(source, put("a", "old"), put("b", "old"), put("gone", "old"));
        target.put(bytes("new"), bytes("stray"));
        CompletableFuture<LocalMirror> started = new CompletableFuture<>();
        target.afterScan = () -> { // what was read is compared, and not yet written
            LocalMirror client = started.join();
            Samples.write(client, put("a", "new"));
            Samples.write(client, delete("gone"));
            Samples.write(client, put("new", "new"));
        };
        start();
        started.complete(mirror);
        MirrorFixture.awaitCaughtUp(mirror);

        assertSame();
    }

    @Test
    void aTargetThatIsDownFromTheStartIsFilledWhenItComes() {
        Samples.write(source, put("a", "1"));
        target.down = true;
        AtomicInteger tries = new AtomicInteger();
        mirror = LocalMirror.over(
                source,
                () -> {
                    if (tries.incrementAndGet() < 3) {
                        throw new EngineException.CannotOpen("not there on purpose");
                    }
                    return target;
                },
                MirrorFixture.marks(true),
                MirrorFixture.QUICK);
        Samples.write(mirror, put("b", "2"));
        await().until(() -> tries.get() == 3);
        await().until(() -> mirror.status().text().contains("down on purpose"));
        Samples.write(mirror, put("c", "3"));

        target.down = false;
        MirrorFixture.awaitCaughtUp(mirror);

        assertSame();
        assertThat(target.contents()).hasSize(3);
    }

    @Test
    void aTargetThatDiesIsBroughtUpToDateWhenItReturns() {
        start();
        Samples.write(mirror, put("a", "1"), put("b", "1"));
        MirrorFixture.awaitCaughtUp(mirror);
        target.down = true;
        Samples.write(mirror, put("a", "2"));
        Samples.write(mirror, delete("b"));
        MirrorFixture.awaitState(mirror, MirrorStatus.State.REPAIRING);
        assertThatThrownBy(() -> mirror.switchOver(LIMIT))
                .isInstanceOf(EngineException.Unavailable.class)
                .hasMessageContaining("not caught up");

        target.down = false;
        MirrorFixture.awaitCaughtUp(mirror);

        assertSame();
    }

    @Test
    void moreToRepairThanMayBeHasCopyingStartAgain() {
        start(MirrorFixture.repairing(1_000));
        MirrorFixture.awaitCaughtUp(mirror);
        target.down = true;
        for (int i = 0; i < 100; i++) {
            Samples.write(mirror, put("k" + i, "v"));
        }
        await().until(() -> mirror.status().state() == MirrorStatus.State.BEHIND);
        assertThat(mirror.status().repairKeys()).isZero();

        target.down = false;
        MirrorFixture.awaitCaughtUp(mirror);

        assertSame();
    }

    @Test
    void whatTheTargetDoesNotTakeKeepsTheMirrorFromCatchingUpAndNothingElse() {
        start();
        MirrorFixture.awaitCaughtUp(mirror);
        target.refusal = new EngineException.Unsupported("too large on purpose");
        submit("large", "x").awaitCompleted(1);
        target.refusal = null;
        submit("b", "1").awaitCompleted(1);

        assertThat(target.value("b"))
                .as("sent at once: the circuit stays closed")
                .isEqualTo("1");
        assertThat(mirror.status().reason()).contains("too large on purpose");
    }

    @Test
    void aTargetWithRecordsOfItsOwnIsLeftAlone() {
        target.put(bytes("theirs"), bytes("1"));
        mirror = LocalMirror.over(source, () -> target, MirrorFixture.marks(false), MirrorFixture.QUICK);
        MirrorFixture.awaitState(mirror, MirrorStatus.State.BLOCKED);
        Samples.write(mirror, put("a", "1"));

        assertThat(mirror.status().text()).contains("--mirror-over");
        assertThat(target.contents()).hasSize(1);
        assertThatThrownBy(() -> mirror.switchOver(LIMIT)).hasMessageContaining("not caught up");
    }

    @Test
    void aRestartFindsWhatACrashLeftOut() {
        MirrorMarks marks = new MirrorMarks(folder.resolve("source"), "s", null, "t", false);
        mirror = LocalMirror.over(source, () -> target, marks, MirrorFixture.QUICK);
        Samples.write(mirror, put("a", "1"), put("b", "1"));
        MirrorFixture.awaitCaughtUp(mirror);
        target.down = true; // as for a node that dies between the two
        Samples.write(mirror, put("a", "2"));
        Samples.write(mirror, delete("b"));
        mirror.close();
        target.down = false;

        source = MirrorFixture.lsm(folder.resolve("source"));
        int before = target.submitted();
        mirror = LocalMirror.over(source, () -> target, marks, MirrorFixture.QUICK);
        MirrorFixture.awaitCaughtUp(mirror);

        assertSame();
        assertThat(target.submitted() - before)
                .as("equal records are not written again")
                .isEqualTo(2);
    }

    @Test
    void aSwitchOverWaitsForTheWritesUnderWayAndGivesUpInTime() {
        start(MirrorFixture.QUICK.withDeadline(Duration.ofMinutes(1)));
        MirrorFixture.awaitCaughtUp(mirror);
        target.holding = true;
        RecordingSink under = submit("a", "1");
        assertThatThrownBy(() -> mirror.switchOver(Duration.ofMillis(50))).hasMessageContaining("under way");
        RecordingSink after = submit("b", "1"); // goes the old way again
        target.release();
        under.awaitCompleted(1);
        after.awaitCompleted(1);
        assertThat(Samples.get(source, "b")).isEqualTo("1");
        MirrorFixture.awaitCaughtUp(mirror);

        mirror.switchOver(LIMIT);
        submit("c", "1").awaitCompleted(1);

        assertThat(mirror.status().state()).isEqualTo(MirrorStatus.State.SWITCHED);
        assertThat(Samples.get(source, "c")).isNull();
        assertThat(Samples.valueOf(mirror.get(bytes("c")))).isEqualTo("1");
    }

    /// Calls for the switch, and returns once it waits for the writes under way.
    private CompletableFuture<Void> switchOverThatWaits() {
        CompletableFuture<Void> outcome = new CompletableFuture<>();
        Thread operator = Thread.ofPlatform().start(() -> {
            try {
                mirror.switchOver(LIMIT);
                outcome.complete(null);
            } catch (EngineException e) {
                outcome.completeExceptionally(e);
            }
        });
        await().until(() -> operator.getState() == Thread.State.TIMED_WAITING);
        return outcome;
    }

    @Test
    void newWritesWaitForASwitchOverAndAreTheTargets() throws Exception {
        start(MirrorFixture.QUICK.withDeadline(Duration.ofMinutes(1)));
        MirrorFixture.awaitCaughtUp(mirror);
        target.holding = true;
        RecordingSink under = submit("a", "1");
        CompletableFuture<Void> switching = switchOverThatWaits();
        RecordingSink parked = submit("b", "1");
        target.release();
        under.awaitCompleted(1);
        switching.get(10, TimeUnit.SECONDS);
        parked.awaitCompleted(1);

        assertThat(target.value("a")).isEqualTo("1");
        assertThat(target.value("b")).isEqualTo("1");
        assertThat(Samples.get(source, "b")).isNull();
    }

    @Test
    void aLastWriteThatTheTargetFailedCallsTheSwitchOverOff() {
        start(MirrorFixture.QUICK.withDeadline(Duration.ofMinutes(1)));
        MirrorFixture.awaitCaughtUp(mirror);
        target.holding = true;
        target.down = true;
        RecordingSink under = submit("a", "1");
        CompletableFuture<Void> switching = switchOverThatWaits();
        target.release();
        under.awaitCompleted(1);

        assertThatThrownBy(() -> switching.get(10, TimeUnit.SECONDS)).hasMessageContaining("not caught up");
        assertThat(Samples.valueOf(mirror.get(bytes("a")))).isEqualTo("1");
    }

    @Test
    void anotherExpiryIsADifference() {
        Samples.write(source, new Mutation.Put(bytes("a"), bytes("1"), 4_000_000_000_000L));
        target.put(bytes("a"), bytes("1"));
        start();
        MirrorFixture.awaitCaughtUp(mirror);

        assertSame();
    }

    @Test
    void aReadOfEitherIsAnsweredLater() throws Exception {
        Samples.write(source, put("a", "1"));
        RemoteEngine offloaded = new OffloadedEngine(target);
        try (RemoteMirror remote = RemoteMirror.over(
                new OffloadedEngine(source), () -> offloaded, MirrorFixture.marks(true), MirrorFixture.QUICK)) {
            MirrorFixture.awaitCaughtUp(remote);
            assertThat(Samples.get(remote, "a")).isEqualTo("1");
            remote.switchOver(LIMIT);

            assertThat(Samples.get(remote, "a"))
                    .as("by a thread: the target would block")
                    .isEqualTo("1");
            assertThat(Samples.get(remote, "b")).isNull();
        }
    }
}
