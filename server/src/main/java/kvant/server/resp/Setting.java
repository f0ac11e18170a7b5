package kvant.server.resp;

import org.jspecify.annotations.Nullable;

/// `SET` where what is there counts: its value is the reply (`GET`, and `GETSET`), or its life time stays (`KEEPTTL`).
///
/// @param options as they were given
record Setting(byte[] key, byte[] value, SetOptions options) implements Update {

    @Override
    public Result apply(@Nullable Entry before, long nowMillis) {
        boolean holds = options.onlyAbsent() ? before == null : !options.onlyPresent() || before != null;
        Reply old = before == null ? Reply.Plain.NIL : new Reply.Bulk(before.value());
        if (!holds) {
            return Result.stays(before, options.returnsOld() ? old : Reply.Plain.NIL);
        }
        long kept = before == null ? 0 : before.expiresAtMillis();
        Entry after = new Entry(value, options.keepsExpiry() ? kept : options.expiresAtMillis());
        return Result.becomes(options.isOver(nowMillis) ? null : after, options.returnsOld() ? old : Reply.Plain.OK);
    }
}
