package kvant.lab;

/// What the laboratory could not do, in one line for a person.
public final class LabException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public LabException(String message) {
        super(message);
    }

    public LabException(String message, Throwable cause) {
        super(message, cause);
    }
}
