package kvant.cluster;

/// A failed operation on a cluster. The one-line message names the problem, the place and the remedy.
public final class ClusterException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ClusterException(String message) {
        super(message);
    }

    public ClusterException(String message, Throwable cause) {
        super(message, cause);
    }
}
