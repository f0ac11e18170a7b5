package kvant.text;

/// A failure to be told to a person: its message is one line that says what, where and what to do. No stack trace is
/// shown.
public final class UserException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public UserException(String message) {
        super(message);
    }

    public UserException(String message, Throwable cause) {
        super(message, cause);
    }
}
