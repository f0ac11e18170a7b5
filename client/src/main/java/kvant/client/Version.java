package kvant.client;

/// The version that a write of a key was given. It is not a hash: the same bytes written twice have two versions.
///
/// @param digits decimal, as the node gives them
public record Version(String digits) {

    private static final int MOST_DIGITS = 40;

    public Version {
        boolean isDecimal = digits.chars().allMatch(c -> c >= '0' && c <= '9');
        if (digits.isEmpty() || digits.length() > MOST_DIGITS || !isDecimal) {
            throw new IllegalArgumentException("a version is 1 to " + MOST_DIGITS + " decimal digits");
        }
    }

    /// The version in a header `ETag`.
    static Version ofTag(String tag) {
        if (tag.length() < 2 || !tag.startsWith("\"") || !tag.endsWith("\"")) {
            throw new IllegalArgumentException("an entity tag is in quotes");
        }
        return new Version(tag.substring(1, tag.length() - 1));
    }

    String tag() {
        return '"' + digits + '"';
    }
}
