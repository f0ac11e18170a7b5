package kvant.server.execute;

import java.lang.System.Logger.Level;
import kvant.engine.MetricSink;

/// Decides where a call meets the engine: on the event loop that read it, or somewhere else.
///
/// An implementation runs each call on the thread of its choice and brings the outcome back to the call's event
/// loop: by [RunnableCall#arrive] when it is on that loop, else by [RunnableCall#deliver]. It never loses a call that
/// it took.
public interface CallExecutor {

    /// Takes a call, unless there is no room. Called on the call's event loop, which it must not keep
    /// waiting (but for the one implementation whose very point is that it does).
    ///
    /// @return false when there is no room: nothing of the call has been or will be executed
    boolean submit(RunnableCall call);

    /// Takes a call unconditionally: a further round of a call, or a cheap call that must not be refused. There are
    /// no more of these than calls that were taken before, plus probes, so the bound on calls in flight bounds them
    /// too.
    void force(RunnableCall call);

    /// Runs a call on a thread of its own or of a pool, which survives every failure of the call.
    default void carryOut(RunnableCall call) {
        try {
            if (call.run(this)) {
                call.deliver();
            }
        } catch (Throwable e) {
            System.getLogger(CallExecutor.class.getName()).log(Level.ERROR, "a worker failed outside of a request", e);
        }
    }

    /// Whether ranges wait for a worker.
    default boolean rangesWait() {
        return false;
    }

    /// Gives the figures that it keeps of itself.
    default void measure(MetricSink sink) {}

    /// Refuses waiting calls, runs the begun and the forced ones, and ends. Later calls are refused by [#submit] and
    /// run at once by [#force].
    ///
    /// @return whether no call is in the engine any more; false after a vain wait
    boolean close();
}
