package kvant.move.copy;

/// A copy cannot begin or go on. The message says in one line what, where and what to do.
public final class CopyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public CopyException(String message) {
        super(message);
    }

    public CopyException(String message, Throwable cause) {
        super(message, cause);
    }
}
