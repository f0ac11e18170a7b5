package kvant.lab.experiment;

/// What becomes of steps in which something outside of the run took processors away. It is fixed before the run and
/// written down with it, because whoever chooses it afterwards chooses the answer. It looks at the host alone.
///
/// A step that is disturbed is measured again, so that both sides of a comparison meet a calm host. What is still
/// disturbed counts in the rule that leaves blocks of rounds out of verdicts.
///
/// @param above share of the processors that may be taken away; NaN where no step is disturbed
/// @param again how often a disturbed step is measured once more, at most
public record HostBound(double above, int again) {

    /// Where nobody says otherwise.
    public static final HostBound USUAL = new HostBound(0.1, 0);

    /// Of short steps, of which a moment that was taken away is a large part.
    static final HostBound DECIDING = new HostBound(0.05, 6);

    public static final int MOST_AGAIN = 20;

    private static final String OFF = "off";

    public HostBound withAbove(double other) {
        return new HostBound(other, again);
    }

    public HostBound withAgain(int other) {
        return new HostBound(above, other);
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

    /// @throws IllegalArgumentException with a line for a person
    public static int parseAgain(String text) {
        if (!text.matches("\\d{1,2}") || Integer.parseInt(text) > MOST_AGAIN) {
            throw new IllegalArgumentException("'" + text + "' is not a number from 0 to " + MOST_AGAIN);
        }
        return Integer.parseInt(text);
    }
}
