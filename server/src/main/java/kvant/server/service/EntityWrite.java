package kvant.server.service;

import kvant.engine.EngineException;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import kvant.server.request.Failures;
import kvant.server.request.Outcome.Failed;
import kvant.server.request.Outcome.Plain;
import kvant.server.request.Outcome.Stored;

/// A write that knows the call it answers.
final class EntityWrite extends Write implements CompletionQueue.Delivery {

    // Constant.
    private final Call call;
    private final boolean delete;

    EntityWrite(WriteBatch batch, Call call, boolean delete) {
        super(batch, call.mailbox());
        this.call = call;
        this.delete = delete;
    }

    /// Settled by the engine, which is about to hand it over.
    void committed() {
        call.doneNow();
    }

    @Override
    public void arrive() {
        call.tookInEngine(steps());
        call.end(
                switch (outcome()) {
                    case APPLIED -> delete ? Plain.DELETED : new Stored(version());
                    case REFUSED -> Plain.PRECONDITION_FAILED;
                    case FAILED, PENDING -> failed();
                });
    }

    private Failed failed() {
        EngineException reason = failure();
        return Failures.of(reason == null ? new IllegalStateException("handed back unsettled") : reason, call::named);
    }
}
