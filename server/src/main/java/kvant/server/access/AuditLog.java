package kvant.server.access;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import kvant.engine.MetricSink;

/// A log of refused and administrative requests, one line each, to the logger `kvant.audit`. It has names of tokens,
/// never a secret, a key or a value.
///
/// Each of the three kinds has a bound of lines per minute: a million refused requests neither fill the disk nor hide
/// the actions of others, and reads push out no change. The next line states how many were left out, and a metric
/// counts them. Repeated reads by one token, such as scrapes, have one line a minute.
///
/// Any thread may call.
public final class AuditLog {

    /// Bound for each kind of lines.
    public static final int LINES_PER_MINUTE = 60;

    /// Longest foreign text in a line, in characters.
    static final int LONGEST_WORDS = 128;

    private static final String CUT = "...";

    private static final long WINDOW_NANOS = TimeUnit.MINUTES.toNanos(1);

    // Constant.
    private final Lines refused;
    private final Lines administrative;
    private final Lines changed;

    public AuditLog() {
        this(System.getLogger("kvant.audit"), System::nanoTime);
    }

    AuditLog(Logger logger, LongSupplier nanoTime) {
        refused = new Lines(logger, Level.WARNING, nanoTime);
        administrative = new Lines(logger, Level.INFO, nanoTime);
        changed = new Lines(logger, Level.INFO, nanoTime);
    }

    /// A request or a connection was refused.
    ///
    /// @param what such as `GET /v0/entity`
    /// @param who name of the token, or `-`
    public void refused(String what, String who, Peer from, String reason) {
        if (refused.isDue()) {
            refused.write("refused " + what + " token=" + who + " from=" + from + " reason=" + reason);
        }
    }

    /// A request that tells about the node was allowed.
    public void administrative(String what, String who, Peer from) {
        if (administrative.isNew(what + " " + who + " " + from.withoutPort()) && administrative.isDue()) {
            administrative.write(line(what, who, from));
        }
    }

    /// A request that changes the node was allowed. The same one again has a line of its own.
    public void changed(String what, String who, Peer from) {
        if (changed.isDue()) {
            changed.write(line(what, who, from));
        }
    }

    private static String line(String what, String who, Peer from) {
        return "administrative " + what + " token=" + who + " from=" + from;
    }

    /// Foreign text made safe for a line: shortened, with `?` for all but visible ASCII and blanks, and for quotation
    /// marks and backslashes.
    public static String words(String said) {
        String some = said.length() <= LONGEST_WORDS ? said : said.substring(0, LONGEST_WORDS - CUT.length()) + CUT;
        return some.replaceAll("[^\\x20-\\x7e]|[\"\\\\]", "?");
    }

    /// The same as a part of a line: nothing in it is taken for another part.
    public static String quoted(String said) {
        return '"' + words(said) + '"';
    }

    public void measure(MetricSink sink) {
        String help = "Lines that the audit log left out, because there were too many in a minute.";
        sink.counter("kvant_audit_left_out_total", help, refused.leftOut.sum(), "kind", "refused");
        sink.counter("kvant_audit_left_out_total", help, administrative.leftOut.sum(), "kind", "administrative");
        sink.counter("kvant_audit_left_out_total", help, changed.leftOut.sum(), "kind", "changed");
    }

    /// One kind of lines.
    private static final class Lines {

        // Constant.
        private final Logger logger;
        private final Level level;
        private final LongSupplier nanoTime;
        private final LongAdder leftOut = new LongAdder();

        // Guarded by this; full is read without it.
        private long windowNanos;
        private int written;
        private long told;
        private volatile boolean full;
        private final Set<String> repeated = new HashSet<>(); // of this minute

        Lines(Logger logger, Level level, LongSupplier nanoTime) {
            this.logger = logger;
            this.level = level;
            this.nanoTime = nanoTime;
            this.windowNanos = nanoTime.getAsLong();
        }

        /// Whether the event is new in this minute. Bounded: beyond the bound every event counts as new.
        synchronized boolean isNew(String event) {
            roll();
            return repeated.size() >= LINES_PER_MINUTE || repeated.add(event);
        }

        /// Whether a line may be written; it counts as left out if not.
        boolean isDue() {
            if (full && nanoTime.getAsLong() - windowNanos < WINDOW_NANOS) {
                leftOut.increment(); // most of a flood takes no lock
                return false;
            }
            return takesPlace();
        }

        /// Begins another minute when one is over.
        private void roll() {
            long now = nanoTime.getAsLong();
            if (now - windowNanos >= WINDOW_NANOS) {
                windowNanos = now;
                written = 0;
                full = false;
                repeated.clear();
            }
        }

        private synchronized boolean takesPlace() {
            roll();
            boolean due = written < LINES_PER_MINUTE;
            if (due) {
                written++;
            } else {
                leftOut.increment();
            }
            full = !due;
            return due;
        }

        void write(String line) {
            long missing;
            synchronized (this) {
                long all = leftOut.sum();
                missing = all - told;
                told = all;
            }
            // As an argument: a line may hold braces.
            logger.log(level, "{0}", missing == 0 ? line : line + " (" + missing + " lines were left out before)");
        }
    }
}
