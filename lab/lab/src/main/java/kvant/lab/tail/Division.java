package kvant.lab.tail;

import kvant.lab.tail.NodeRecording.ServedRequest;
import kvant.load.record.SlowRequest;
import org.jspecify.annotations.Nullable;

/// Divides the time of one request, from its due time, into parts that add up to it. Pure arithmetic.
///
///     due ---- free ---- sent ---- read - queued - started - done - settled - written ---- ready ---- received
///      behind   generator    kernel  read    queue    engine   deliver   write      kernel    generator
///
/// `behind` is divided by the activities of earlier requests on the connection. Within the node, JVM pauses take
/// precedence over all stages, and stalls, syncs and log changes over other waits of a write.
final class Division {

    private final NodeRecording node;
    private final long[] parts = new long[Part.ALL.length];

    private Division(NodeRecording node) {
        this.node = node;
    }

    /// @return nanoseconds, indexed by [Part]; their sum is the response time
    static long[] of(SlowRequest slow, NodeRecording node) {
        Division division = new Division(node);
        long free = Math.clamp(slow.freeNanos(), slow.dueNanos(), slow.receivedNanos());
        long sent = Math.clamp(slow.sentNanos(), free, slow.receivedNanos());
        long ready = Math.clamp(slow.readyNanos(), sent, slow.receivedNanos());
        division.behind(slow.port(), slow.dueNanos(), free);
        division.add(Part.GENERATOR, sent - free);
        ServedRequest served = node.match(slow);
        if (served == null) {
            division.addBesidePauses(Part.UNKNOWN, sent, ready);
        } else {
            division.stages(served, Part.KERNEL, sent, ready);
        }
        division.add(Part.GENERATOR, slow.receivedNanos() - ready);
        return division.parts;
    }

    /// Divides the time in which the connection was busy with earlier requests, by their stages.
    private void behind(int port, long due, long free) {
        Part between = node.allRequests() ? Part.KERNEL : Part.UNKNOWN;
        long at = due;
        @Nullable ServedRequest last = null;
        for (ServedRequest each : node.of(port)) {
            if (each.writtenNanos() <= at || each.readNanos() >= free) {
                continue;
            }
            if (last != null) {
                at = stages(last, between, at, Math.min(free, each.readNanos()));
            }
            last = each;
        }
        if (last == null) {
            addBesidePauses(Part.UNKNOWN, at, free);
        } else {
            stages(last, between, at, free);
        }
    }

    /// Divides a period by the stages of a request. Time before and after it counts as transmission.
    ///
    /// @return its end
    private long stages(ServedRequest served, Part onTheWay, long from, long to) {
        long at = from;
        at = pass(onTheWay, at, served.readNanos(), to);
        at = pass(Part.READ, at, served.queuedNanos(), to);
        at = pass(served.threadFree() ? Part.EXECUTOR : Part.QUEUE, at, served.startedNanos(), to);
        at = pass(served.part(), at, served.doneNanos(), to);
        at = pass(Part.DELIVER, at, served.settledNanos(), to);
        at = pass(Part.WRITE, at, served.writtenNanos(), to);
        add(onTheWay, Math.max(0, to - at)); // the kernel has the answer: what stops the node does not stop that
        return Math.max(at, to);
    }

    /// @return the start of the next part, between the start of this one and the bound
    private long pass(Part part, long at, long end, long bound) {
        long until = Math.max(at, Math.min(end, bound));
        if (part == Part.GROUP_COMMIT) {
            long stall = node.waits().stall().overlap(at, until);
            long sync = node.waits().sync().overlap(at, until);
            long logChange = node.waits().logChange().overlap(at, until);
            add(Part.STALL, stall);
            add(Part.SYNC, sync);
            add(Part.LOG_CHANGE, logChange);
            add(part, -stall - sync - logChange);
        }
        addBesidePauses(part, at, until);
        return until;
    }

    private void addBesidePauses(Part part, long from, long to) {
        long gc = node.waits().gc().overlap(from, to);
        long safepoint = node.waits().safepoint().overlap(from, to);
        add(Part.GC, gc);
        add(Part.SAFEPOINT, safepoint);
        add(part, Math.max(0, to - from) - gc - safepoint);
    }

    private void add(Part part, long nanos) {
        parts[part.ordinal()] += nanos;
    }

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
        /// The time of that wait in which the commit thread closed a log and started the next, without log
        /// syncs.
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
}
