package kvant.prove.stage;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The counts and measurements of a trial, by name, in order of their first use. Belongs to one thread.
public final class Figures {

    /// Of these the largest is kept; the others are added up.
    private static final Pattern LARGEST = Pattern.compile("(most|(.* )?p\\d+) .*");

    private static final Pattern WRITTEN = Pattern.compile("([^:, ][^:,]*?) (\\d{1,3}(?:,\\d{3})*)(?:, |$)");

    private final Map<String, Long> numbers = new LinkedHashMap<>();

    /// Of a text that [#toString] made; of another one, such as a violation, none.
    public static Figures of(String text) {
        Figures figures = new Figures();
        WRITTEN.matcher(text)
                .results()
                .forEach(one ->
                        figures.add(one.group(1), Long.parseLong(one.group(2).replace(",", ""))));
        return figures.toString().equals(text) ? figures : new Figures();
    }

    /// Adds to a count, which begins at 0, or keeps the largest of a measurement.
    ///
    /// @param name in the plural, such as "kills" or "acknowledged"; of a measurement "most ..." or a percentile
    /// with its unit, such as "recovery p99 ms"
    public Figures add(String name, long more) {
        numbers.merge(name, more, LARGEST.matcher(name).matches() ? Long::max : Long::sum);
        return this;
    }

    public Figures add(Figures more) {
        more.numbers.forEach(this::add);
        return this;
    }

    /// 0 where it was not counted.
    public long number(String name) {
        return numbers.getOrDefault(name, 0L);
    }

    public boolean isEmpty() {
        return numbers.isEmpty();
    }

    /// In one line: `kills 100, acknowledged 41,210, lost 0`.
    @Override
    public String toString() {
        return numbers.entrySet().stream()
                .map(one -> String.format(Locale.ROOT, "%s %,d", one.getKey(), one.getValue()))
                .collect(Collectors.joining(", "));
    }
}
