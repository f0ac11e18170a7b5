package kvant.report.words;

import java.text.NumberFormat;
import java.util.Locale;
import java.util.function.UnaryOperator;

/// Formats numbers in the style of a language. A number and its unit stay on one line.
public final class Numbers {

    /// Placeholder for an unknown number.
    public static final String NONE = "–";

    private static final char NO_BREAK = '\u00a0';
    private static final String[] TIME_UNITS = {"ns", "us", "ms", "s"};
    private static final String[] BYTE_UNITS = {"b", "kib", "mib", "gib", "tib"};

    private final Locale locale;
    private final UnaryOperator<String> units;

    Numbers(Locale locale, UnaryOperator<String> units) {
        this.locale = locale;
        this.units = units;
    }

    public String whole(long number) {
        return fixed(number, 0);
    }

    /// With about three significant digits.
    public String number(double number) {
        return fixed(number, decimals(number));
    }

    private static int decimals(double number) {
        double size = Math.abs(number);
        return size >= 100 || size == 0 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
    }

    /// With a fixed number of decimals.
    public String fixed(double number, int decimals) {
        if (!Double.isFinite(number)) {
            return NONE;
        }
        NumberFormat format = NumberFormat.getNumberInstance(locale);
        format.setMinimumFractionDigits(decimals);
        format.setMaximumFractionDigits(decimals);
        return format.format(number + 0.0).replace('-', '−');
    }

    /// @param decimals -1: as many as are significant
    public String percent(double share, int decimals) {
        double percent = 100 * share;
        double size = Math.abs(percent);
        int digits = decimals >= 0 ? decimals : size >= 10 || size == 0 ? 0 : size >= 1 ? 1 : size >= 0.01 ? 2 : 4;
        return Double.isFinite(percent) ? fixed(percent, digits) + NO_BREAK + "%" : NONE;
    }

    /// A time, such as `1.23 ms`.
    public String time(double nanos) {
        double value = nanos;
        int unit = 0;
        while (Math.abs(value) >= 999.5 && unit < TIME_UNITS.length - 1) {
            value /= 1000;
            unit++;
        }
        int digits = unit == 0 || value == Math.rint(value) ? 0 : decimals(value);
        return Double.isFinite(nanos)
                ? fixed(value, Math.min(2, digits)) + NO_BREAK + units.apply("unit." + TIME_UNITS[unit])
                : NONE;
    }

    /// Always in milliseconds, so that the values of a column are easy to compare.
    public String millis(double nanos) {
        double millis = nanos / 1e6;
        return fixed(millis, Math.abs(millis) >= 100 ? 0 : Math.abs(millis) >= 10 ? 1 : 2);
    }

    /// In powers of 1024, with the units of IEC 80000-13, such as `1.5 MiB`.
    public String bytes(double bytes) {
        double value = bytes;
        int unit = 0;
        while (value >= 1024 && unit < BYTE_UNITS.length - 1) {
            value /= 1024;
            unit++;
        }
        return Double.isFinite(bytes)
                ? fixed(value, unit == 0 || value >= 100 ? 0 : 1) + NO_BREAK + units.apply("unit." + BYTE_UNITS[unit])
                : NONE;
    }
}
