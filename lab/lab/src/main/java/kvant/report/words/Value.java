package kvant.report.words;

import java.util.List;

/// Something that stands in a sentence, not yet in any language.
public sealed interface Value {

    /// As it is: a name, or what somebody else wrote.
    record Text(String text) implements Value {}

    /// A time.
    record Nanos(double nanos) implements Value {}

    /// A share of one, as a percentage.
    ///
    /// @param decimals -1: as many as say something
    record Percent(double share, int decimals) implements Value {}

    /// A change of a ratio, with its sign. What a figure cannot mean is not written: below a tenth and above ten times
    /// an interval says only that it reaches so far.
    ///
    /// @param share of the first, such as -0.5 for half as much
    record Change(double share, int decimals) implements Value {

        /// Ten times as much, and a tenth, with what rounding adds.
        private static final double MOST = 9 + 1e-9;

        private static final double LEAST = -0.9 - 1e-9;

        public boolean isOver() {
            return share > MOST;
        }

        public boolean isUnder() {
            return share < LEAST;
        }
    }

    /// The difference that a question asks about, either way: a percentage, or a factor where 1 / (1 + x) is no 1 - x.
    record Margin(double share) implements Value {}

    /// A whole number. The one named `n` chooses the form of the noun.
    record Count(long count) implements Value {}

    /// Any other number, with about three digits.
    record Number(double number) implements Value {}

    record Bytes(double bytes) implements Value {}

    /// A sentence within a sentence.
    record Nested(Phrase phrase) implements Value {}

    /// Several, separated by commas.
    record Listing(List<Value> values) implements Value {}

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
        return new Number(number);
    }
}
