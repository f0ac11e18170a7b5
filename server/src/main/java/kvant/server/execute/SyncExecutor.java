package kvant.server.execute;

/// Runs every call on the event loop that read it.
///
/// The baseline: no hand-off and no queue, but one slow read keeps every connection of its loop waiting.
public final class SyncExecutor implements CallExecutor {

    @Override
    public boolean submit(RunnableCall call) {
        force(call);
        return true;
    }

    @Override
    public void force(RunnableCall call) {
        if (call.run(this)) {
            call.arrive();
        }
    }

    @Override
    public boolean close() {
        return true; // no threads of its own
    }
}
