package kvant.report.words;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import kvant.load.record.Percentiles;
import kvant.report.words.Phrase.Value;
import org.jspecify.annotations.Nullable;

/// Formats phrases in one language. The catalogue is a properties file for each language; `{name}` in a message stands
/// for an argument. A message that depends on a number has one key for each plural form: `rounds.one`, `rounds.other`.
public final class Words {

    private static final Pattern PLACE = Pattern.compile("\\{(\\w+)}");

    /// From this difference on it is written as a factor.
    private static final double LEAST_FACTOR = 0.25;

    private final Language language;
    private final Properties messages;
    private final Numbers numbers;

    public Words(Language language) {
        this.language = language;
        this.messages = load(language);
        this.numbers = new Numbers(language.locale(), this::get);
    }

    private static Properties load(Language language) {
        String name = "report_" + language.tag() + ".properties";
        Properties messages = new Properties();
        try (InputStream in = Objects.requireNonNull(Words.class.getResourceAsStream(name), name)) {
            messages.load(new InputStreamReader(in, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return messages;
    }

    public Language language() {
        return language;
    }

    /// Selects the text in this language, or the English one if there is no other.
    public String choose(String english, String russian) {
        return language == Language.RU && !russian.isEmpty() ? russian : english;
    }

    public Numbers numbers() {
        return numbers;
    }

    /// A percentile such as `99.9`, with all of its digits.
    public String percentile(double percentile) {
        String name = Percentiles.name(percentile);
        int point = name.indexOf('.');
        return numbers.fixed(percentile, point < 0 ? 0 : name.length() - point - 1);
    }

    /// The messages of a family by key, in order.
    ///
    /// @param start common prefix of the keys
    public SortedMap<String, String> of(String start) {
        SortedMap<String, String> family = new TreeMap<>();
        messages.stringPropertyNames().stream()
                .filter(key -> key.startsWith(start))
                .forEach(key -> family.put(key, get(key)));
        return family;
    }

    Properties messages() {
        return messages;
    }

    /// A message without arguments.
    public String get(String key) {
        return Objects.requireNonNull(messages.getProperty(key), () -> "no message '" + key + "' in " + language);
    }

    /// A message without arguments, or the other text if there is none: for names from other sources.
    public String getOr(String key, String other) {
        return messages.getProperty(key, other);
    }

    /// @param arguments a name and a value in turn, see [Value#of]
    public String say(String key, Object... arguments) {
        return say(Phrase.of(key, arguments));
    }

    public String say(Phrase phrase) {
        String text = template(phrase);
        Matcher place = PLACE.matcher(text);
        StringBuilder said = new StringBuilder();
        while (place.find()) {
            @Nullable Value value = phrase.arguments().get(place.group(1));
            if (value == null) {
                throw new IllegalArgumentException(phrase.key() + " has no argument " + place.group(1));
            }
            place.appendReplacement(said, Matcher.quoteReplacement(say(value)));
        }
        return place.appendTail(said).toString();
    }

    private String template(Phrase phrase) {
        if (phrase.arguments().get("n") instanceof Value.Count number) {
            String form = messages.getProperty(phrase.key() + "." + language.form(number.count()));
            if (form != null) {
                return form;
            }
        }
        return get(phrase.key());
    }

    public String say(Value value) {
        return switch (value) {
            case Value.Text text -> text.text();
            case Value.Nanos nanos -> numbers.time(nanos.nanos());
            case Value.Percent percent -> numbers.percent(percent.share(), percent.decimals());
            case Value.Change change -> change(change);
            case Value.Margin margin -> margin(margin.share());
            case Value.Count count -> numbers.whole(count.count());
            case Value.Figure number -> numbers.number(number.number());
            case Value.Bytes bytes -> numbers.bytes(bytes.bytes());
            case Value.Nested nested -> say(nested.phrase());
            case Value.Listing listing ->
                listing.values().stream().map(this::say).collect(Collectors.joining(", "));
        };
    }

    private String change(Value.Change change) {
        if (change.isOver() || change.isUnder()) {
            return get(change.isOver() ? "change.over" : "change.under");
        }
        return (change.share() > 0 ? "+" : "") + numbers.percent(change.share(), change.decimals());
    }

    private String margin(double share) {
        if (share < LEAST_FACTOR) {
            return numbers.percent(share, -1);
        }
        double factor = 1 + share;
        int decimals = factor == Math.rint(factor) ? 0 : factor * 10 == Math.rint(factor * 10) ? 1 : 2;
        return say("margin.factor", "factor", numbers.fixed(factor, decimals));
    }

    /// The languages of reports.
    public enum Language {
        EN("en"),
        RU("ru");

        private final String tag;

        Language(String tag) {
            this.tag = tag;
        }

        /// Parses a list such as `en,ru`. English is always included: its files are `report.html` and so on; those in
        /// another language contain its tag: `report.ru.html`.
        ///
        /// @throws IllegalArgumentException with a readable one-line reason
        public static List<Language> list(String text) {
            Set<Language> languages = EnumSet.of(EN);
            for (String tag : text.split(",", -1)) {
                languages.add(Arrays.stream(values())
                        .filter(one -> one.tag.equals(tag.strip().toLowerCase(Locale.ROOT)))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException("'" + tag + "' is not one of en, ru")));
            }
            return List.copyOf(languages);
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
    }
}
