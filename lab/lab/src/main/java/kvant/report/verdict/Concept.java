package kvant.report.verdict;

import java.util.regex.Pattern;

/// Subjects of frames in a profile. Frames of the JDK, the JVM, the kernel and libraries are listed here; those of a
/// server are in a catalogue next to its code, see [Frames].
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

    /// A pattern for its frames, including those of a catalogue.
    Pattern frames(String catalogued) {
        String both = frames.isEmpty() || catalogued.isEmpty() ? frames + catalogued : frames + "|" + catalogued;
        return Pattern.compile(both.isEmpty() ? "(?!)" : both);
    }
}
