package kvant.lab.study.verdict;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import kvant.lab.study.folder.Profile;
import kvant.lab.study.words.Phrase;

/// What frames of a profile are about, in words. Where none of these says it, the frame itself is
/// named.
enum Concept {
    EXECUTOR_QUEUE(
            "BlockingQueue|BlockingDeque|WaitingCalls|PoolExecutor.await|ThreadPoolExecutor.getTask|Mpmc\\w*Queue"),
    PARKING("LockSupport|Unsafe.(?:un)?park|Parker::|futex|pthread_cond_"),
    LOCKS("AbstractQueuedSynchronizer|ReentrantLock|ObjectMonitor|ObjectSynchronizer|pthread_mutex_"),
    VIRTUAL_THREADS("VirtualThread|jdk/internal/vm/Continuation|ForkJoinPool"),
    COLLECTOR("G1\\w+::|GCTaskThread|GangWorker|WorkerThread::|ParallelScavenge|ZCollect"),
    COMPILER("C2Compiler|CompileBroker|Compile::Compile|PhaseIdealLoop"),
    FLUSH("kvant/lsm/flush|FlushJob|Background.flush|ForegroundFlush"),
    COMPACTION("kvant/lsm/compaction|Compactor|CompactionJob"),
    COMMIT("GroupCommit|CommitLog|CommitQueue|kvant/lsm/wal"),
    ENGINE_READ("Store.get|Store.tryGet|SuperVersion|kvant/lsm/table|kvant/lsm/memtable|org/rocksdb"),
    NETWORK_WRITE("__send|tcp_sendmsg|writev|sys_write|ResponseWriter"),
    NETWORK_READ("__recv|tcp_recvmsg|sys_read|RequestReader"),
    NETWORK_WAIT("epoll_|ep_poll|hrtimeout");

    /// Shares that differ by less are not worth a word.
    private static final double LEAST = 0.01;

    private static final double SIGMAS = 3;

    /// Frames that stand below everything and so say nothing.
    private static final Pattern ROOTS = Pattern.compile(
            "(?i)^(all|\\[unknown.*|start_thread|clone3?|thread_native_entry|entry_SYSCALL.*|do_syscall.*|x64_sys_call"
                    + "|.*JavaThread::.*|.*JavaCalls::.*|java/lang/(Virtual)?Thread\\.run.*|.*Thread::call_run"
                    + "|.*\\$\\$Lambda.*|.*ThreadPoolExecutor\\$?\\w*\\.run\\w*|.*SingleThreadIoEventLoop.*"
                    + "|.*/PoolExecutor\\.(?:work|serve|run)|.*SingleThreadEventExecutor.*"
                    + "|.*FastThreadLocalRunnable.*)$");

    private final Pattern frames;

    Concept(String frames) {
        this.frames = Pattern.compile(frames);
    }

    /// A difference worth a sentence.
    record Standout(Profile.Change change, Phrase name) {}

    /// The largest difference that is more than chance.
    ///
    /// @param samples of the smaller profile, 0 where unknown
    static Optional<Standout> foremost(Profile.Difference difference, long samples) {
        List<Profile.Change> worthy = difference.changes().stream()
                .filter(change -> !ROOTS.matcher(change.frame()).matches())
                .filter(change -> Math.abs(change.delta()) >= LEAST && !isChance(change, samples))
                .sorted(Comparator.comparingDouble((Profile.Change change) -> -Math.abs(change.delta())))
                .toList();
        return known(worthy, concept -> concept != COMPILER)
                .or(() -> known(worthy, _ -> true))
                .or(() -> worthy.stream()
                        .findFirst()
                        .map(change ->
                                new Standout(change, Phrase.of("concept.frame").with("frame", change.frame()))));
    }

    /// The first that there is a word for. How much a JVM compiles tells how warm it was, and only
    /// then something of what it runs.
    private static Optional<Standout> known(List<Profile.Change> worthy, Predicate<Concept> wanted) {
        for (Profile.Change change : worthy) {
            Optional<Concept> concept = Arrays.stream(values())
                    .filter(one -> one.frames.matcher(change.frame()).find())
                    .findFirst()
                    .filter(wanted);
            if (concept.isPresent()) {
                return concept.map(one -> new Standout(change, one.phrase()));
            }
        }
        return Optional.empty();
    }

    Phrase phrase() {
        return Phrase.of("concept." + name());
    }

    /// Samples are drawn: with few of them, shares differ by accident.
    private static boolean isChance(Profile.Change change, long samples) {
        if (samples <= 0) {
            return false;
        }
        double joint = (change.a() + change.b()) / 2;
        return Math.abs(change.delta()) <= SIGMAS * Math.sqrt(joint * (1 - joint) * 2 / samples);
    }
}
