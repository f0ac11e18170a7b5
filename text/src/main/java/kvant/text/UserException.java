package kvant.text;

/// A failure that is reported to the user: its message is one line with the fault, its place and the remedy. No stack
/// trace is shown.
public final class UserException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public UserException(String message) {
        super(message);
    }

    public UserException(String message, Throwable cause) {
        super(message, cause);
    }
}
