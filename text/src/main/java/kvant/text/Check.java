package kvant.text;

/// Checks of values that a person wrote, and of arguments.
public final class Check {

    private Check() {}

    /// @param otherwise message of the error, in one line
    /// @throws IllegalArgumentException with this message when the check fails
    public static void that(boolean right, String otherwise) {
        if (!right) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
