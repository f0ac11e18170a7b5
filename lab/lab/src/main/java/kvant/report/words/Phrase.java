package kvant.report.words;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A sentence independent of language: its key in the catalogue, and its arguments.
public record Phrase(String key, Map<String, Value> arguments) {

    /// @param arguments a name and a value in turn, see [Value#of]
    public static Phrase of(String key, Object... arguments) {
        Phrase phrase = new Phrase(key, Map.of());
        for (int i = 0; i < arguments.length; i += 2) {
            phrase = phrase.with((String) arguments[i], arguments[i + 1]);
        }
        return phrase;
    }

    public Phrase with(String name, Object value) {
        Map<String, Value> more = new LinkedHashMap<>(arguments);
        more.put(name, Value.of(value));
        return new Phrase(key, more);
    }

    /// With the number that determines the plural form of a noun.
    public Phrase counted(long number) {
        return with("n", number);
    }

    /// An argument of a sentence, independent of language.
    public sealed interface Value {

        /// A literal text: a name, or a quotation.
        record Text(String text) implements Value {}

        /// A time.
        record Nanos(double nanos) implements Value {}

        /// A share of one, as a percentage.
        ///
        /// @param decimals -1: as many as are significant
        record Percent(double share, int decimals) implements Value {}

        /// A signed change of a ratio. Values outside a meaningful range are not written: below a tenth and
        /// above ten times, an end of an interval is only stated to reach that far.
        ///
        /// @param share of the first, such as -0.5 for half as much
        record Change(double share, int decimals) implements Value {

            /// Ten times as much, or a tenth, with a tolerance for rounding.
            private static final double MOST = 9 + 1e-9;

            private static final double LEAST = -0.9 - 1e-9;

            public boolean isOver() {
                return share > MOST;
            }

            public boolean isUnder() {
                return share < LEAST;
            }
        }

        /// The margin of a question, in either direction: a percentage, or a factor if 1 / (1 + x) is not close
        /// to 1 - x.
        record Margin(double share) implements Value {}

        /// A whole number. The argument named `n` determines the plural form.
        record Count(long count) implements Value {}

        /// Any other number, with about three significant digits.
        record Figure(double number) implements Value {}

        record Bytes(double bytes) implements Value {}

        /// A nested sentence.
        record Nested(Phrase phrase) implements Value {}

        /// Several values, separated by commas.
        record Listing(List<Value> values) implements Value {}

        /// A value; a text, a whole number or a phrase as one.
        static Value of(Object value) {
            return switch (value) {
                case Value known -> known;
                case String text -> new Text(text);
                case Phrase phrase -> new Nested(phrase);
                case Integer whole -> new Count(whole);
                case Long whole -> new Count(whole);
                default -> throw new IllegalArgumentException(value.getClass() + " is no argument of a sentence");
            };
        }

        static Value text(String text) {
            return new Text(text);
        }

        static Value nanos(double nanos) {
            return new Nanos(nanos);
        }

        static Value percent(double share) {
            return new Percent(share, -1);
        }

        static Value count(long count) {
            return new Count(count);
        }

        static Value number(double number) {
            return new Figure(number);
        }
    }
}
