package kvant.text;

/// Checks of values that a person wrote, and of arguments.
public final class Check {

    private Check() {}

    /// @param otherwise the error in one line, if this is not right
    /// @throws IllegalArgumentException with it
    public static void that(boolean right, String otherwise) {
        if (!right) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
