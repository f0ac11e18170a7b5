package kvant.server.service;

import java.util.concurrent.atomic.AtomicBoolean;
import kvant.engine.EngineException;
import kvant.engine.Lookup;
import kvant.engine.Read;
import kvant.server.request.Request;
import org.jspecify.annotations.Nullable;

/// A read that knows the call it answers, for an engine that answers later. The first answer counts.
final class EntityRead extends Read implements Delivery {

    // Constant.
    private final Call call;
    private final Request.Get get;
    private final RemoteAccess access;
    private final int claim;

    // Handed from the engine to the loop through the mailbox.
    private @Nullable Lookup lookup;
    private @Nullable Throwable failure;

    // Atomic.
    private final AtomicBoolean handed = new AtomicBoolean();

    /// @param claim on memory for what arrives; see [GetAnswers#expect]
    EntityRead(Call call, Request.Get get, RemoteAccess access, int claim) {
        super(get.key());
        this.call = call;
        this.get = get;
        this.access = access;
        this.claim = claim;
    }

    /// Once it has been answered, the call is not the engine's any more.
    @Override
    public boolean wants(long version, int length) {
        return !handed.get() && access.wants(call, get, version, length);
    }

    @Override
    public void answered(Lookup answer) {
        hand(answer, null);
    }

    @Override
    public void failed(EngineException reason) {
        hand(null, reason);
    }

    /// The engine broke its promise to throw nothing.
    void thrown(Throwable reason) {
        hand(null, reason);
    }

    @Override
    public void arrive() {
        call.end(access.outcomeOf(call, get, lookup, failure, claim));
    }

    private void hand(@Nullable Lookup answer, @Nullable Throwable reason) {
        if (handed.compareAndSet(false, true)) {
            lookup = answer;
            failure = reason;
            call.doneNow();
            call.mailbox().deliver(this);
        }
    }
}
