package kvant.report.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import kvant.lab.result.ProfileRecord.DifferenceRecord.Frame;
import kvant.report.folder.Profile.Difference;
import kvant.report.verdict.Frames.Concept;
import org.junit.jupiter.api.Test;

/// Which of many frames a sentence names.
class FramesTest {

    private static final Frames FRAMES = Frames.of(Map.of(
            "EXECUTOR_QUEUE", List.of("WorkQueue"),
            "ENGINE_READ", List.of("SuperVersion", "org/example/store/*"),
            "ROOTS", List.of("PoolExecutor#work", "PoolExecutor#runOverflow")));

    private static Frame frame(String name, double a, double b) {
        return new Frame(name, a, b, b - a);
    }

    private static String named(long samples, Frame... frames) {
        return FRAMES.foremost(new Difference("a", "b", "put", "cpu", "", List.of(frames)), samples)
                .map(one -> one.concept() == null
                        ? one.frame().frame()
                        : one.concept().name())
                .orElse("nothing");
    }

    @Test
    void theLargestThatSaysSomethingIsNamed() {
        assertThat(named(
                        100_000,
                        frame("java/lang/Thread.run", 0.1, 0.9),
                        frame("org/example/Own.work", 0.1, 0.5),
                        frame("java/util/concurrent/locks/ReentrantLock.lock", 0.02, 0.3),
                        frame("kvant/server/service/WorkQueue.take", 0.01, 0.2)))
                .isEqualTo("LOCKS");
    }

    /// The work of workers for requests is not a cost of their queue.
    @Test
    void theWorkOfWorkersIsNotTheirQueue() {
        assertThat(named(
                        100_000,
                        frame("kvant/server/service/PoolExecutor.work", 0, 0.35),
                        frame("kvant/server/service/PoolExecutor.runOverflow", 0, 0.3),
                        frame("kvant/lsm/read/SuperVersion.get", 0.1, 0.2)))
                .isEqualTo("ENGINE_READ");
    }

    /// A cold JVM compiles more, whatever it runs.
    @Test
    void theCompilerIsNamedOnlyWhereNothingElseIs() {
        Frame compiler = frame("CompileBroker::compiler_thread_loop", 0.07, 0.34);

        assertThat(named(100_000, compiler, frame("kvant/server/service/WorkQueue.take", 0, 0.03)))
                .isEqualTo("EXECUTOR_QUEUE");
        assertThat(named(100_000, compiler, frame("org/example/Own.work", 0.1, 0.15)))
                .isEqualTo("COMPILER");
    }

    @Test
    void aFrameThatNobodyHasAWordForIsNamedItself() {
        assertThat(named(100_000, frame("org/example/Own.work", 0.5, 0.1))).isEqualTo("org/example/Own.work");
    }

    @Test
    void framesBelowEverythingSayNothing() {
        assertThat(named(
                        100_000,
                        frame("java/lang/Thread.run", 0.1, 0.9),
                        frame("start_thread", 0.1, 0.9),
                        frame("[unknown_Java]", 0.1, 0.9)))
                .isEqualTo("nothing");
    }

    /// "5.2 % of the CPU is in [kvant-worker-2] (the other: 0 %)" says which worker came first.
    @Test
    void aThreadIsNoFinding() {
        assertThat(named(
                        100_000,
                        frame("[kvant-worker-2]", 0, 0.052),
                        frame("[kvant-worker-*]", 0, 0.4),
                        frame("org/example/Own.work", 0.01, 0.03)))
                .isEqualTo("org/example/Own.work");
        assertThat(named(100_000, frame("[kvant-worker-2]", 0, 0.052))).isEqualTo("nothing");
        assertThat(named(100_000, frame("[ForkJoinPool-*-worker-*]", 0, 0.4)))
                .as("although its name has a subject")
                .isEqualTo("nothing");
    }

    /// "12 % of the CPU is in PoolThreads.lambda$new$0" said no more than that there are workers.
    @Test
    void whatAllOfAThreadPassesThroughIsNoFindingUnlessItHasAWord() {
        Frame thread = frame("[worker-*]", 0, 0.12);
        Frame root = frame("org/example/Workers.lambda$new$0", 0, 0.12);

        assertThat(named(100_000, thread, root, frame("org/example/Own.work", 0.02, 0.1)))
                .isEqualTo("org/example/Own.work");
        assertThat(named(100_000, thread, root)).isEqualTo("nothing");
        assertThat(named(100_000, thread, frame("kvant/server/service/WorkQueue.take", 0, 0.12)))
                .isEqualTo("EXECUTOR_QUEUE");
    }

    @Test
    void whatFewSamplesShowIsChance() {
        Frame change = frame("java/util/concurrent/LinkedBlockingQueue.take", 0.05, 0.09);

        assertThat(named(200, change)).isEqualTo("nothing");
        assertThat(named(20_000, change)).isEqualTo("EXECUTOR_QUEUE");
        assertThat(named(20_000, frame(change.frame(), 0.05, 0.058))).isEqualTo("nothing");
    }

    @Test
    void aCatalogueNamesClassesMethodsAndPackagesAndNothingThatMerelyBeginsLikeThem() {
        assertThat(FRAMES.about("org/example/store/deep/Reader.next")).contains(Concept.ENGINE_READ);
        assertThat(FRAMES.about("kvant/a/SuperVersion$Cursor.next")).contains(Concept.ENGINE_READ);
        assertThat(FRAMES.about("kvant/a/SuperVersions.next")).isEmpty();
        assertThat(FRAMES.about("kvant/a/MySuperVersion.next")).isEmpty();
        assertThat(named(100_000, frame("kvant/a/PoolExecutor.workers", 0, 0.3)))
                .isEqualTo("kvant/a/PoolExecutor.workers");
        assertThat(named(100_000, frame("kvant/a/PoolExecutor.work", 0, 0.3))).isEqualTo("nothing");
    }

    /// The laboratory may run with any server.
    @Test
    void withoutACatalogueTheFramesOfTheJdkAreStillUnderstood() {
        Frames bare = Frames.of(Map.of());

        assertThat(bare.about("java/util/concurrent/locks/ReentrantLock.lock")).contains(Concept.LOCKS);
        assertThat(bare.about("kvant/lsm/read/SuperVersion.get")).isEmpty();
    }
}
