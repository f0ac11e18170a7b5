package kvant.server.resp;

import java.util.List;
import kvant.server.resp.parse.Words;
import org.jspecify.annotations.Nullable;

/// What stands behind the value of a `SET`. Where what is there counts, it is an update: its value is the reply (`GET`,
/// and `GETSET`), or its life time stays (`KEEPTTL`).
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
            ExpiryCommands.Unit unit = ExpiryCommands.unit(word);
            if (unit != null && expiresAt == 0 && !keeps && i + 1 < words.size()) {
                expiresAt = ExpiryCommands.expiry(unit, words.get(++i), nowMillis, "set");
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

    Update update(byte[] key, byte[] value) {
        return new Update(key, (before, nowMillis) -> apply(value, before, nowMillis));
    }

    private Update.Result apply(byte[] value, Update.@Nullable Entry before, long nowMillis) {
        boolean holds = onlyAbsent ? before == null : !onlyPresent || before != null;
        Reply old = before == null ? Reply.Plain.NIL : new Reply.Bulk(before.value());
        if (!holds) {
            return Update.Result.stays(before, returnsOld ? old : Reply.Plain.NIL);
        }
        long kept = before == null ? 0 : before.expiresAtMillis();
        Update.Entry after = new Update.Entry(value, keepsExpiry ? kept : expiresAtMillis);
        return Update.Result.becomes(isOver(nowMillis) ? null : after, returnsOld ? old : Reply.Plain.OK);
    }
}
