package kvant.load.keys;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvant.text.Check;

/// The distribution of requests over existing keys, as text: `sequential`, `uniform`, `zipfian`, `zipfian=THETA`,
/// `latest`, `hot=SHARE:PROBABILITY`.
///
/// @param share theta of `zipfian`, the share of the hot keys of `hot`
/// @param probability of a request for a hot key
public record KeyPlan(Law law, double share, double probability) {

    /// The kind of the distribution.
    public enum Law {
        /// All keys in order, repeatedly; each thread has its own share of them.
        SEQUENTIAL,
        UNIFORM,
        /// Zipfian popularity, with the popular keys scattered over all keys.
        ZIPFIAN,
        /// Zipfian popularity of the most recent inserts.
        LATEST,
        /// A share of the keys receives a share of the requests.
        HOT
    }

    public static final KeyPlan SEQUENTIAL = new KeyPlan(Law.SEQUENTIAL, 0, 0);
    public static final KeyPlan UNIFORM = new KeyPlan(Law.UNIFORM, 0, 0);
    public static final KeyPlan LATEST = new KeyPlan(Law.LATEST, 0, 0);
    public static final KeyPlan ZIPFIAN = new KeyPlan(Law.ZIPFIAN, Zipfian.YCSB_THETA, 0);

    private static final Pattern TEXT =
            Pattern.compile("(sequential|uniform|latest|zipfian|zipfian=)|zipfian=(.+)|hot=([^:]*):(.*)");

    /// @throws IllegalArgumentException with a readable one-line reason
    public static KeyPlan parse(String text) {
        Matcher parts = TEXT.matcher(text.toLowerCase(Locale.ROOT));
        Check.that(
                parts.matches(),
                "'" + text
                        + "' is not one of sequential, uniform, zipfian, zipfian=THETA, latest, hot=SHARE:PROBABILITY");
        String theta = parts.group(2);
        String hot = parts.group(3);
        if (hot != null) {
            return new KeyPlan(Law.HOT, share(hot, text), share(String.valueOf(parts.group(4)), text));
        }
        if (theta != null) {
            return new KeyPlan(Law.ZIPFIAN, share(theta, text), 0);
        }
        return switch (String.valueOf(parts.group(1))) {
            case "sequential" -> SEQUENTIAL;
            case "uniform" -> UNIFORM;
            case "latest" -> LATEST;
            default -> ZIPFIAN;
        };
    }

    private static double share(String number, String text) {
        try {
            double share = Double.parseDouble(number);
            if (share > 0 && share < 1) {
                return share;
            }
        } catch (NumberFormatException _) {
            // Reported below.
        }
        throw new IllegalArgumentException("'" + text + "': '" + number + "' is not a number between 0 and 1");
    }

    /// As [#parse] reads it.
    @Override
    public String toString() {
        String name = law.name().toLowerCase(Locale.ROOT);
        return switch (law) {
            case SEQUENTIAL, UNIFORM, LATEST -> name;
            case ZIPFIAN -> name + "=" + share;
            case HOT -> name + "=" + share + ":" + probability;
        };
    }
}
