package kvant.lab.study.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import kvant.lab.study.folder.Profile.Change;
import kvant.lab.study.folder.Profile.Difference;
import kvant.lab.study.words.Language;
import kvant.lab.study.words.Words;
import org.junit.jupiter.api.Test;

/// Which of many frames a sentence names.
class ConceptTest {

    private static String named(long samples, Change... changes) {
        return Concept.foremost(new Difference("a", "b", "put", "cpu", "", List.of(changes)), samples)
                .map(standout -> new Words(Language.EN).say(standout.name()))
                .orElse("nothing");
    }

    @Test
    void theLargestThatSaysSomethingIsNamed() {
        assertThat(named(
                        100_000,
                        new Change("java/lang/Thread.run", 0.1, 0.9),
                        new Change("org/example/Own.work", 0.1, 0.5),
                        new Change("java/util/concurrent/locks/ReentrantLock.lock", 0.02, 0.3),
                        new Change("kvant/server/service/WaitingCalls.take", 0.01, 0.2)))
                .isEqualTo("locks");
    }

    /// What workers do for requests is not what their queue costs.
    @Test
    void theWorkOfWorkersIsNotTheirQueue() {
        assertThat(named(
                        100_000,
                        new Change("kvant/server/service/PoolExecutor.work", 0, 0.35),
                        new Change("kvant/server/service/PoolExecutor.runOverflow", 0, 0.3),
                        new Change("kvant/lsm/Store.get", 0.1, 0.2)))
                .isEqualTo("reads in the engine");
    }

    /// A cold JVM compiles more, whatever it runs.
    @Test
    void theCompilerIsNamedOnlyWhereNothingElseIs() {
        Change compiler = new Change("CompileBroker::compiler_thread_loop", 0.07, 0.34);

        assertThat(named(100_000, compiler, new Change("kvant/server/service/WaitingCalls.take", 0, 0.03)))
                .isEqualTo("the executor's queue");
        assertThat(named(100_000, compiler, new Change("org/example/Own.work", 0.1, 0.15)))
                .isEqualTo("the JIT compiler");
    }

    @Test
    void aFrameThatNobodyHasAWordForIsNamedItself() {
        assertThat(named(100_000, new Change("org/example/Own.work", 0.5, 0.1))).isEqualTo("in org/example/Own.work");
    }

    @Test
    void framesBelowEverythingSayNothing() {
        assertThat(named(
                        100_000,
                        new Change("java/lang/Thread.run", 0.1, 0.9),
                        new Change("start_thread", 0.1, 0.9),
                        new Change("[unknown_Java]", 0.1, 0.9)))
                .isEqualTo("nothing");
    }

    @Test
    void whatFewSamplesShowIsChance() {
        Change change = new Change("java/util/concurrent/LinkedBlockingQueue.take", 0.05, 0.09);

        assertThat(named(200, change)).isEqualTo("nothing");
        assertThat(named(20_000, change)).isEqualTo("the executor's queue");
        assertThat(named(20_000, new Change(change.frame(), 0.05, 0.058))).isEqualTo("nothing");
    }
}
