package kvant.server.resp;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import kvant.server.request.Outcome;
import kvant.server.request.Precondition;
import kvant.server.request.Request;
import kvant.server.resp.CommandSpec.Right;
import kvant.server.resp.parse.Words;
import org.jspecify.annotations.Nullable;

/// The commands that change a part of a value, move values, or compare before they remove.
final class StringCommands {

    private static final Reply NO = new Reply.Number(0);
    private static final Reply YES = new Reply.Number(1);
    private static final Reply NO_KEY = Errors.error("ERR no such key");
    private static final Reply TOO_LONG = Errors.error("ERR string exceeds maximum allowed size (proto-max-bulk-len)");
    private static final Reply NO_FLOAT = Errors.error("ERR value is not a valid float");
    private static final byte[] NOTHING = {};

    private StringCommands() {}

    static List<CommandSpec> specs() {
        return List.of(
                CommandSpec.ofKey("append", 3, Right.READ_AND_WRITE, (c, _, words) -> append(c, words)),
                CommandSpec.ofKey("getrange", 4, Right.READ, (c, _, words) -> range(c, words)),
                CommandSpec.ofKey("substr", 4, Right.READ, (c, _, words) -> range(c, words)),
                CommandSpec.ofKey("setrange", 4, Right.READ_AND_WRITE, (c, _, words) -> setRange(c, words)),
                CommandSpec.ofKey("incrbyfloat", 3, Right.READ_AND_WRITE, (_, _, words) -> addFloat(words)),
                CommandSpec.ofKeys("msetnx", -3, Right.WRITE, 2, (_, _, words) -> setAllAbsent(words)),
                new CommandSpec("copy", -3, Right.READ_AND_WRITE, 1, 2, 1, (_, _, words) -> copy(words)),
                new CommandSpec("rename", 3, Right.WRITE, 1, 2, 1, (_, _, words) -> rename(words, false)),
                new CommandSpec("renamenx", 3, Right.WRITE, 1, 2, 1, (_, _, words) -> rename(words, true)),
                CommandSpec.ofKey("delex", -2, Right.READ_AND_WRITE, (_, _, words) -> deleteIf(words)),
                CommandSpec.ofKey(
                        "delifeq",
                        3,
                        Right.READ_AND_WRITE,
                        (_, _, words) -> deleteIf(words.get(1), words.get(2), true)));
    }

    // --- Parts of values ---

    private static Update append(Commands commands, List<byte[]> words) {
        byte[] more = words.get(2);
        return spliced(words.get(1), more, -1, commands.maxValueBytes());
    }

    private static Action setRange(Commands commands, List<byte[]> words) throws WrongCommandException {
        long offset = Errors.integer(words.get(2), Errors.NOT_AN_INTEGER);
        if (offset < 0) {
            throw new WrongCommandException(Errors.error("ERR offset is out of range"));
        }
        return spliced(words.get(1), words.get(3), offset, commands.maxValueBytes());
    }

    /// Writes bytes into a value, with zeros in front where it is shorter; its life time stays.
    ///
    /// @param offset -1 for the end
    private static Update spliced(byte[] key, byte[] bytes, long offset, int most) {
        return new Update(key, (before, _) -> {
            byte[] old = before == null ? NOTHING : before.value();
            long at = offset < 0 ? old.length : offset;
            if (bytes.length == 0 && (offset >= 0 || before != null)) {
                return Update.Result.stays(before, new Reply.Number(old.length));
            } else if (at > most - bytes.length) {
                return Update.Result.stays(before, TOO_LONG);
            }
            byte[] value = Arrays.copyOf(old, Math.max(old.length, (int) at + bytes.length));
            System.arraycopy(bytes, 0, value, (int) at, bytes.length);
            return becomes(before, value, new Reply.Number(value.length));
        });
    }

    private static Update.Result becomes(Update.@Nullable Entry before, byte[] value, Reply reply) {
        return Update.Result.becomes(new Update.Entry(value, before == null ? 0 : before.expiresAtMillis()), reply);
    }

    /// Both ends count, from the end where they are negative.
    private static Command range(Commands commands, List<byte[]> words) throws WrongCommandException {
        long first = Errors.integer(words.get(2), Errors.NOT_AN_INTEGER);
        long last = Errors.integer(words.get(3), Errors.NOT_AN_INTEGER);
        return commands.one(new Request.Get(words.get(1), Precondition.Plain.NONE), outcome -> {
            byte[] value = outcome instanceof Outcome.Found(byte[] found, long _) ? found : NOTHING;
            long from = Math.max(0, first < 0 ? first + value.length : first);
            long to = Math.min(value.length, (last < 0 ? Math.max(last + value.length, 0) : last) + 1);
            boolean none = from >= to || first < 0 && last < 0 && first > last;
            return new Reply.Bulk(none ? NOTHING : Arrays.copyOfRange(value, (int) from, (int) to));
        });
    }

    // --- Floating point ---

    private static Update addFloat(List<byte[]> words) throws WrongCommandException {
        String word = Words.text(words.get(2));
        if (word.matches("(?i)[+-]?inf(inity)?")) {
            throw new WrongCommandException(Errors.error("ERR increment would produce NaN or Infinity"));
        }
        BigDecimal delta = extended(words.get(2));
        if (delta == null) {
            throw new WrongCommandException(NO_FLOAT);
        }
        return new Update(words.get(1), (before, _) -> {
            BigDecimal present = before == null ? BigDecimal.ZERO : extended(before.value());
            if (present == null) {
                return Update.Result.stays(before, NO_FLOAT);
            }
            BigDecimal sum = extended(present.add(delta));
            BigDecimal shown = sum.setScale(DECIMALS, RoundingMode.HALF_EVEN).stripTrailingZeros();
            byte[] text = (shown.signum() == 0 ? "0" : shown.toPlainString()).getBytes(StandardCharsets.US_ASCII);
            return becomes(before, text, new Reply.Bulk(text));
        });
    }

    /// Digits that Redis shows behind the point.
    private static final int DECIMALS = 17;

    /// Bits of a `long double` of x86, with which Redis counts.
    private static final int SIGNIFICANT_BITS = 64;

    /// What is longer is no number for Redis either.
    private static final int MAX_FLOAT_CHARS = 5 * 1024;

    private static final int MAX_EXPONENT = 4900;

    private static @Nullable BigDecimal extended(byte[] word) {
        try {
            if (word.length > MAX_FLOAT_CHARS) {
                return null;
            }
            BigDecimal exact = new BigDecimal(Words.text(word));
            int exponent = exact.precision() - exact.scale();
            return exact.signum() != 0 && Math.abs(exponent) > MAX_EXPONENT ? null : extended(exact);
        } catch (NumberFormatException _) {
            return null;
        }
    }

    /// The nearest number that has so many bits.
    private static BigDecimal extended(BigDecimal exact) {
        if (exact.signum() == 0) {
            return BigDecimal.ZERO;
        }
        int power = (int) Math.floor((exact.precision() - exact.scale()) / Math.log10(2)) - SIGNIFICANT_BITS - 8;
        BigDecimal unit = powerOfTwo(power); // so small that what is counted in it has some bits more
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

    // --- Several keys ---

    private static Action setAllAbsent(List<byte[]> words) throws WrongCommandException {
        if (words.size() % 2 == 0) {
            throw new WrongCommandException(Errors.wrongNumber("msetnx"));
        }
        return new Transaction(() -> everySecond(words), view -> {
            for (byte[] key : everySecond(words)) {
                if (view.get(key) != null) {
                    return NO;
                }
            }
            for (int i = 1; i < words.size(); i += 2) {
                view.put(words.get(i), new Update.Entry(words.get(i + 1), 0));
            }
            return YES;
        });
    }

    private static List<byte[]> everySecond(List<byte[]> words) {
        List<byte[]> keys = new ArrayList<>(words.size() / 2);
        for (int i = 1; i < words.size(); i += 2) {
            keys.add(words.get(i));
        }
        return keys;
    }

    private static Action copy(List<byte[]> words) throws WrongCommandException {
        boolean replaces = false;
        for (int i = 3; i < words.size(); i++) {
            if (Words.is(words.get(i), "replace")) {
                replaces = true;
            } else if (Words.is(words.get(i), "db") && i + 1 < words.size()) {
                if (Errors.integer(words.get(++i), Errors.NOT_AN_INTEGER) != 0) {
                    throw new WrongCommandException(Errors.error("ERR DB index is out of range"));
                }
            } else {
                throw new WrongCommandException(Errors.SYNTAX);
            }
        }
        byte[] from = words.get(1);
        byte[] to = words.get(2);
        if (Arrays.equals(from, to)) {
            throw new WrongCommandException(Errors.error("ERR source and destination objects are the same"));
        }
        boolean over = replaces;
        return new Transaction(() -> List.of(from, to), view -> {
            Update.Entry entry = view.get(from);
            if (entry == null || !over && view.get(to) != null) {
                return NO;
            }
            view.put(to, entry);
            return YES;
        });
    }

    private static Transaction rename(List<byte[]> words, boolean onlyAbsent) {
        byte[] from = words.get(1);
        byte[] to = words.get(2);
        return new Transaction(() -> onlyAbsent ? List.of(from, to) : List.of(from), view -> {
            Update.Entry entry = view.get(from);
            if (entry == null) {
                return NO_KEY;
            } else if (onlyAbsent && view.get(to) != null) {
                return NO;
            } else if (!Arrays.equals(from, to)) {
                view.put(to, entry);
                view.put(from, null);
            }
            return onlyAbsent ? YES : Reply.Plain.OK;
        });
    }

    // --- Compare and delete ---

    private static Action deleteIf(List<byte[]> words) throws WrongCommandException {
        byte[] key = words.get(1);
        if (words.size() == 2) {
            return new Update(key, (before, _) -> removed(before, before != null));
        } else if (words.size() != 4) {
            throw new WrongCommandException(Errors.wrongNumber("delex"));
        }
        byte[] option = words.get(2);
        if (Words.is(option, "ifdeq") || Words.is(option, "ifdne")) {
            throw new WrongCommandException(SetOptions.NO_DIGESTS);
        } else if (!Words.is(option, "ifeq") && !Words.is(option, "ifne")) {
            throw new WrongCommandException(Errors.error("ERR Invalid condition. Use IFEQ, IFNE, IFDEQ, or IFDNE"));
        }
        return deleteIf(key, words.get(3), Words.is(option, "ifeq"));
    }

    private static Update deleteIf(byte[] key, byte[] value, boolean equal) {
        return new Update(
                key, (before, _) -> removed(before, before != null && Arrays.equals(before.value(), value) == equal));
    }

    private static Update.Result removed(Update.@Nullable Entry before, boolean holds) {
        return holds ? Update.Result.becomes(null, YES) : Update.Result.stays(before, NO);
    }
}
