package kvant.lab;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;

/// Amounts as people write them: `30s`, `2m`, `500ms`, `20k`, `1.5M`.
public final class Amounts {

    private Amounts() {}

    /// A time; the unit is part of it, because 30 of what is a question that no tool should answer.
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

    /// Without powers of ten, which make a number of a few letters too long to compute with.
    private static BigDecimal decimal(String digits) {
        if (digits.length() > 30 || digits.contains("e")) {
            throw new NumberFormatException();
        }
        return new BigDecimal(digits);
    }
}
