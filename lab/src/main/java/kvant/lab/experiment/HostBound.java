package kvant.lab.experiment;

/// How much of the processors something outside of a run may take before a block of its rounds is left out of verdicts:
/// a share, or NaN where none is left out. It is fixed before the run and written down with it, because whoever chooses
/// it afterwards chooses the answer.
public final class HostBound {

    /// Where nobody says otherwise.
    public static final double USUAL = 0.1;

    private static final String OFF = "off";

    private HostBound() {}

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
}
