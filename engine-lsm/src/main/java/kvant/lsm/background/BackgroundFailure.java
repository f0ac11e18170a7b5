package kvant.lsm.background;

import java.io.InterruptedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import kvant.engine.EngineException;
import kvant.lsm.storage.StorageFullException;

/// What went wrong in a background thread, in the words of the engine's callers.
final class BackgroundFailure {

    private static final Logger LOGGER = System.getLogger(BackgroundFailure.class.getName());

    private BackgroundFailure() {}

    /// @param e an [InternalError] is what a mapped file gives that has been shortened
    static EngineException of(String what, Throwable e) {
        if (e instanceof InterruptedIOException) {
            return new EngineException.Closed();
        }
        LOGGER.log(Level.WARNING, "{0} failed and will be tried again: {1}", what, e.getMessage());
        return switch (e) {
            case StorageFullException full -> new EngineException.StorageFull(what + ": " + full.getMessage());
            case EngineException known -> known;
            default -> new EngineException.Io(what + " failed: " + e.getMessage(), e);
        };
    }
}
