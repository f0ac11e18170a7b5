package kvant.cassandra;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.NodeUnavailableException;
import com.datastax.oss.driver.api.core.RequestThrottlingException;
import com.datastax.oss.driver.api.core.connection.BusyConnectionException;
import com.datastax.oss.driver.api.core.connection.FrameTooLongException;
import com.datastax.oss.driver.api.core.servererrors.BootstrappingException;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import com.datastax.oss.driver.api.core.servererrors.ReadFailureException;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import com.datastax.oss.driver.api.core.servererrors.WriteFailureException;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import java.util.List;
import java.util.concurrent.CompletionException;
import kvant.engine.EngineException;

/// Translates failures of the driver to exceptions of the port. It says that a write was not applied only where
/// that is certain.
final class DriverErrors {

    private DriverErrors() {}

    static EngineException ofWrite(Throwable thrown) {
        return switch (cause(thrown)) {
            case EngineException known -> known;
            case UnavailableException e -> unavailable(e);
            case RequestThrottlingException _ -> busy();
            case OverloadedException e ->
                new EngineException.Busy(
                        "the cluster is overloaded (" + text(e) + "); some replicas may have the write");
            case BootstrappingException _, NodeUnavailableException _ ->
                new EngineException.Unavailable("the node of the cluster is not ready; the write was not applied");
            case WriteTimeoutException e ->
                new EngineException.OutcomeUnknown(e.getReceived() + " of " + e.getBlockFor()
                        + " replicas acknowledged the write in time; it may have been applied");
            case WriteFailureException e ->
                new EngineException.OutcomeUnknown(e.getNumFailures() + " replicas failed to write; " + e.getReceived()
                        + " of " + e.getBlockFor() + " did, and the write may have been applied");
            case DriverTimeoutException _ ->
                new EngineException.OutcomeUnknown(
                        "the cluster did not answer the write in time; it may have been applied");
            case FrameTooLongException e -> tooLarge(e);
            case QueryValidationException e -> tooLarge(e);
            case AllNodesFailedException e -> ofWrite(e);
            case Throwable e ->
                new EngineException.OutcomeUnknown("the write broke off (" + text(e) + "); it may have been applied");
        };
    }

    static EngineException ofRead(Throwable thrown) {
        return switch (cause(thrown)) {
            case EngineException known -> known;
            case UnavailableException e -> unavailable(e);
            case RequestThrottlingException _ -> busy();
            case OverloadedException e -> new EngineException.Busy("the cluster is overloaded: " + text(e));
            case BootstrappingException _, NodeUnavailableException _ ->
                new EngineException.Unavailable("the node of the cluster is not ready");
            case ReadTimeoutException e ->
                new EngineException.TimedOut(
                        e.getReceived() + " of " + e.getBlockFor() + " replicas answered the read in time");
            case DriverTimeoutException _ ->
                new EngineException.TimedOut("the cluster did not answer the read in time");
            case ReadFailureException e ->
                new EngineException.Io(e.getNumFailures() + " replicas failed to read: " + text(e), null);
            case AllNodesFailedException e -> ofRead(e);
            case Throwable e -> new EngineException.Io("the cluster could not be read: " + text(e), null);
        };
    }

    private static EngineException ofRead(AllNodesFailedException failed) {
        List<Throwable> errors = errorsOf(failed);
        if (errors.isEmpty()) {
            return noNode();
        }
        return ofRead(errors.getLast());
    }

    /// A write that several nodes were asked to do: it certainly did not happen only if none of them began.
    private static EngineException ofWrite(AllNodesFailedException failed) {
        List<Throwable> errors = errorsOf(failed);
        for (Throwable error : errors) {
            if (!neverBegan(error)) {
                return new EngineException.OutcomeUnknown(
                        "no node of the cluster finished the write (" + text(error) + "); it may have been applied");
            }
        }
        return errors.isEmpty() ? noNode() : ofWrite(errors.getLast());
    }

    /// Or, where a node was overloaded, began in a way that a repetition with the same timestamp finishes.
    private static boolean neverBegan(Throwable error) {
        return error instanceof UnavailableException
                || error instanceof NodeUnavailableException
                || error instanceof BusyConnectionException
                || error instanceof OverloadedException
                || error instanceof BootstrappingException;
    }

    private static List<Throwable> errorsOf(AllNodesFailedException failed) {
        return failed.getAllErrors().values().stream().flatMap(List::stream).toList();
    }

    private static EngineException noNode() {
        return new EngineException.Unavailable("no node of the cluster can be reached; nothing was applied");
    }

    private static EngineException unavailable(UnavailableException e) {
        return new EngineException.Unavailable(e.getAlive() + " of " + e.getRequired() + " replicas that "
                + e.getConsistencyLevel() + " needs are alive; nothing was applied");
    }

    private static EngineException busy() {
        return new EngineException.Busy("as many requests as may wait for the cluster are waiting");
    }

    private static EngineException tooLarge(Throwable e) {
        return new EngineException.Unsupported("the cluster does not take this write: " + text(e));
    }

    private static Throwable cause(Throwable thrown) {
        Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
        return cause == null ? thrown : cause;
    }

    /// Describes an error in one line for a person.
    static String text(Throwable e) {
        String message = e.getMessage();
        return message == null
                ? e.getClass().getSimpleName()
                : message.lines().findFirst().orElse("");
    }
}
