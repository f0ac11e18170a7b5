package kvant.engine.kit;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import kvant.engine.CompletionSink;
import kvant.engine.Write;

/// Delivers settled writes, one at a time.
public final class Completion {

    private static final Logger LOGGER = System.getLogger(Completion.class.getName());

    private Completion() {}

    /// Gives a settled write to its sink and wakes the sink. Throws nothing, even when the sink does: the thread
    /// belongs to an engine, and other writes wait for it.
    public static void deliver(Write write) {
        CompletionSink sink = write.sink();
        try {
            sink.completed(write);
            sink.wake();
        } catch (Throwable e) {
            LOGGER.log(Level.ERROR, "a sink failed", e);
        }
    }
}
