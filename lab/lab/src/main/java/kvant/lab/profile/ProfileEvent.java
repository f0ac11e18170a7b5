package kvant.lab.profile;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/// What a profile counts. docs/profiles.md says what each of them means.
public enum ProfileEvent {
    /// Time on a processor.
    CPU("samples"),
    /// Bytes allocated on the heap.
    ALLOC("bytes"),
    /// Nanoseconds for which a thread waited for a lock that another held.
    LOCK("nanoseconds"),
    /// Time on the clock, whatever a thread does or waits for.
    WALL("samples");

    private final String unit;

    ProfileEvent(String unit) {
        this.unit = unit;
    }

    /// As it stands in options and names of files.
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// What the numbers in its collapsed file are.
    public String unit() {
        return unit;
    }

    /// Whether an event weighs what it carries, such as bytes, rather than one.
    boolean isWeighed() {
        return this == ALLOC || this == LOCK;
    }

    /// Reads a list such as `cpu,alloc`.
    ///
    /// @throws IllegalArgumentException with a line for a person
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
