package kvant.text.command;

import java.util.Collection;

/// Suggestions for misspelt words.
public final class Suggestion {

    /// Most edits of a misspelling: with more it is another word.
    private static final int MOST_EDITS = 3;

    private Suggestion() {}

    /// A phrase to append to an error, or nothing when no candidate is near.
    public static String among(Collection<String> candidates, String typed) {
        String nearest = "";
        int fewest = Math.min(MOST_EDITS, typed.length() / 2) + 1;
        for (String candidate : candidates) {
            int edits = edits(typed, candidate);
            if (edits < fewest) {
                fewest = edits;
                nearest = candidate;
            }
        }
        return nearest.isEmpty() ? "" : "; did you mean '" + nearest + "'?";
    }

    /// Insertions, deletions and replacements that turn one word into the other (Levenshtein distance).
    private static int edits(String from, String to) {
        int[] previous = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int[] current = new int[to.length() + 1];
            current[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = previous[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(replaced, Math.min(previous[j], current[j - 1]) + 1);
            }
            previous = current;
        }
        return previous[to.length()];
    }
}
