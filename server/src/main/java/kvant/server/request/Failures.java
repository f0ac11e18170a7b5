package kvant.server.request;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.function.Supplier;
import kvant.engine.EngineException;

/// Translates internal failures to outcomes for a client: a kind, and a line that reveals no more than the engine's
/// own message for people.
public final class Failures {

    private static final Logger LOGGER = System.getLogger(Failures.class.getName());

    public static final Outcome.Failed OVERLOADED =
            new Outcome.Failed(Failure.OVERLOADED, "the node has as much work as it may hold; nothing was executed");

    public static final Outcome.Failed DEADLINE_PASSED = new Outcome.Failed(
            Failure.DEADLINE_PASSED, "the deadline passed before the request was begun; nothing was executed");

    public static final Outcome.Failed READ_ONLY =
            new Outcome.Failed(Failure.READ_ONLY, "the node is read-only: writes are refused, reads continue");

    public static final Outcome.Failed NOT_TOGETHER = new Outcome.Failed(
            Failure.UNSUPPORTED,
            "several keys cannot be changed as one with a cluster behind this node, which judges one key at a time;"
                    + " nothing was executed");

    public static final Outcome.Failed NOT_COUNTED =
            new Outcome.Failed(Failure.UNSUPPORTED, "this engine does not know how many records it holds");

    private Failures() {}

    /// @param named gives the request an id, unless it has one: the log and the answer say the same
    public static Outcome.Failed of(Throwable thrown, Supplier<RequestTrace> named) {
        return switch (thrown) {
            case EngineException e -> new Outcome.Failed(kindOf(e), e.getMessage() == null ? "" : e.getMessage());
            default -> {
                LOGGER.log(Level.ERROR, "the request " + named.get().idText() + " failed unexpectedly", thrown);
                yield new Outcome.Failed(Failure.INTERNAL, "the node failed to carry out the request; see its log");
            }
        };
    }

    private static Failure kindOf(EngineException e) {
        return switch (e) {
            case EngineException.Busy _ -> Failure.ENGINE_BUSY;
            case EngineException.Closed _ -> Failure.ENGINE_CLOSED;
            case EngineException.LogFailed _ -> Failure.WRITES_STOPPED;
            case EngineException.StorageFull _ -> Failure.STORAGE_FULL;
            case EngineException.Corruption _ -> Failure.CORRUPTION;
            case EngineException.Unavailable _ -> Failure.REPLICAS_UNAVAILABLE;
            case EngineException.OutcomeUnknown _ -> Failure.OUTCOME_UNKNOWN;
            case EngineException.TimedOut _ -> Failure.READ_TIMED_OUT;
            case EngineException.Gone _ -> Failure.GONE;
            case EngineException.Unsupported _ -> Failure.UNSUPPORTED;
            case EngineException.Io _, EngineException.CannotOpen _ -> Failure.IO;
        };
    }
}
