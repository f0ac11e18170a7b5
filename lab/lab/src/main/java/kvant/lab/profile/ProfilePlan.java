package kvant.lab.profile;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The events to record, and their sampling intervals.
///
/// @param threads whether flame graphs begin with the thread
/// @param slowThreshold requests that take at least this long get a separate flame graph; null for none
/// @param longest time after which the profiler ends by itself, if the command no longer exists
/// @param cpuSource source of CPU samples: `cpu` is perf events if permitted, otherwise a timer
public record ProfilePlan(
        Set<ProfileEvent> events,
        boolean threads,
        @Nullable Duration slowThreshold,
        Duration longest,
        String cpuSource) {

    /// CPU time between two samples of a thread. Three seconds of a node at a third of a core yield 500 samples, enough
    /// to distinguish 12 % from 19 %. Shorter intervals cost more, see docs/profiles.md.
    static final Duration CPU_INTERVAL = Duration.ofMillis(2);

    /// Wall-clock time between two samples of a thread.
    static final Duration WALL_INTERVAL = Duration.ofMillis(20);

    /// Bytes between two samples, on average.
    static final int ALLOC_INTERVAL_KIB = 512;

    /// Total waiting time for locks between two samples.
    static final Duration LOCK_INTERVAL = Duration.ofNanos(10_000);

    private static final Duration LONGEST = Duration.ofHours(25);

    /// A node's event for one of its requests.
    static final String REQUEST_EVENT = "kvant.Request";

    public ProfilePlan {
        if (events.isEmpty()) {
            throw new IllegalArgumentException("a profile needs at least one event");
        }
        events = Set.copyOf(events);
    }

    public static ProfilePlan of(Set<ProfileEvent> events) {
        return new ProfilePlan(events, false, null, LONGEST, "cpu");
    }

    public ProfilePlan withThreads(boolean wanted) {
        return new ProfilePlan(events, wanted, slowThreshold, longest, cpuSource);
    }

    public ProfilePlan withSlowThreshold(@Nullable Duration threshold) {
        return new ProfilePlan(events, threads, threshold, longest, cpuSource);
    }

    public ProfilePlan withLongest(Duration limit) {
        return new ProfilePlan(events, threads, slowThreshold, limit, cpuSource);
    }

    ProfilePlan withEvents(Set<ProfileEvent> some) {
        return new ProfilePlan(some, threads, slowThreshold, longest, cpuSource);
    }

    /// In the order in which they are declared.
    Set<ProfileEvent> orderedEvents() {
        return EnumSet.copyOf(events);
    }

    // --- in the language of the profiler: words separated by commas
    // ---------------------------------------------------

    /// Starts one recording of all events, with the clock of `System.nanoTime`, for comparison with measurements of
    /// other processes on this machine.
    ///
    /// For slow requests, the JVM's own recorder also writes request events to the same file.
    String startCommand(Path jfr, Path log) {
        StringBuilder text = new StringBuilder("start,jfr,clock=monotonic");
        if (events.contains(ProfileEvent.CPU)) {
            text.append(",event=").append(cpuSource());
            text.append(",interval=").append(CPU_INTERVAL.toNanos());
        }
        if (events.contains(ProfileEvent.ALLOC)) {
            text.append(",alloc=").append(ALLOC_INTERVAL_KIB).append('k');
        }
        if (events.contains(ProfileEvent.LOCK)) {
            text.append(",lock=").append(LOCK_INTERVAL.toNanos());
        }
        if (events.contains(ProfileEvent.WALL)) {
            text.append(",wall=").append(WALL_INTERVAL.toNanos());
        }
        if (slowThreshold() != null) {
            text.append(",jfrsync=+").append(REQUEST_EVENT);
        }
        text.append(",timeout=").append(Math.max(1, longest().plusMillis(999).toSeconds()));
        return text.append(",file=").append(jfr).append(",log=").append(log).toString();
    }

    /// The event that a profile counts, as explained in docs/profiles.md.
    public enum ProfileEvent {
        /// Time on a processor.
        CPU("samples"),
        /// Bytes allocated on the heap.
        ALLOC("bytes"),
        /// Nanoseconds for which a thread waited for a lock held by another.
        LOCK("nanoseconds"),
        /// Wall-clock time, whether a thread runs or waits.
        WALL("samples");

        private final String unit;

        ProfileEvent(String unit) {
            this.unit = unit;
        }

        /// The name in options and file names.
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        /// The unit of the numbers in its collapsed file.
        public String unit() {
            return unit;
        }

        /// True if an event has a weight, such as bytes, instead of counting as one.
        boolean isWeighed() {
            return this == ALLOC || this == LOCK;
        }

        /// Parses a list such as `cpu,alloc`.
        ///
        /// @throws IllegalArgumentException with a readable one-line reason
        public static Set<ProfileEvent> list(String text) {
            Set<ProfileEvent> events = EnumSet.noneOf(ProfileEvent.class);
            for (String word : text.split(",", -1)) {
                events.add(of(word.strip()));
            }
            return events;
        }

        private static ProfileEvent of(String word) {
            for (ProfileEvent event : values()) {
                if (event.label().equalsIgnoreCase(word)) {
                    return event;
                }
            }
            throw new IllegalArgumentException("'" + word + "' is not one of cpu, alloc, lock, wall");
        }
    }
}
