package kvant.cli.control;

import java.util.Locale;
import kvant.engine.Inspection.Figure;

/// Numbers for a person: with units, and rounded to what matters.
public final class Quantity {

    private static final String[] BYTE_UNITS = {"B", "kB", "MB", "GB", "TB", "PB"};

    private Quantity() {}

    static String of(Figure figure) {
        return switch (figure.unit()) {
            case BYTES -> bytes((long) figure.value());
            case COUNT -> count((long) figure.value());
            case RATIO -> String.format(Locale.ROOT, "%.2f", figure.value());
            case SECONDS -> String.format(Locale.ROOT, "%.3f s", figure.value());
        };
    }

    /// With the decimal units that disks are sold in.
    public static String bytes(long bytes) {
        double value = bytes;
        int unit = 0;
        while (value >= 1_000 && unit < BYTE_UNITS.length - 1) {
            value /= 1_000;
            unit++;
        }
        return unit == 0 ? bytes + " B" : String.format(Locale.ROOT, "%.1f %s", value, BYTE_UNITS[unit]);
    }

    /// In groups of three digits.
    public static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }
}
