package kvant.server.resp;

import java.util.Arrays;
import java.util.List;
import kvant.server.resp.parse.Words;
import org.jspecify.annotations.Nullable;

/// What stands behind the value of a `SET`. Where what is there counts, it is an update: its value is the reply (`GET`,
/// and `GETSET`), or its life time stays (`KEEPTTL`).
///
/// @param expiresAtMillis 0 for a value that stays
/// @param compared what the present value has to be (`IFEQ`), or not to be (`IFNE`); null for anything
record SetOptions(
        boolean onlyAbsent,
        boolean onlyPresent,
        boolean returnsOld,
        boolean keepsExpiry,
        long expiresAtMillis,
        byte @Nullable [] compared) {

    static final Reply NO_DIGESTS = Errors.error("ERR IFDEQ and IFDNE are not supported: this server makes no digests");

    private static final int FIRST = 3;
    private static final SetOptions NONE = new SetOptions(false, false, false, false, 0, null);

    /// `GET` alone.
    static final SetOptions OLD = new SetOptions(false, false, true, false, 0, null);

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
        byte[] compared = null;
        for (int i = FIRST; i < words.size(); i++) {
            byte[] word = words.get(i);
            ExpiryCommands.Unit unit = ExpiryCommands.unit(word);
            if (unit != null && expiresAt == 0 && !keeps && i + 1 < words.size()) {
                expiresAt = ExpiryCommands.expiry(unit, words.get(++i), nowMillis, "set");
            } else if (Words.is(word, "nx") && !present && compared == null) {
                absent = true;
            } else if (Words.is(word, "xx") && !absent && compared == null) {
                present = true;
            } else if (isComparison(word) && !present && !absent && compared == null && i + 1 < words.size()) {
                present = Words.is(word, "ifeq");
                compared = words.get(++i);
            } else if (Words.is(word, "get")) {
                old = true;
            } else if (Words.is(word, "keepttl") && expiresAt == 0) {
                keeps = true;
            } else {
                throw new WrongCommandException(Errors.SYNTAX);
            }
        }
        return new SetOptions(absent, present, old, keeps, expiresAt, compared);
    }

    private static boolean isComparison(byte[] word) throws WrongCommandException {
        if (Words.is(word, "ifdeq") || Words.is(word, "ifdne")) {
            throw new WrongCommandException(NO_DIGESTS);
        }
        return Words.is(word, "ifeq") || Words.is(word, "ifne");
    }

    /// Whether the value would be there no more.
    boolean isOver(long nowMillis) {
        return expiresAtMillis != 0 && expiresAtMillis <= nowMillis;
    }

    /// Whether what is there has to be read.
    boolean needsEntry() {
        return returnsOld || keepsExpiry || compared != null;
    }

    Update update(byte[] key, byte[] value) {
        return new Update(key, (before, nowMillis) -> apply(value, before, nowMillis));
    }

    private Update.Result apply(byte[] value, Update.@Nullable Entry before, long nowMillis) {
        boolean holds = onlyAbsent ? before == null : !onlyPresent || before != null;
        if (compared != null && before != null) {
            holds = Arrays.equals(compared, before.value()) == onlyPresent;
        }
        Reply old = before == null ? Reply.Plain.NIL : new Reply.Bulk(before.value());
        if (!holds) {
            return Update.Result.stays(before, returnsOld ? old : Reply.Plain.NIL);
        }
        long kept = before == null ? 0 : before.expiresAtMillis();
        Update.Entry after = new Update.Entry(value, keepsExpiry ? kept : expiresAtMillis);
        return Update.Result.becomes(isOver(nowMillis) ? null : after, returnsOld ? old : Reply.Plain.OK);
    }
}
