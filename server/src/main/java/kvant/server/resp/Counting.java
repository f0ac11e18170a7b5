package kvant.server.resp;

import java.nio.charset.StandardCharsets;
import kvant.server.resp.parse.Words;
import org.jspecify.annotations.Nullable;

/// `INCR` and its kin: adds to a decimal number, or to 0 where there is none. Its life time stays.
///
/// @param delta what is added
record Counting(byte[] key, long delta) implements Update {

    @Override
    public Result apply(@Nullable Entry before, long nowMillis) {
        long sum;
        try {
            sum = Math.addExact(before == null ? 0 : Words.integer(before.value()), delta);
        } catch (Words.NotAnIntegerException _) {
            return Result.stays(before, Errors.NOT_AN_INTEGER);
        } catch (ArithmeticException _) {
            return Result.stays(before, Errors.OVERFLOW);
        }
        byte[] digits = Long.toString(sum).getBytes(StandardCharsets.US_ASCII);
        Entry after = new Entry(digits, before == null ? 0 : before.expiresAtMillis());
        return Result.becomes(after, new Reply.Number(sum));
    }
}
