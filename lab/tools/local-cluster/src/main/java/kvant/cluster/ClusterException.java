package kvant.cluster;

/// A cluster cannot do what it was asked for. The message says what, where and what to do, in one line, for a person.
public final class ClusterException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ClusterException(String message) {
        super(message);
    }

    public ClusterException(String message, Throwable cause) {
        super(message, cause);
    }
}
