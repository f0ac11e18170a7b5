package kvant.lab.profile;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

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
