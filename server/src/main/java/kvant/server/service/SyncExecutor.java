package kvant.server.service;

/// Runs every call on the event loop that read it.
///
/// The classic baseline: no hand-off and no queue, but one slow read keeps every connection of its loop
/// waiting.
final class SyncExecutor implements CallExecutor {

    private final UseCases useCases;

    SyncExecutor(UseCases useCases) {
        this.useCases = useCases;
    }

    @Override
    public boolean submit(Call call) {
        force(call);
        return true;
    }

    @Override
    public void force(Call call) {
        if (useCases.run(call, this)) {
            call.arrive();
        }
    }

    @Override
    public void close() {
        // No threads of its own.
    }
}
