package kvant.lab.tail;

/// The parts of a request's time, as explained in docs/tail.md.
enum Part {
    /// The generator sent late, or read late.
    GENERATOR("generator"),
    /// In transmission: in a kernel queue, because the other side had not read yet, or had no core.
    KERNEL("kernel"),
    /// From reading by the event loop until the handover to the executor.
    READ("read"),
    /// Waiting for a thread behind other requests.
    QUEUE("queue"),
    /// Handover to a free thread, and work of the executor outside the engine.
    EXECUTOR("executor"),
    /// Lookup in the engine.
    ENGINE_READ("engineRead"),
    /// Waiting for its commit group, except for the parts listed below.
    GROUP_COMMIT("groupCommit"),
    /// The time of that wait in which the commit thread waited for the disk.
    SYNC("sync"),
    /// The time of that wait in which the commit thread closed a log and started the next, without log syncs.
    LOG_CHANGE("logChange"),
    /// The time of that wait in which flush or compaction held writes back.
    STALL("stall"),
    /// From completion until its event loop took it back.
    DELIVER("deliver"),
    /// Writing of its answer, until the kernel accepted it.
    WRITE("write"),
    /// A garbage collection had stopped the node.
    GC("gc"),
    /// The node was stopped for another reason, or was waiting for its threads to stop.
    SAFEPOINT("safepoint"),
    /// Not attributed.
    UNKNOWN("unknown");

    static final Part[] ALL = values();

    /// The name in the file.
    final String key;

    Part(String key) {
        this.key = key;
    }
}
