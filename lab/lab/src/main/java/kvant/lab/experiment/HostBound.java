package kvant.lab.experiment;

import java.time.Duration;
import kvant.lab.result.ExperimentRecord.Question;
import kvant.text.Units;

/// What becomes of steps in which something outside of the run took processors away. It is fixed before the run and
/// written down with it, because whoever chooses it afterwards chooses the answer. It looks at the host alone.
///
/// A step that is disturbed is measured again, so that both sides of a comparison meet a calm host. What is still
/// disturbed counts in the rule that leaves blocks of rounds out of verdicts.
///
/// @param above share of the processors that may be taken away; NaN where no step is disturbed
/// @param again how often a disturbed step, or a disturbed turn, is measured once more, at most
/// @param slice how long a variant is measured in each turn of an interleaved round; zero where a round is not
/// interleaved
public record HostBound(double above, int again, Duration slice) {

    /// Where nobody says otherwise.
    public static final HostBound USUAL = new HostBound(0.1, 0);

    /// Of short steps, of which a moment that was taken away is a large part.
    static final HostBound DECIDING = new HostBound(0.05, 6, Duration.ofSeconds(1));

    public static final int MOST_AGAIN = 20;

    private static final String OFF = "off";

    /// What the system says of a shorter time is too coarse.
    private static final Duration SHORTEST_SLICE = Duration.ofMillis(200);

    private static final Duration LONGEST_SLICE = Duration.ofMinutes(1);

    /// Of rounds that are not interleaved.
    public HostBound(double above, int again) {
        this(above, again, Duration.ZERO);
    }

    public boolean isInterleaved() {
        return slice.isPositive();
    }

    /// In how many turns so much time is measured: as many in one order of the variants as in the other.
    public int turns(Duration measured) {
        long both = 2 * slice.toNanos();
        return (int) (2 * Math.max(1, (measured.toNanos() + both - 1) / both));
    }

    /// A share such as `10%`, or `off`.
    ///
    /// @throws IllegalArgumentException with a line for a person
    public static double parse(String text) {
        if (text.equals(OFF)) {
            return Double.NaN;
        }
        try {
            return Question.margin(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + text + "' is neither a share from 1% to 100% nor 'off'", e);
        }
    }

    /// As [#parse] reads it.
    public static String text(double bound) {
        return Double.isNaN(bound) ? OFF : Question.margin(bound);
    }

    /// A duration such as `1s`, or `off`.
    ///
    /// @throws IllegalArgumentException with a line for a person
    public static Duration parseSlice(String text) {
        Duration slice = text.equals(OFF) ? Duration.ZERO : Units.duration(text);
        boolean known = slice.compareTo(SHORTEST_SLICE) >= 0 && slice.compareTo(LONGEST_SLICE) <= 0;
        if (!known && !text.equals(OFF)) {
            throw new IllegalArgumentException("'" + text + "' is neither a time from 200ms to 1m nor 'off'");
        }
        return slice;
    }

    /// @throws IllegalArgumentException with a line for a person
    public static int parseAgain(String text) {
        if (!text.matches("\\d{1,2}") || Integer.parseInt(text) > MOST_AGAIN) {
            throw new IllegalArgumentException("'" + text + "' is not a number from 0 to " + MOST_AGAIN);
        }
        return Integer.parseInt(text);
    }
}
