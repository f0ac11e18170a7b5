package kvant.lab.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/// A process and its descendants. A command may start the server as a separate process and end before it; the system
/// then no longer reports the descendants of the ended process. They are therefore kept as last seen.
///
/// Any thread may call.
public final class ProcessFamily {

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    // Constant.
    private final ProcessHandle head;
    private final Set<ProcessHandle> seen = ConcurrentHashMap.newKeySet();

    public ProcessFamily(ProcessHandle head) {
        this.head = head;
    }

    /// Looks for new descendants, and returns all processes seen so far.
    public List<ProcessHandle> look() {
        head.descendants().forEach(seen::add);
        return Stream.concat(Stream.of(head), seen.stream()).toList();
    }

    public boolean isGone() {
        return look().stream().noneMatch(ProcessFamily::isRunning);
    }

    /// Asks all of them to end, and kills those that take longer.
    ///
    /// @return true if all ended by themselves
    public boolean end(long seconds) {
        List<ProcessHandle> all = look();
        all.forEach(ProcessHandle::destroy);
        boolean orderly = haveEnded(all, seconds);
        return endByForce(seconds) && orderly;
    }

    /// @return true if all have ended
    public boolean endByForce(long seconds) {
        List<ProcessHandle> all = look();
        all.forEach(ProcessHandle::destroyForcibly);
        return haveEnded(all, seconds);
    }

    private static boolean haveEnded(List<ProcessHandle> all, long seconds) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (all.stream().anyMatch(ProcessFamily::isRunning)) {
            if (System.nanoTime() > deadline || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return true;
    }

    /// False for a zombie process, whose exit code was never read: in a container the first process may never do so.
    public static boolean isRunning(ProcessHandle one) {
        if (!one.isAlive()) {
            return false;
        }
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(one.pid()), "stat"));
            return !stat.substring(stat.lastIndexOf(')') + 1).startsWith(" Z");
        } catch (IOException _) {
            return one.isAlive(); // not Linux, or it has just ended
        }
    }
}
