package kvant.lab.profile;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import kvant.text.UserException;

/// Commands in the language of the profiler: words separated by commas.
final class CommandText {

    /// The event of a node that speaks of its requests.
    static final String REQUEST_EVENT = "kvant.Request";

    private CommandText() {}

    /// One recording of all events. The clock is that of `System.nanoTime`, so that what other
    /// processes of this machine measured can be laid beside it.
    ///
    /// Where slow requests are asked for, the JVM's own recorder tells of requests in the same file.
    static String start(ProfilePlan plan, Path jfr, Path log) {
        StringBuilder text = new StringBuilder("start,jfr,clock=monotonic");
        Set<ProfileEvent> events = plan.orderedEvents();
        if (events.contains(ProfileEvent.CPU)) {
            text.append(",event=").append(plan.cpuSource());
            text.append(",interval=").append(ProfilePlan.CPU_INTERVAL.toNanos());
        }
        if (events.contains(ProfileEvent.ALLOC)) {
            text.append(",alloc=").append(ProfilePlan.ALLOC_INTERVAL_KIB).append('k');
        }
        if (events.contains(ProfileEvent.LOCK)) {
            text.append(",lock=").append(ProfilePlan.LOCK_INTERVAL.toNanos());
        }
        if (events.contains(ProfileEvent.WALL)) {
            text.append(",wall=").append(ProfilePlan.WALL_INTERVAL.toNanos());
        }
        if (plan.slowThreshold() != null) {
            text.append(",jfrsync=+").append(REQUEST_EVENT);
        }
        text.append(",timeout=").append(wholeSeconds(plan.longest()));
        return text.append(",file=").append(jfr).append(",log=").append(log).toString();
    }

    static String stop(Path jfr, Path log) {
        return "stop,jfr,file=" + jfr + ",log=" + log;
    }

    /// Does nothing but answer.
    static String version(Path log) {
        return "version,log=" + log;
    }

    private static long wholeSeconds(Duration time) {
        return Math.max(1, time.plusMillis(999).toSeconds());
    }

    /// The profiler ends a path at a comma, and replaces what follows a percent sign.
    ///
    /// @throws UserException if it would understand another path than this one
    static void refuseUnspeakable(Path path) {
        String text = path.toString();
        if (text.indexOf(',') >= 0 || text.indexOf('%') >= 0) {
            throw new UserException("cannot write profiles to '" + path
                    + "': the profiler takes no path with a comma or a percent sign");
        }
    }
}
