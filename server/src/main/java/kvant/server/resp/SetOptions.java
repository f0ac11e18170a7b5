package kvant.server.resp;

import java.util.List;
import kvant.server.resp.parse.Words;

/// What stands behind the value of a `SET`.
///
/// @param expiresAtMillis 0 for a value that stays
record SetOptions(
        boolean onlyAbsent, boolean onlyPresent, boolean returnsOld, boolean keepsExpiry, long expiresAtMillis) {

    private static final int FIRST = 3;
    private static final SetOptions NONE = new SetOptions(false, false, false, false, 0);

    /// `GET` alone.
    static final SetOptions OLD = new SetOptions(false, false, true, false, 0);

    /// @param words of the whole command
    static SetOptions of(List<byte[]> words, long nowMillis) throws WrongCommandException {
        if (words.size() == FIRST) {
            return NONE;
        }
        boolean absent = false;
        boolean present = false;
        boolean old = false;
        boolean keeps = false;
        long expiresAt = 0;
        for (int i = FIRST; i < words.size(); i++) {
            byte[] word = words.get(i);
            Expiry.Unit unit = Expiry.unit(word);
            if (unit != null && expiresAt == 0 && !keeps && i + 1 < words.size()) {
                expiresAt = Expiry.of(unit, words.get(++i), nowMillis, "set");
            } else if (Words.is(word, "nx") && !present) {
                absent = true;
            } else if (Words.is(word, "xx") && !absent) {
                present = true;
            } else if (Words.is(word, "get")) {
                old = true;
            } else if (Words.is(word, "keepttl") && expiresAt == 0) {
                keeps = true;
            } else {
                throw new WrongCommandException(Errors.SYNTAX);
            }
        }
        return new SetOptions(absent, present, old, keeps, expiresAt);
    }

    /// Whether the value would be there no more.
    boolean isOver(long nowMillis) {
        return expiresAtMillis != 0 && expiresAtMillis <= nowMillis;
    }

    /// Whether what is there has to be read.
    boolean needsEntry() {
        return returnsOld || keepsExpiry;
    }
}
