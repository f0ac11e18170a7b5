package kvant.server.service;

import kvant.engine.EngineException;
import kvant.engine.Lookup;
import kvant.engine.Read;
import kvant.engine.Terms;
import org.jspecify.annotations.Nullable;

/// A read that knows the call it answers, for an engine that answers later.
final class EntityRead extends Read implements Delivery {

    // Constant.
    private final Call call;
    private final Request.Get get;
    private final UseCases useCases;
    private final boolean unclaimed;

    // Handed from the engine to the loop through the mailbox.
    private @Nullable Lookup lookup;
    private @Nullable EngineException failure;

    /// @param unclaimed whether it goes without a claim on memory, as one read at a time may
    EntityRead(Call call, Request.Get get, Terms terms, UseCases useCases, boolean unclaimed) {
        super(get.key(), terms);
        this.call = call;
        this.get = get;
        this.useCases = useCases;
        this.unclaimed = unclaimed;
    }

    @Override
    public void answered(Lookup answer) {
        lookup = answer;
        hand();
    }

    @Override
    public void failed(EngineException reason) {
        failure = reason;
        hand();
    }

    @Override
    public void arrive() {
        call.end(useCases.outcomeOf(call, get, lookup, failure, unclaimed));
    }

    private void hand() {
        call.doneNow();
        call.mailbox().deliver(this);
    }
}
