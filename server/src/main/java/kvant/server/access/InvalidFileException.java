package kvant.server.access;

/// A file that the node was given cannot be used. The message is one line for a person, with the file, and the line
/// where there is one; it never holds what stands there.
public final class InvalidFileException extends Exception {

    private static final long serialVersionUID = 1;

    public InvalidFileException(String message) {
        super(message);
    }

    public InvalidFileException(String message, Throwable cause) {
        super(message, cause);
    }
}
