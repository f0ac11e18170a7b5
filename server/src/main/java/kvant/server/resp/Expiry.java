package kvant.server.resp;

import kvant.engine.Mutation;
import kvant.server.resp.parse.Words;
import org.jspecify.annotations.Nullable;

/// When something expires, as commands say it.
final class Expiry {

    /// The earliest time that is one: 0 is none.
    static final long LONG_AGO = 1;

    private static final long MILLIS_PER_SECOND = 1000;

    /// Of which time a number speaks.
    enum Unit {
        SECONDS(MILLIS_PER_SECOND, Mutation.Put.MAX_LIFE_SECONDS),
        MILLIS(1, Mutation.Put.MAX_LIFE_SECONDS * MILLIS_PER_SECOND),
        /// Since 1970.
        AT_SECONDS(MILLIS_PER_SECOND, Long.MAX_VALUE / MILLIS_PER_SECOND),
        /// Since 1970.
        AT_MILLIS(1, Long.MAX_VALUE);

        private final long millis;
        private final long most;

        Unit(long millis, long most) {
            this.millis = millis;
            this.most = most;
        }
    }

    private Expiry() {}

    /// @return null where a word is none of the options of SET
    static @Nullable Unit unit(byte[] word) {
        if (Words.is(word, "ex")) {
            return Unit.SECONDS;
        }
        if (Words.is(word, "px")) {
            return Unit.MILLIS;
        }
        if (Words.is(word, "exat")) {
            return Unit.AT_SECONDS;
        }
        return Words.is(word, "pxat") ? Unit.AT_MILLIS : null;
    }

    /// @return milliseconds since the epoch, more than 0
    /// @throws WrongCommandException where it is no number, or no time in the future of the epoch
    static long of(Unit unit, byte[] word, long nowMillis, String command) throws WrongCommandException {
        long number = number(word);
        if (number <= 0) {
            throw new WrongCommandException(Errors.wrongExpiry(command));
        }
        return at(unit, number, nowMillis, command);
    }

    /// The same, but what lies before the epoch is over, too.
    static long orOver(Unit unit, byte[] word, long nowMillis, String command) throws WrongCommandException {
        return Math.max(LONG_AGO, at(unit, number(word), nowMillis, command));
    }

    private static long number(byte[] word) throws WrongCommandException {
        try {
            return Words.integer(word);
        } catch (Words.NotAnIntegerException _) {
            throw new WrongCommandException(Errors.NOT_AN_INTEGER);
        }
    }

    private static long at(Unit unit, long number, long nowMillis, String command) throws WrongCommandException {
        if (number > unit.most || number < -unit.most) {
            throw new WrongCommandException(Errors.wrongExpiry(command));
        }
        long begin = unit == Unit.SECONDS || unit == Unit.MILLIS ? nowMillis : 0;
        return begin + number * unit.millis;
    }
}
