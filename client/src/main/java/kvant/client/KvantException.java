package kvant.client;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A call without the expected answer. Each kind is a class of its own, because callers handle them differently. The
/// message is one line with the request, the node and the result.
public abstract sealed class KvantException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final @Nullable Problem problem;

    private KvantException(String message, @Nullable Problem problem, @Nullable Throwable cause) {
        super(message, cause);
        this.problem = problem;
    }

    /// The last answer of the node, where there was one.
    public Optional<Problem> problem() {
        return Optional.ofNullable(problem);
    }

    /// The condition of a write does not hold. Nothing was applied.
    public static final class ConditionFailed extends KvantException {
        private static final long serialVersionUID = 1L;

        ConditionFailed(String message, @Nullable Problem problem, @Nullable Throwable cause) {
            super(message, problem, cause);
        }
    }

    /// The node will not do this, and would not if it were asked again: the request is wrong, not allowed, or there is
    /// no room. Nothing was applied.
    public static final class Refused extends KvantException {
        private static final long serialVersionUID = 1L;

        Refused(String message, @Nullable Problem problem, @Nullable Throwable cause) {
            super(message, problem, cause);
        }
    }

    /// The node could not be reached, or was too busy, at each try. Nothing was applied.
    public static final class Unavailable extends KvantException {
        private static final long serialVersionUID = 1L;

        Unavailable(String message, @Nullable Problem problem, @Nullable Throwable cause) {
            super(message, problem, cause);
        }
    }

    /// The node failed to read, or its answer cannot be understood.
    public static final class Failed extends KvantException {
        private static final long serialVersionUID = 1L;

        Failed(String message, @Nullable Problem problem, @Nullable Throwable cause) {
            super(message, problem, cause);
        }
    }

    /// A write was sent, but its outcome is unknown: it may have been applied. Read the key to find out.
    public static final class OutcomeUnknown extends KvantException {
        private static final long serialVersionUID = 1L;

        OutcomeUnknown(String message, @Nullable Problem problem, @Nullable Throwable cause) {
            super(message, problem, cause);
        }
    }

    /// A read was not answered before its deadline.
    public static final class DeadlinePassed extends KvantException {
        private static final long serialVersionUID = 1L;

        DeadlinePassed(String message, @Nullable Problem problem, @Nullable Throwable cause) {
            super(message, problem, cause);
        }
    }

    /// The thread that waited was interrupted, and still is. A write may have been applied.
    public static final class Interrupted extends KvantException {
        private static final long serialVersionUID = 1L;

        Interrupted(String message, @Nullable Problem problem, @Nullable Throwable cause) {
            super(message, problem, cause);
        }
    }
}
