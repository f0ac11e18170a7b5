package kvant.server;

/// A node could not be started. The message says why and what to do, in one line, for a person.
public final class StartException extends Exception {

    private static final long serialVersionUID = 1L;

    StartException(String message) {
        super(message);
    }

    StartException(String message, Throwable cause) {
        super(message, cause);
    }
}
