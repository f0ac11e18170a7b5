package kvant.prove.stage;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/// The counts and measurements of a trial, by name, in order of their first use. Belongs to one thread.
public final class Figures {

    private final Map<String, Long> numbers = new LinkedHashMap<>();

    public Figures() {}

    /// Adds to a count, which begins at 0.
    ///
    /// @param name in the plural, such as "kills" or "acknowledged"; with its unit, such as "recovery p99 ms"
    public Figures add(String name, long more) {
        numbers.merge(name, more, Long::sum);
        return this;
    }

    /// Keeps the largest.
    public Figures most(String name, long number) {
        numbers.merge(name, number, Long::max);
        return this;
    }

    public long of(String name) {
        return numbers.getOrDefault(name, 0L);
    }

    public Map<String, Long> all() {
        return Collections.unmodifiableMap(numbers);
    }

    /// In one line: `kills 100, acknowledged 41,210, lost 0`.
    @Override
    public String toString() {
        return text(numbers);
    }

    public static String text(Map<String, Long> numbers) {
        return numbers.entrySet().stream()
                .map(one -> String.format(Locale.ROOT, "%s %,d", one.getKey(), one.getValue()))
                .collect(Collectors.joining(", "));
    }
}
