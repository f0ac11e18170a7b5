package kvant.report;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import kvant.report.words.Language;

/// The languages of a report. English is always included: its files are `report.html` and so on; those in another
/// language contain its tag: `report.ru.html`.
public record Languages(List<Language> all) {

    public Languages {
        all = List.copyOf(all);
        if (all.isEmpty()) {
            throw new IllegalArgumentException("a report needs a language");
        }
    }

    public static Languages english() {
        return new Languages(List.of(Language.EN));
    }

    /// Parses a list such as `en,ru`; English is always included.
    ///
    /// @throws IllegalArgumentException with a readable one-line reason
    public static Languages parse(String text) {
        Set<Language> languages = new LinkedHashSet<>(List.of(Language.EN));
        for (String tag : text.split(",", -1)) {
            languages.add(Arrays.stream(Language.values())
                    .filter(one -> one.tag().equals(tag.strip().toLowerCase(Locale.ROOT)))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("'" + tag + "' is not one of " + known())));
        }
        return new Languages(List.copyOf(languages));
    }

    private static String known() {
        return Arrays.stream(Language.values()).map(Language::tag).collect(Collectors.joining(", "));
    }
}
