package kvant.mutants;

import java.util.Arrays;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Replaces one place in a text. All white space is equivalent, so that a mutant survives formatting and a change of
/// indentation.
final class Patch {

    private Patch() {}

    /// The number of occurrences. A mutant is a single fault, so any number but one is an error in the list.
    static long places(String text, String find) {
        return pattern(find).matcher(text).results().count();
    }

    static String apply(String text, String find, String replace) {
        MatchResult place = pattern(find).matcher(text).results().findFirst().orElseThrow();
        return text.substring(0, place.start()) + replace + text.substring(place.end());
    }

    static boolean isSame(String find, String replace) {
        return pattern(find).matcher(replace.strip()).matches();
    }

    private static Pattern pattern(String find) {
        return Pattern.compile(
                Arrays.stream(find.strip().split("\\s+")).map(Pattern::quote).collect(Collectors.joining("\\s+")));
    }
}
