package kvant.mutants;

import java.util.Arrays;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Replaces one place of a text. White space is compared as such and not by its kind, so that a mutant outlives a
/// formatter and a move to another indentation.
final class Patch {

    private Patch() {}

    /// How often it occurs; a mutant is one fault, so anything but once is an error of the list.
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
