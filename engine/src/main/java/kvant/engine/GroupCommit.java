package kvant.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A thread that owns a log: it takes all waiting writes, commits them as one group, and completes them all.
///
///     submit ---\                                     /--- sink A: completed, completed, wake
///     submit ----> CommitQueue --> [commit thread] --+
///     submit ---/                   Log.commit(group) \--- sink B: completed, wake
///
/// While one group is being synced the next one gathers, so that the group grows with the load and all waiting writes
/// share the cost of a sync (DeWitt et al., "Implementation Techniques for Main Memory Database Systems", 1984). A
/// group that is small for the load waits for more writes ([GroupSize]). Every accepted write is settled and
/// delivered exactly once, even when the log fails.
public final class GroupCommit implements AutoCloseable {

    /// The log that groups are committed to. All methods are called by the commit thread, which is never
    /// interrupted.
    public interface Log {

        /// Makes a group durable and settles every write in it: [Write#applied], [Write#refused] or
        /// [Write#failed]. A write that is left pending, also by an exception, is failed for it.
        void commit(List<Write> group);

        /// The longest time the thread may sleep before [#idle] is due, in nanoseconds; 0 or less when it is due now.
        /// Called after every group.
        long idleDueNanos();

        /// Called when the thread wakes and finds no write, and after a group when it is due: at the latest
        /// one group after the time of [#idleDueNanos] has passed, but possibly earlier.
        void idle();

        /// The last call: everything that was accepted has been committed.
        void finish();
    }

    /// Bounds of the queue and of a group.
    ///
    /// @param maxPendingBytes most bytes that wait or are being committed; more is refused as busy
    /// @param maxGroupBytes a group is closed when it holds this much, so that its first write does not wait
    ///     long
    public record Options(long maxPendingBytes, long maxGroupBytes) {
        public static final Options DEFAULT = new Options(64 << 20, 4 << 20);
    }

    /// Sleep time when [Log#idleDueNanos] throws.
    private static final long IDLE_AFTER_FAULT_NANOS = 10_000_000;

    private static final Logger LOGGER = System.getLogger(GroupCommit.class.getName());

    // Constant.
    private final Log log;
    private final Options options;
    private final CommitQueue queue;
    private final Thread thread;

    // Owned by the commit thread.
    private final List<Write> group = new ArrayList<>();
    private final List<CompletionSink> sinksToWake = new ArrayList<>();
    private final GroupSize size = new GroupSize();

    // Atomic.
    private volatile boolean closing;

    /// Starts the thread.
    ///
    /// @param name of the thread
    public GroupCommit(String name, Options options, Log log) {
        this.log = log;
        this.options = options;
        this.queue = new CommitQueue(options.maxPendingBytes());
        this.thread = Thread.ofPlatform().name(name).unstarted(this::run);
        thread.start();
    }

    /// Puts a write into the next group, or completes it at once as failed when the queue is full or closed.
    public void submit(Write write) {
        switch (queue.offer(write)) {
            case ACCEPTED -> {}
            case FULL ->
                failAtOnce(
                        write,
                        new EngineException.Busy(
                                "more than " + options.maxPendingBytes() + " bytes of writes are waiting"));
            case CLOSED -> failAtOnce(write, new EngineException.Closed());
        }
    }

    /// Bytes that wait or are being committed.
    public long pendingBytes() {
        return queue.pendingBytes();
    }

    /// Writes that wait or are being committed.
    public long pendingWrites() {
        return queue.pendingWrites();
    }

    /// Commits the accepted writes, lets the log finish, and ends the thread. Later submissions fail as closed.
    @Override
    public void close() {
        if (Thread.currentThread() == thread) {
            throw new IllegalStateException("the commit thread cannot wait for itself");
        }
        closing = true;
        LockSupport.unpark(thread);
        Threads.join(List.of(thread));
    }

    private void run() {
        while (true) {
            // Called before the check of `closing`: between that check and the park nothing may consume the unpark of
            // a close.
            long idleDueNanos = idleDueNanos();
            if (closing) {
                break;
            }
            Write first = queue.takeAll(idleDueNanos, size.writes(), size.waitNanos());
            if (first != null) {
                commitAll(first);
            } else {
                guarded(log::idle, "idle");
            }
        }
        Write last = queue.close();
        if (last != null) {
            commitAll(last);
        }
        guarded(log::finish, "finish");
    }

    private void commitAll(Write first) {
        @Nullable Write write = first;
        long queuedNanos = first.queuedNanos; // of the oldest write; the rest of the group waited no longer
        while (write != null) {
            group.clear();
            long bytes = 0;
            write.queuedNanos = queuedNanos;
            while (write != null && (group.isEmpty() || bytes + write.batch().bytes() <= options.maxGroupBytes())) {
                Write following = write.next;
                write.next = null;
                group.add(write);
                bytes += write.batch().bytes();
                write = following;
            }
            long beganNanos = System.nanoTime();
            guarded(() -> log.commit(Collections.unmodifiableList(group)), "commit");
            size.committed(queue.pendingWrites(), System.nanoTime() - beganNanos);
            deliver();
            if (idleDueNanos() <= 0) { // under load the queue never runs dry, and the log's deadline must hold then too
                guarded(log::idle, "idle");
            }
        }
    }

    private long idleDueNanos() {
        try {
            return log.idleDueNanos();
        } catch (Throwable e) {
            LOGGER.log(Level.ERROR, "group commit: idleDueNanos failed", e);
            return IDLE_AFTER_FAULT_NANOS;
        }
    }

    /// Delivers the group to its sinks. A sink that has a write owns it, so the write is not read afterwards.
    private void deliver() {
        for (int i = 0; i < group.size(); i++) {
            Write write = group.get(i);
            if (write.outcome() == Write.Outcome.PENDING) {
                write.failed(
                        new EngineException.Io("the commit of this write broke off; its outcome is unknown", null));
            }
            queue.release(write);
            CompletionSink sink = write.sink();
            if (!sinksToWake.contains(sink)) {
                sinksToWake.add(sink);
            }
            complete(sink, write);
        }
        for (int i = 0; i < sinksToWake.size(); i++) {
            guarded(sinksToWake.get(i)::wake, "wake");
        }
        sinksToWake.clear();
        group.clear();
    }

    /// No lambda here, which would be an object for each write.
    private static void complete(CompletionSink sink, Write write) {
        try {
            sink.completed(write);
        } catch (Throwable e) {
            LOGGER.log(Level.ERROR, "group commit: a sink failed", e);
        }
    }

    private static void failAtOnce(Write write, EngineException reason) {
        write.failed(reason);
        CompletionSink sink = write.sink();
        sink.completed(write);
        sink.wake();
    }

    /// The thread survives every exception and error of a log or a sink (a truncated map throws an error): other
    /// writes wait for it.
    private static void guarded(Runnable step, String name) {
        try {
            step.run();
        } catch (Throwable e) {
            LOGGER.log(Level.ERROR, "group commit: " + name + " failed", e);
        }
    }
}
