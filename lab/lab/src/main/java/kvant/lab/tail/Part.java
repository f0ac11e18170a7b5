package kvant.lab.tail;

/// What the time of a request is divided into. docs/tail.md says what falls into which.
enum Part {
    /// The generator: it sent late, or read late what had arrived.
    GENERATOR("generator"),
    /// On the way: in the kernels' queues, because the other side did not read yet, or had no core.
    KERNEL("kernel"),
    /// Read by the event loop, until it was handed to the executor.
    READ("read"),
    /// Waited for a thread while others were before it.
    QUEUE("queue"),
    /// Handed to a thread that was free; and work of the executor's that is none of the engine's.
    EXECUTOR("executor"),
    /// The engine looked something up.
    ENGINE_READ("engineRead"),
    /// Waited for its commit group, without what is told apart below.
    GROUP_COMMIT("groupCommit"),
    /// Of that, the time in which the commit thread waited for the disk.
    SYNC("sync"),
    /// Of that, the time in which the commit thread ended a log and began the next, without the syncs of the log.
    LOG_CHANGE("logChange"),
    /// Of that, the time in which flush or compaction held writes back.
    STALL("stall"),
    /// Done, until it was back on its event loop.
    DELIVER("deliver"),
    /// Its answer was written, until the kernel had it.
    WRITE("write"),
    /// A collection had stopped the node.
    GC("gc"),
    /// The node was stopped for something else, or on its way to a stop.
    SAFEPOINT("safepoint"),
    /// Nobody knows.
    UNKNOWN("unknown");

    static final Part[] ALL = values();

    /// Its name in the file.
    final String key;

    Part(String key) {
        this.key = key;
    }
}
