package kvant.load.dialect;

/// Searches for a word in bytes that arrive in pieces (Knuth, Morris and Pratt 1977).
final class Marker {

    private final byte[] word;

    /// The failure function: the length of the prefix that remains matched after a mismatch.
    private final int[] shorter;

    private int matched;

    Marker(String text) {
        word = RequestEncoder.bytes(text);
        shorter = new int[word.length];
        for (int i = 1, length = 0; i < word.length; i++) {
            while (length > 0 && word[i] != word[length]) {
                length = shorter[length - 1];
            }
            length = word[i] == word[length] ? length + 1 : 0;
            shorter[i] = length;
        }
    }

    void reset() {
        matched = 0;
    }

    boolean isFound() {
        return matched == word.length;
    }

    /// @return the position after the word, or `to` if it is not complete yet
    int feed(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && matched < word.length) {
            while (matched > 0 && bytes[at] != word[matched]) {
                matched = shorter[matched - 1];
            }
            matched += bytes[at] == word[matched] ? 1 : 0;
            at++;
        }
        return at;
    }
}
