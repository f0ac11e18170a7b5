package kvant.text;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Amounts as people write and read them, for every command, file and report.
///
/// | amount | read | written |
/// |---|---|---|
/// | time | `500us`, `30s`, `1.5h` | `1.23ms` |
/// | count | `64`, `20k`, `1.5M`: powers of 1000 | `1,234,567` |
/// | rate, per second | as counts | |
/// | bytes | `4096`, `64MiB` (1024 x 1024), `64MB` (1000 x 1000) | `64 MiB`, `1.5 GiB` |
///
/// Units of bytes are those of IEC 80000-13. A bare `64M` is refused for bytes, because some tools mean one and some
/// the other.
public final class Units {

    private static final String PREFIXES = "KMGT";

    private static final Pattern SIZE = Pattern.compile("(\\d{1,15}(?:\\.\\d{1,6})?) ?([KMGT]?)(I?)(B?)");

    private static final double NANOS_PER_MICRO = 1e3;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MINUTE = 60e9;

    private Units() {}

    /// A number of bytes.
    ///
    /// @throws IllegalArgumentException with a line for a person
    public static long bytes(String text) {
        Matcher matcher = SIZE.matcher(text.strip().toUpperCase(Locale.ROOT));
        if (!matcher.matches()
                || (matcher.group(2).isEmpty() && !matcher.group(3).isEmpty())) {
            throw new IllegalArgumentException("'" + text + "' is not a size, such as 4096, 64MiB or 10GiB");
        }
        String prefix = matcher.group(2);
        if (!prefix.isEmpty() && matcher.group(4).isEmpty()) {
            String number = matcher.group(1);
            throw new IllegalArgumentException("'" + text + "' is not a clear size: write " + number + prefix
                    + "iB (powers of 1024) or " + number + prefix + "B (powers of 1000)");
        }
        int power = prefix.isEmpty() ? 0 : PREFIXES.indexOf(prefix) + 1;
        BigDecimal unit =
                BigDecimal.valueOf(matcher.group(3).isEmpty() ? 1000 : 1024).pow(power);
        BigDecimal bytes = new BigDecimal(matcher.group(1)).multiply(unit);
        if (bytes.compareTo(BigDecimal.valueOf(Long.MAX_VALUE / 2)) > 0) {
            throw new IllegalArgumentException("'" + text + "' is more than any disk holds");
        }
        return bytes.longValue();
    }

    /// Bytes in the largest unit of which there is at least one, such as `64 MiB` or `1.5 GiB`.
    public static String bytes(long bytes) {
        double shown = bytes;
        int power = 0;
        while (Math.abs(shown) >= 1024 && power < PREFIXES.length()) {
            shown /= 1024;
            power++;
        }
        String unit = power == 0 ? " B" : " " + PREFIXES.charAt(power - 1) + "iB";
        return String.format(Locale.ROOT, shown == Math.rint(shown) ? "%.0f" : "%.1f", shown) + unit;
    }

    /// As [String#format] in the root locale: the language of the user does not change the numbers.
    public static String format(String format, Object... arguments) {
        return String.format(Locale.ROOT, format, arguments);
    }

    /// A time as wrk writes it: `640.00us`, `1.23ms`, `2.00s`, `1.50m`.
    public static String time(double nanos) {
        double size = Math.abs(nanos);
        if (size < NANOS_PER_MILLI) {
            return String.format(Locale.ROOT, "%.2fus", nanos / NANOS_PER_MICRO);
        }
        if (size < NANOS_PER_SECOND) {
            return String.format(Locale.ROOT, "%.2fms", nanos / NANOS_PER_MILLI);
        }
        return size < NANOS_PER_MINUTE
                ? String.format(Locale.ROOT, "%.2fs", nanos / NANOS_PER_SECOND)
                : String.format(Locale.ROOT, "%.2fm", nanos / NANOS_PER_MINUTE);
    }

    /// The time for a figure of a count of events; a dash for none.
    public static String time(double nanos, long of) {
        return of == 0 ? "-" : time(nanos);
    }

    /// A count in groups of three digits: `1,234,567`.
    public static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /// Reads a time with its unit. The unit is required, because a bare 30 is ambiguous.
    ///
    /// @throws IllegalArgumentException with a line for a person
    public static Duration duration(String text) {
        String lower = text.strip().toLowerCase(Locale.ROOT);
        int end = lower.length();
        while (end > 0 && Character.isLetter(lower.charAt(end - 1))) {
            end--;
        }
        String unit = lower.substring(end);
        long nanos = switch (unit) {
            case "us" -> 1_000L;
            case "ms" -> 1_000_000L;
            case "s" -> 1_000_000_000L;
            case "m" -> 60_000_000_000L;
            case "h" -> 3_600_000_000_000L;
            case "" -> throw new IllegalArgumentException("'" + text + "' has no unit: us, ms, s, m or h, such as 30s");
            default ->
                throw new IllegalArgumentException(
                        "'" + text + "' is not a time: a number with us, ms, s, m or h, such as 30s");
        };
        try {
            BigDecimal number = decimal(lower.substring(0, end));
            return Duration.ofNanos(
                    number.multiply(BigDecimal.valueOf(nanos)).toBigInteger().longValueExact());
        } catch (NumberFormatException _) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a time: a number with us, ms, s, m or h, such as 30s");
        } catch (ArithmeticException _) {
            throw new IllegalArgumentException("'" + text + "' is too long a time");
        }
    }

    /// A whole number, also with `k`, `M`, `G` (thousands).
    ///
    /// @throws IllegalArgumentException with a line for a person
    public static long count(String text) {
        try {
            return scaled(text).longValueExact();
        } catch (NumberFormatException | ArithmeticException _) {
            throw new IllegalArgumentException("'" + text + "' is not a whole number such as 64, 20k or 1M");
        }
    }

    /// A number of requests a second, also with `k`, `M`.
    ///
    /// @throws IllegalArgumentException with a line for a person
    public static double rate(String text) {
        try {
            double rate = scaled(text).doubleValue();
            if (rate > 0) {
                return rate;
            }
        } catch (NumberFormatException _) {
            // said below
        }
        throw new IllegalArgumentException("'" + text
                + "' is not a rate above 0 requests a second, such as 2000 or 20k; leave it out for a closed loop");
    }

    private static BigDecimal scaled(String text) {
        String lower = text.strip().toLowerCase(Locale.ROOT);
        int power = lower.endsWith("k") ? 3 : lower.endsWith("m") ? 6 : lower.endsWith("g") ? 9 : 0;
        String digits = power == 0 ? lower : lower.substring(0, lower.length() - 1);
        return decimal(digits).scaleByPowerOfTen(power);
    }

    /// Reads a number without an exponent, which would let a few letters make a number too long to compute with.
    private static BigDecimal decimal(String digits) {
        if (digits.length() > 30 || digits.contains("e")) {
            throw new NumberFormatException();
        }
        return new BigDecimal(digits);
    }
}
