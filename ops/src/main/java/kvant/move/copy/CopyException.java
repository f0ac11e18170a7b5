package kvant.move.copy;

/// A copy cannot start or continue. The one-line message names the cause, the place and the remedy.
public final class CopyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public CopyException(String message) {
        super(message);
    }

    public CopyException(String message, Throwable cause) {
        super(message, cause);
    }
}
