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

/// The commands that change a part of a value, move values, or compare before they remove.
final class StringCommands {

    private static final Reply NO = new Reply.Number(0);
    private static final Reply YES = new Reply.Number(1);
    private static final String NO_FLOAT = "ERR value is not a valid float";
    private static final byte[] NOTHING = {};

    private StringCommands() {}

    static List<CommandSpec> specs() {
        return List.of(
                CommandSpec.ofKey("append", 3, Right.READ_AND_WRITE, (c, _, words) -> splice(c, words, 2, -1)),
                CommandSpec.ofKey("setrange", 4, Right.READ_AND_WRITE, (c, _, words) -> setRange(c, words)),
                CommandSpec.ofKey("getrange", 4, Right.READ, (c, _, words) -> range(c, words)),
                CommandSpec.ofKey("substr", 4, Right.READ, (c, _, words) -> range(c, words)),
                CommandSpec.ofKey("incrbyfloat", 3, Right.READ_AND_WRITE, (_, _, words) -> addFloat(words)),
                CommandSpec.ofKeys("msetnx", -3, Right.WRITE, 2, (_, _, words) -> setAllAbsent(words)),
                new CommandSpec("copy", -3, Right.READ_AND_WRITE, 1, 2, 1, (_, _, words) -> copy(words)),
                new CommandSpec("rename", 3, Right.WRITE, 1, 2, 1, (_, _, words) -> rename(words, false)),
                new CommandSpec("renamenx", 3, Right.WRITE, 1, 2, 1, (_, _, words) -> rename(words, true)),
                CommandSpec.ofKey("delex", -2, Right.READ_AND_WRITE, (_, _, words) -> deleteIf(words)),
                CommandSpec.ofKey("delifeq", 3, Right.READ_AND_WRITE, (_, _, words) -> deleteIf(words, 2, true)));
    }

    // --- Parts of values ---

    private static Action setRange(Commands commands, List<byte[]> words) throws WrongCommandException {
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
    private static Action splice(Commands commands, List<byte[]> words, int with, long offset) {
        byte[] key = words.get(1);
        byte[] bytes = words.get(with);
        return new Action.Update(key, view -> {
            View.Entry before = view.get(key);
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

    /// Both ends are inclusive, and count from the end where they are negative.
    private static Command range(Commands commands, List<byte[]> words) throws WrongCommandException {
        long first = Errors.integer(words.get(2));
        long last = Errors.integer(words.get(3));
        return commands.one(new Request.Get(words.get(1), Precondition.Plain.NONE), outcome -> {
            byte[] value = outcome instanceof Outcome.Found(byte[] found, long _) ? found : NOTHING;
            long from = Math.max(0, first < 0 ? first + value.length : first);
            long to = Math.min(value.length, (last < 0 ? Math.max(last + value.length, 0) : last) + 1);
            boolean none = from >= to || first < 0 && last < 0 && first > last;
            return new Reply.Bulk(none ? NOTHING : Arrays.copyOfRange(value, (int) from, (int) to));
        });
    }

    // --- Floating point ---

    private static Action addFloat(List<byte[]> words) throws WrongCommandException {
        if (Words.text(words.get(2)).matches("(?i)[+-]?inf(inity)?")) {
            throw new WrongCommandException("ERR increment would produce NaN or Infinity");
        }
        BigDecimal delta = extended(words.get(2));
        byte[] key = words.get(1);
        return new Action.Update(key, view -> {
            View.Entry before = view.get(key);
            BigDecimal present = before == null ? BigDecimal.ZERO : extended(before.value());
            BigDecimal sum = extended(present.add(delta));
            BigDecimal shown = sum.setScale(DECIMALS, RoundingMode.HALF_EVEN).stripTrailingZeros();
            byte[] text = (shown.signum() == 0 ? "0" : shown.toPlainString()).getBytes(StandardCharsets.US_ASCII);
            view.replace(key, text);
            return new Reply.Bulk(text);
        });
    }

    /// Digits that Redis shows behind the point.
    private static final int DECIMALS = 17;

    /// Bits of a `long double` of x86, with which Redis counts.
    private static final int SIGNIFICANT_BITS = 64;

    /// Longer texts are no number for Redis either.
    private static final int MAX_FLOAT_CHARS = 5 * 1024;

    private static final int MAX_EXPONENT = 4900;

    private static BigDecimal extended(byte[] word) throws WrongCommandException {
        try {
            BigDecimal exact = new BigDecimal(word.length > MAX_FLOAT_CHARS ? "" : Words.text(word));
            if (exact.signum() == 0 || Math.abs(exact.precision() - exact.scale()) <= MAX_EXPONENT) {
                return extended(exact);
            }
        } catch (NumberFormatException _) {
            // as one that is too large
        }
        throw new WrongCommandException(NO_FLOAT);
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

    // --- Several keys ---

    private static Action setAllAbsent(List<byte[]> words) throws WrongCommandException {
        if (words.size() % 2 == 0) {
            throw new WrongCommandException(Errors.wrongNumber("msetnx"));
        }
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
                view.put(words.get(i), new View.Entry(words.get(i + 1), 0));
            }
            return YES;
        });
    }

    private static Action copy(List<byte[]> words) throws WrongCommandException {
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
        boolean over = replaces;
        return new Action.Transaction(() -> words.subList(1, 3), view -> {
            View.Entry entry = view.get(words.get(1));
            if (entry == null || !over && view.get(words.get(2)) != null) {
                return NO;
            }
            view.put(words.get(2), entry);
            return YES;
        });
    }

    private static Action rename(List<byte[]> words, boolean onlyAbsent) {
        byte[] from = words.get(1);
        byte[] to = words.get(2);
        return new Action.Transaction(() -> words.subList(1, onlyAbsent ? 3 : 2), view -> {
            View.Entry entry = view.get(from);
            if (entry == null) {
                throw new WrongCommandException("ERR no such key");
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
        if (words.size() == 2) {
            return deleteIf(words, 0, false);
        } else if (words.size() != 4) {
            throw new WrongCommandException(Errors.wrongNumber("delex"));
        } else if (!KeyCommands.isComparison(words.get(2))) {
            throw new WrongCommandException("ERR Invalid condition. Use IFEQ, IFNE, IFDEQ, or IFDNE");
        }
        return deleteIf(words, 3, Words.is(words.get(2), "ifeq"));
    }

    /// @param with index of the word to compare with, 0 for none
    private static Action deleteIf(List<byte[]> words, int with, boolean equal) {
        byte[] key = words.get(1);
        return new Action.Update(key, view -> {
            View.Entry before = view.get(key);
            if (before == null || with != 0 && Arrays.equals(before.value(), words.get(with)) != equal) {
                return NO;
            }
            view.put(key, null);
            return YES;
        });
    }
}
