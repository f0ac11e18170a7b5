package kvant.report.words;

import java.util.LinkedHashMap;
import java.util.Map;

/// A sentence independent of language: its key in the catalogue, and its arguments.
public record Phrase(String key, Map<String, Value> arguments) {

    public static Phrase of(String key) {
        return new Phrase(key, Map.of());
    }

    public Phrase with(String name, Value value) {
        Map<String, Value> more = new LinkedHashMap<>(arguments);
        more.put(name, value);
        return new Phrase(key, more);
    }

    public Phrase with(String name, String text) {
        return with(name, Value.text(text));
    }

    public Phrase with(String name, Phrase nested) {
        return with(name, new Value.Nested(nested));
    }

    /// With the number that determines the plural form of a noun.
    public Phrase counted(long number) {
        return with("n", Value.count(number));
    }
}
