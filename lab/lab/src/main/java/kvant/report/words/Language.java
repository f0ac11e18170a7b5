package kvant.report.words;

import java.util.Locale;

/// The languages of reports.
public enum Language {
    EN("en"),
    RU("ru");

    private final String tag;

    Language(String tag) {
        this.tag = tag;
    }

    /// The language tag, such as `ru`.
    public String tag() {
        return tag;
    }

    Locale locale() {
        return Locale.forLanguageTag(tag);
    }

    /// The plural form of a noun for a whole number: the rules of the Unicode CLDR for cardinal numbers.
    String form(long number) {
        long tens = Math.abs(number % 100);
        long ones = tens % 10;
        return switch (this) {
            case EN -> number == 1 ? "one" : "other";
            case RU -> {
                if (ones == 1 && tens != 11) {
                    yield "one";
                }
                yield ones >= 2 && ones <= 4 && (tens < 12 || tens > 14) ? "few" : "many";
            }
        };
    }

    /// The plural forms that a message with a number needs.
    String[] forms() {
        return this == EN ? new String[] {"one", "other"} : new String[] {"one", "few", "many"};
    }
}
