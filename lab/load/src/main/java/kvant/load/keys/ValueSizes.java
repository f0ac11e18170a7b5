package kvant.load.keys;

import java.util.ArrayList;
import java.util.List;
import kvant.text.Check;
import kvant.text.Units;

/// The distribution of value lengths: `100`, `10-1KiB` (uniform), or `64:0.9,4KiB:0.1` (each size with its weight).
///
/// @param sizes lower end of each class
/// @param tops upper end of each class, inclusive
/// @param upTo cumulative share of each class; the last is 1
public record ValueSizes(String text, int[] sizes, int[] tops, double[] upTo) {

    /// Maximum length of a value in a request.
    public static final int MOST_BYTES = 64 << 20;

    private static final int MOST_CLASSES = 64;

    public static ValueSizes fixed(int bytes) {
        return parse(Integer.toString(bytes));
    }

    /// @throws IllegalArgumentException with a readable one-line reason
    public static ValueSizes parse(String text) {
        String[] parts = text.split(",", -1);
        Check.that(parts.length <= MOST_CLASSES, "'" + text + "': at most " + MOST_CLASSES + " sizes");
        List<int[]> ranges = new ArrayList<>();
        double[] upTo = new double[parts.length];
        double sum = 0;
        for (int i = 0; i < parts.length; i++) {
            String[] weighted = parts[i].split(":", -1);
            Check.that(
                    weighted.length == 2 || (parts.length == 1 && weighted.length == 1),
                    "'" + text + "': several sizes need a weight each, SIZE:WEIGHT");
            ranges.add(range(weighted[0], text));
            sum += weighted.length == 2 ? weight(weighted[1], text) : 1;
            upTo[i] = sum;
        }
        for (int i = 0; i < upTo.length; i++) {
            upTo[i] /= sum;
        }
        upTo[upTo.length - 1] = 1;
        return new ValueSizes(
                text,
                ranges.stream().mapToInt(range -> range[0]).toArray(),
                ranges.stream().mapToInt(range -> range[1]).toArray(),
                upTo);
    }

    private static int[] range(String part, String text) {
        String[] ends = part.split("-", -1);
        int low = bytes(ends[0], text);
        int high = ends.length > 1 ? bytes(ends[1], text) : low;
        Check.that(ends.length <= 2 && high >= low, "'" + text + "': '" + part + "' is not SIZE or MIN-MAX");
        return new int[] {low, high};
    }

    private static int bytes(String number, String text) {
        try {
            long bytes = Units.bytes(number);
            if (bytes <= MOST_BYTES) {
                return (int) bytes;
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + text + "': " + e.getMessage(), e);
        }
        throw new IllegalArgumentException("'" + text + "': '" + number + "' is more than " + Units.bytes(MOST_BYTES));
    }

    private static double weight(String number, String text) {
        try {
            double weight = Double.parseDouble(number);
            if (weight > 0 && weight < Double.POSITIVE_INFINITY) {
                return weight;
            }
        } catch (NumberFormatException _) {
            // Reported below.
        }
        throw new IllegalArgumentException("'" + text + "': '" + number + "' is not a weight above 0");
    }

    public int next(SplitMix64 random) {
        if (sizes.length == 1 && sizes[0] == tops[0]) {
            return sizes[0];
        }
        double drawn = random.nextDouble();
        int chosen = 0;
        while (drawn >= upTo[chosen]) {
            chosen++;
        }
        return sizes[chosen] + (int) random.below(tops[chosen] - sizes[chosen] + 1L);
    }

    /// True if a value can have this length.
    public boolean allows(long length) {
        for (int i = 0; i < sizes.length; i++) {
            if (length >= sizes[i] && length <= tops[i]) {
                return true;
            }
        }
        return false;
    }

    public int most() {
        int most = 0;
        for (int top : tops) {
            most = Math.max(most, top);
        }
        return most;
    }
}
