package kvant.report.verdict;

import java.util.regex.Pattern;

/// What frames of a profile can be about. The frames of the JDK, the JVM, the kernel and libraries are named here;
/// those of a server are named in a catalogue beside its code, see [Frames].
public enum Concept {
    EXECUTOR_QUEUE("BlockingQueue|BlockingDeque|ThreadPoolExecutor.getTask|Mpmc\\w*Queue"),
    PARKING("LockSupport|Unsafe.(?:un)?park|Parker::|futex|pthread_cond_"),
    LOCKS("AbstractQueuedSynchronizer|ReentrantLock|ObjectMonitor|ObjectSynchronizer|pthread_mutex_"),
    VIRTUAL_THREADS("VirtualThread|jdk/internal/vm/Continuation|ForkJoinPool"),
    COLLECTOR("G1\\w+::|GCTaskThread|GangWorker|WorkerThread::|ParallelScavenge|ZCollect"),
    COMPILER("C2Compiler|CompileBroker|Compile::Compile|PhaseIdealLoop"),
    FLUSH(""),
    COMPACTION(""),
    COMMIT(""),
    ENGINE_READ(""),
    NETWORK_WRITE("__send|tcp_sendmsg|writev|sys_write"),
    NETWORK_READ("__recv|tcp_recvmsg|sys_read"),
    NETWORK_WAIT("epoll_|ep_poll|hrtimeout");

    private final String frames;

    Concept(String frames) {
        this.frames = frames;
    }

    /// Frames that are about it, with those that a catalogue has.
    Pattern frames(String catalogued) {
        String both = frames.isEmpty() || catalogued.isEmpty() ? frames + catalogued : frames + "|" + catalogued;
        return Pattern.compile(both.isEmpty() ? "(?!)" : both);
    }
}
