package kvant.server.resp;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import kvant.engine.Mutation;
import kvant.server.request.Outcome;
import kvant.server.request.Precondition;
import kvant.server.request.Request;
import kvant.server.resp.parse.Words;
import org.jspecify.annotations.Nullable;

/// The commands on values, and on when they expire.
final class Values {

    private static final Reply STRING = Reply.Raw.of("+string\r\n");
    private static final Reply NONE = Reply.Raw.of("+none\r\n");
    private static final Reply NO = new Reply.Number(0);
    private static final Reply YES = new Reply.Number(1);
    private static final Reply NO_KEY = Errors.error("ERR no such key");
    private static final byte[] NOTHING = {};

    private Values() {}

    // --- Reads ---

    static Command get(Commands commands, byte[] key) {
        return commands.one(get(key), outcome -> bulk(outcome instanceof Outcome.Found found ? found.value() : null));
    }

    static Request get(byte[] key) {
        return new Request.Get(key, Precondition.Plain.NONE);
    }

    /// Asks for the presence and length of a value.
    static Request look(byte[] key) {
        return new Request.Get(key, Precondition.Plain.NONE, Request.USUAL_ACKS, true);
    }

    private static Reply bulk(byte @Nullable [] value) {
        return value == null ? Reply.Plain.NIL : new Reply.Bulk(value);
    }

    private static Reply old(Outcome.@Nullable Entry before) {
        return bulk(before == null ? null : before.value());
    }

    static Reply length(Outcome outcome) {
        return new Reply.Number(outcome instanceof Outcome.Described(long _, int bytes) ? bytes : 0);
    }

    static Reply type(Outcome outcome) {
        return Command.isMiss(outcome) ? NONE : STRING;
    }

    static Reply hit(Outcome outcome) {
        return Command.isMiss(outcome) ? NO : YES;
    }

    /// Counts the keys that had a value.
    static Command count(Commands commands, List<byte[]> words, Function<byte[], Request> asker) {
        return words.size() == 2
                ? commands.one(asker.apply(words.get(1)), Values::hit)
                : several(commands, words, asker, true);
    }

    static Command several(Commands commands, List<byte[]> words, Function<byte[], Request> asker, boolean counts) {
        return new Command.Several(words.subList(1, words.size()), asker, counts, commands.paths());
    }

    /// Both ends are inclusive, and count from the end where they are negative.
    static Command range(Commands commands, List<byte[]> words) throws WrongCommandException {
        long first = Errors.integer(words.get(2));
        long last = Errors.integer(words.get(3));
        return commands.one(get(words.get(1)), outcome -> {
            byte[] value = outcome instanceof Outcome.Found found ? found.value() : NOTHING;
            long from = Math.max(0, first < 0 ? first + value.length : first);
            long to = Math.min(value.length, (last < 0 ? Math.max(last + value.length, 0) : last) + 1);
            boolean none = from >= to || first < 0 && last < 0 && first > last;
            return new Reply.Bulk(none ? NOTHING : Arrays.copyOfRange(value, (int) from, (int) to));
        });
    }

    // --- SET and its kin ---

    static Action set(Commands commands, Session session, List<byte[]> words) throws WrongCommandException {
        long now = commands.clock().millis();
        SetOptions options = SetOptions.of(words, now);
        byte[] key = words.get(1);
        if ((options.returnsOld || options.compared != null) && !session.mayRead()) {
            throw new WrongCommandException(Errors.notAllowed("set with get or a comparison", "read"));
        }
        if (options.returnsOld || options.keepsExpiry || options.compared != null) { // the present value has to be read
            return options.update(words);
        }
        Precondition precondition = options.onlyAbsent
                ? Precondition.Plain.ABSENT
                : options.onlyPresent ? Precondition.Plain.PRESENT : Precondition.Plain.NONE;
        boolean over = options.expiresAtMillis != 0 && options.expiresAtMillis <= now;
        Request request = over
                ? Request.Update.delete(key, precondition)
                : Request.Update.put(key, words.get(2), options.expiresAtMillis, precondition);
        return commands.one(request, outcome -> Command.isMiss(outcome) ? Reply.Plain.NIL : Reply.Plain.OK);
    }

    static Command setAbsent(Commands commands, List<byte[]> words) {
        Request request =
                Request.Update.put(words.get(1), words.get(2), Request.Update.NEVER, Precondition.Plain.ABSENT);
        return commands.one(request, Values::hit);
    }

    /// An older name for `SET` with an expiry option.
    static Command setFor(Commands commands, List<byte[]> words, Unit unit, String name) throws WrongCommandException {
        long expires = unit.expiry(words.get(2), commands.clock().millis(), name, 1);
        Request request = Request.Update.put(words.get(1), words.get(3), expires, Precondition.Plain.NONE);
        return commands.one(request, _ -> Reply.Plain.OK);
    }

    static Action getSet(List<byte[]> words) {
        return SetOptions.OLD.update(words);
    }

    static Command setAll(Commands commands, List<byte[]> words) throws WrongCommandException {
        checkPairs(words, "mset");
        return commands.one(Request.Update.puts(words, 1), _ -> Reply.Plain.OK);
    }

    private static void checkPairs(List<byte[]> words, String name) throws WrongCommandException {
        if (words.size() % 2 == 0) {
            throw new WrongCommandException(Errors.wrongNumber(name));
        }
    }

    static Request deletion(byte[] key) {
        return Request.Update.delete(key, Precondition.Plain.PRESENT);
    }

    /// The options of a `SET`, which follow its value.
    private static final class SetOptions {

        private static final int FIRST = 3;
        private static final SetOptions NONE = new SetOptions();

        /// `GET` alone.
        private static final SetOptions OLD = new SetOptions();

        static {
            OLD.returnsOld = true;
        }

        private boolean onlyAbsent;
        private boolean onlyPresent; // with a comparison: whether the value has to be equal
        private boolean returnsOld;
        private boolean keepsExpiry;
        private long expiresAtMillis; // 0 for a value that stays
        private byte @Nullable [] compared;

        /// @param words of the whole command
        static SetOptions of(List<byte[]> words, long nowMillis) throws WrongCommandException {
            if (words.size() == FIRST) {
                return NONE;
            }
            SetOptions read = new SetOptions();
            for (int i = FIRST; i < words.size(); i++) {
                byte[] word = words.get(i);
                Unit unit = Unit.of(word);
                boolean compares = read.compared != null;
                if (unit != null && read.expiresAtMillis == 0 && !read.keepsExpiry && i + 1 < words.size()) {
                    read.expiresAtMillis = unit.expiry(words.get(++i), nowMillis, "set", 1);
                } else if (Words.is(word, "nx") && !read.onlyPresent && !compares) {
                    read.onlyAbsent = true;
                } else if (Words.is(word, "xx") && !read.onlyAbsent && !compares) {
                    read.onlyPresent = true;
                } else if (isComparison(word)
                        && !read.onlyPresent
                        && !read.onlyAbsent
                        && !compares
                        && i + 1 < words.size()) {
                    read.onlyPresent = Words.is(word, "ifeq");
                    read.compared = words.get(++i);
                } else if (Words.is(word, "get")) {
                    read.returnsOld = true;
                } else if (Words.is(word, "keepttl") && read.expiresAtMillis == 0) {
                    read.keepsExpiry = true;
                } else {
                    throw new WrongCommandException(Errors.SYNTAX);
                }
            }
            return read;
        }

        Action.Update update(List<byte[]> words) {
            return new Action.Update(words.get(1), view -> {
                Outcome.Entry before = view.get(words.get(1));
                boolean holds = onlyAbsent ? before == null : !onlyPresent || before != null;
                if (compared != null && before != null) {
                    holds = Arrays.equals(compared, before.value()) == onlyPresent;
                }
                if (holds) {
                    long kept = before == null ? 0 : before.expiresAtMillis();
                    view.put(words.get(1), words.get(2), keepsExpiry ? kept : expiresAtMillis);
                }
                return returnsOld ? old(before) : holds ? Reply.Plain.OK : Reply.Plain.NIL;
            });
        }
    }

    private static boolean isComparison(byte[] word) throws WrongCommandException {
        if (Words.is(word, "ifdeq") || Words.is(word, "ifdne")) {
            throw new WrongCommandException(Errors.NO_DIGESTS);
        }
        return Words.is(word, "ifeq") || Words.is(word, "ifne");
    }

    // --- Compare and delete ---

    static Action deleteIf(List<byte[]> words) throws WrongCommandException {
        if (words.size() == 2) {
            return deleteIf(words, 0, false);
        } else if (words.size() != 4) {
            throw new WrongCommandException(Errors.wrongNumber("delex"));
        } else if (!isComparison(words.get(2))) {
            throw new WrongCommandException("ERR Invalid condition. Use IFEQ, IFNE, IFDEQ, or IFDNE");
        }
        return deleteIf(words, 3, Words.is(words.get(2), "ifeq"));
    }

    /// @param with index of the word to compare with, 0 for none
    static Action deleteIf(List<byte[]> words, int with, boolean equal) {
        return new Action.Update(words.get(1), view -> {
            Outcome.Entry before = view.get(words.get(1));
            if (before == null || with != 0 && Arrays.equals(before.value(), words.get(with)) != equal) {
                return NO;
            }
            view.remove(words.get(1));
            return YES;
        });
    }

    // --- Several keys ---

    static Action setAllAbsent(List<byte[]> words) throws WrongCommandException {
        checkPairs(words, "msetnx");
        List<byte[]> keys = new ArrayList<>(words.size() / 2);
        for (int i = 1; i < words.size(); i += 2) {
            keys.add(words.get(i));
        }
        return new Action.Transaction(() -> keys, view -> {
            for (byte[] key : keys) {
                if (view.get(key) != null) {
                    return NO;
                }
            }
            for (int i = 1; i < words.size(); i += 2) {
                view.put(words.get(i), words.get(i + 1), 0);
            }
            return YES;
        });
    }

    static Action copy(List<byte[]> words) throws WrongCommandException {
        boolean replaces = false;
        for (int i = 3; i < words.size(); i++) {
            if (Words.is(words.get(i), "replace")) {
                replaces = true;
            } else if (!Words.is(words.get(i), "db") || i + 1 == words.size()) {
                throw new WrongCommandException(Errors.SYNTAX);
            } else if (Errors.integer(words.get(++i)) != 0) {
                throw new WrongCommandException("ERR DB index is out of range");
            }
        }
        if (Arrays.equals(words.get(1), words.get(2))) {
            throw new WrongCommandException("ERR source and destination objects are the same");
        }
        return move(words, replaces, true, NO, YES);
    }

    static Action rename(List<byte[]> words, boolean onlyAbsent) {
        return move(words, !onlyAbsent, false, NO_KEY, onlyAbsent ? YES : Reply.Plain.OK);
    }

    /// Moves or copies an entry to another key, with its expiry time.
    ///
    /// @param over whether an entry of the other key is replaced
    private static Action move(List<byte[]> words, boolean over, boolean copies, Reply missing, Reply done) {
        byte[] from = words.get(1);
        byte[] to = words.get(2);
        return new Action.Transaction(() -> words.subList(1, over ? 2 : 3), view -> {
            Outcome.Entry entry = view.get(from);
            if (entry == null || !over && view.get(to) != null) {
                return entry == null ? missing : NO;
            } else if (!Arrays.equals(from, to)) {
                view.put(to, entry.value(), entry.expiresAtMillis());
                if (!copies) {
                    view.remove(from);
                }
            }
            return done;
        });
    }

    // --- Parts of values ---

    static Action setRange(Commands commands, List<byte[]> words) throws WrongCommandException {
        long offset = Errors.integer(words.get(2));
        if (offset < 0) {
            throw new WrongCommandException("ERR offset is out of range");
        }
        return splice(commands, words, 3, offset);
    }

    /// Writes bytes into a value, with zeros in front if it is shorter; its life time stays.
    ///
    /// @param with index of the word with the bytes
    /// @param offset -1 for the end
    static Action splice(Commands commands, List<byte[]> words, int with, long offset) {
        byte[] key = words.get(1);
        byte[] bytes = words.get(with);
        return new Action.Update(key, view -> {
            Outcome.Entry before = view.get(key);
            byte[] old = before == null ? NOTHING : before.value();
            long at = offset < 0 ? old.length : offset;
            if (bytes.length == 0 && (offset >= 0 || before != null)) {
                return new Reply.Number(old.length);
            } else if (at > commands.maxValueBytes() - bytes.length) {
                throw new WrongCommandException("ERR string exceeds maximum allowed size (proto-max-bulk-len)");
            }
            byte[] value = Arrays.copyOf(old, Math.max(old.length, (int) at + bytes.length));
            System.arraycopy(bytes, 0, value, (int) at, bytes.length);
            view.replace(key, value);
            return new Reply.Number(value.length);
        });
    }

    // --- Numbers ---

    static Action addedBy(List<byte[]> words, boolean negated) throws WrongCommandException {
        long number = Errors.integer(words.get(2));
        if (negated && number == Long.MIN_VALUE) {
            throw new WrongCommandException("ERR decrement would overflow");
        }
        return added(words, negated ? -number : number);
    }

    /// Adds to a decimal number, or to 0 if there is none. Its life time stays.
    static Action added(List<byte[]> words, long delta) {
        byte[] key = words.get(1);
        return new Action.Update(key, view -> {
            Outcome.Entry before = view.get(key);
            long number = before == null ? 0 : Errors.integer(before.value());
            long sum = number + delta;
            if (((number ^ sum) & (delta ^ sum)) < 0) {
                throw new WrongCommandException("ERR increment or decrement would overflow");
            }
            view.replace(key, Long.toString(sum).getBytes(StandardCharsets.US_ASCII));
            return new Reply.Number(sum);
        });
    }

    /// Digits that Redis shows behind the point.
    private static final int DECIMALS = 17;

    /// Bits of a `long double` of x86, with which Redis counts.
    private static final int SIGNIFICANT_BITS = 64;

    /// Longer texts are no number for Redis either.
    private static final int MAX_FLOAT_CHARS = 5 * 1024;

    private static final int MAX_EXPONENT = 4900;

    static Action addFloat(List<byte[]> words) throws WrongCommandException {
        if (Words.text(words.get(2)).matches("(?i)[+-]?inf(inity)?")) {
            throw new WrongCommandException("ERR increment would produce NaN or Infinity");
        }
        BigDecimal delta = extended(words.get(2));
        byte[] key = words.get(1);
        return new Action.Update(key, view -> {
            Outcome.Entry before = view.get(key);
            BigDecimal present = before == null ? BigDecimal.ZERO : extended(before.value());
            BigDecimal sum = extended(present.add(delta));
            BigDecimal shown = sum.setScale(DECIMALS, RoundingMode.HALF_EVEN).stripTrailingZeros();
            byte[] text = shown.toPlainString().getBytes(StandardCharsets.US_ASCII);
            view.replace(key, text);
            return new Reply.Bulk(text);
        });
    }

    private static BigDecimal extended(byte[] word) throws WrongCommandException {
        try {
            BigDecimal exact = new BigDecimal(word.length > MAX_FLOAT_CHARS ? "" : Words.text(word));
            if (exact.signum() == 0 || Math.abs(exact.precision() - exact.scale()) <= MAX_EXPONENT) {
                return extended(exact);
            }
        } catch (NumberFormatException _) {
            // as one that is too large
        }
        throw new WrongCommandException("ERR value is not a valid float");
    }

    /// The nearest number with [#SIGNIFICANT_BITS] bits.
    private static BigDecimal extended(BigDecimal exact) {
        if (exact.signum() == 0) {
            return BigDecimal.ZERO;
        }
        int power = (int) Math.floor((exact.precision() - exact.scale()) / Math.log10(2)) - SIGNIFICANT_BITS - 8;
        BigDecimal unit = powerOfTwo(power); // small enough to leave some bits more
        int more = exact.divide(unit, MathContext.UNLIMITED).toBigInteger().bitLength() - SIGNIFICANT_BITS;
        BigDecimal last = powerOfTwo(power + more);
        return exact.divide(last, MathContext.UNLIMITED)
                .setScale(0, RoundingMode.HALF_EVEN)
                .multiply(last);
    }

    /// Exact; a division by it is, too.
    private static BigDecimal powerOfTwo(int power) {
        BigDecimal whole = new BigDecimal(BigInteger.ONE.shiftLeft(Math.abs(power)));
        return power < 0 ? BigDecimal.ONE.divide(whole, MathContext.UNLIMITED) : whole;
    }

    // --- Life times ---

    /// The earliest expiry time; 0 stands for none.
    static final long LONG_AGO = 1;

    private static final List<String> CONDITIONS = List.of("nx", "xx", "gt", "lt");

    /// The unit of a time in a command.
    enum Unit {
        EX(1000, Mutation.Put.MAX_LIFE_SECONDS),
        PX(1, Mutation.Put.MAX_LIFE_SECONDS * 1000),
        /// Since 1970.
        EXAT(1000, Long.MAX_VALUE / 1000),
        /// Since 1970.
        PXAT(1, Long.MAX_VALUE);

        private static final List<Unit> ALL = List.of(values());

        private final String option = name().toLowerCase(Locale.ROOT);
        private final long millis;
        private final long most;

        Unit(long millis, long most) {
            this.millis = millis;
            this.most = most;
        }

        /// @return null where a word is none of the options of SET
        static @Nullable Unit of(byte[] word) {
            for (Unit unit : ALL) {
                if (Words.is(word, unit.option)) {
                    return unit;
                }
            }
            return null;
        }

        /// @param least number that is a time
        /// @return milliseconds since the epoch
        long expiry(byte[] word, long nowMillis, String command, long least) throws WrongCommandException {
            long number = Errors.integer(word);
            if (number > most || number < Math.max(least, -most)) {
                throw new WrongCommandException("ERR invalid expire time in '" + command + "' command");
            }
            return (this == EX || this == PX ? nowMillis : 0) + number * millis;
        }
    }

    /// `TTL` and similar commands: the remaining time to live of a value, or its expiry time.
    static Command left(Commands commands, List<byte[]> words, boolean seconds, boolean absolute) {
        return commands.one(new Request.Record(words.get(1)), outcome -> {
            long now = commands.clock().millis();
            long expires = outcome instanceof Outcome.Entry entry ? entry.expiresAtMillis() : LONG_AGO;
            if (expires == Request.Update.NEVER || expires <= now) {
                return new Reply.Number(expires == Request.Update.NEVER ? -1 : -2); // -2: there is no value
            }
            long millis = absolute ? expires : expires - now;
            // Rounded as Redis does, and right up to the latest time that there is.
            return new Reply.Number(seconds ? millis / 1000 + (millis % 1000 + 500) / 1000 : millis);
        });
    }

    /// `EXPIRE` and similar commands. A time before the epoch has passed, too.
    static Action expire(Commands commands, List<byte[]> words, Unit unit, String name) throws WrongCommandException {
        Set<String> when = conditions(words.subList(3, words.size()));
        long expires = unit.expiry(words.get(2), commands.clock().millis(), name, Long.MIN_VALUE);
        return expiring(words.get(1), Math.max(LONG_AGO, expires), when, false);
    }

    /// `GETEX`, which is `GET` where no life time is given.
    static Action getFor(Commands commands, List<byte[]> words) throws WrongCommandException {
        byte[] key = words.get(1);
        if (words.size() == 2) {
            return get(commands, key);
        } else if (words.size() == 3 && Words.is(words.get(2), "persist")) {
            return expiring(key, 0, Set.of("xx"), true);
        }
        Unit unit = Unit.of(words.get(2));
        if (unit == null || words.size() != 4) {
            throw new WrongCommandException(Errors.SYNTAX);
        }
        return expiring(key, unit.expiry(words.get(3), commands.clock().millis(), "getex", 1), Set.of(), true);
    }

    /// @param expiresAtMillis 0 for never; a time in the past removes the key
    /// @param tellsValue whether the reply is the value, and not whether it was changed
    static Action expiring(byte[] key, long expiresAtMillis, Set<String> when, boolean tellsValue) {
        return new Action.Update(key, view -> {
            Outcome.Entry before = view.get(key);
            boolean changes = before != null && holds(when, before.expiresAtMillis(), expiresAtMillis);
            if (before != null && changes) {
                view.put(key, before.value(), expiresAtMillis);
            }
            return tellsValue ? old(before) : changes ? YES : NO;
        });
    }

    /// @param words compatible ones of `NX`, `XX`, `GT`, `LT`
    private static Set<String> conditions(List<byte[]> words) throws WrongCommandException {
        Set<String> all = new HashSet<>();
        for (byte[] word : words) {
            if (!CONDITIONS.contains(Words.option(word))) {
                throw new WrongCommandException("ERR Unsupported option " + Errors.shortened(word));
            }
            all.add(Words.option(word));
        }
        boolean mixed = all.contains("nx") && all.size() > 1;
        if (mixed || all.containsAll(List.of("gt", "lt"))) {
            throw new WrongCommandException("ERR " + (mixed ? "NX and XX, GT or LT" : "GT and LT")
                    + " options at the same time are not compatible");
        }
        return all;
    }

    /// A value that stays expires later than any.
    private static boolean holds(Set<String> when, long present, long next) {
        return (!when.contains("nx") || present == 0)
                && (!when.contains("xx") || present != 0)
                && (!when.contains("gt") || present != 0 && next > present)
                && (!when.contains("lt") || present == 0 || next < present);
    }
}
