package kvant.server.service;

import kvant.engine.Lookup;
import kvant.engine.RemoteEngine;
import kvant.engine.Terms;
import kvant.server.execute.RunnableCall.Progress;
import kvant.server.request.Failures;
import kvant.server.request.Outcome;
import kvant.server.request.Request;
import org.jspecify.annotations.Nullable;

/// The way to an engine that answers later: whichever thread has the call hands it over and waits for nothing.
final class RemoteAccess implements PointAccess {

    private final RemoteEngine engine;
    private final GetAnswers answers;

    RemoteAccess(RemoteEngine engine, GetAnswers answers) {
        this.engine = engine;
        this.answers = answers;
    }

    @Override
    public boolean get(Call call, Request.Get get) {
        int claim = answers.expect();
        if (claim == GetAnswers.REFUSED) {
            return UseCases.done(call, Failures.OVERLOADED);
        }
        EntityRead read = new EntityRead(call, get, this, claim);
        try {
            engine.submit(read, termsOf(call, get.acks()));
        } catch (Throwable e) { // it broke its promise to throw nothing
            read.thrown(e);
        }
        return false;
    }

    @Override
    public Progress tryGet(Call call, Request.Get get) {
        return get(call, get) ? Progress.DONE : Progress.UNDER_WAY;
    }

    /// Whether a value that was found is wanted; claims memory for one that is.
    boolean wants(Call call, Request.Get get, long version, int length) {
        return answers.wants(call, get, version, length);
    }

    /// Loop only: what became of a read.
    ///
    /// @param claim on memory, with which it was asked
    Outcome outcomeOf(Call call, Request.Get get, @Nullable Lookup lookup, @Nullable Throwable failure, int claim) {
        answers.arrived(claim);
        if (lookup != null) {
            return answers.of(call, get, lookup);
        }
        return Failures.of(
                failure == null ? new IllegalStateException("a read without an answer") : failure, call::named);
    }

    @Override
    public boolean isCold(byte[] key) {
        return false; // its replicas judge
    }

    @Override
    public void warm(byte[] key) {
        // Nothing of it is in this process.
    }

    @Override
    public void submit(EntityWrite write, Call call, int acks) {
        engine.submit(write, termsOf(call, acks));
    }

    private static Terms termsOf(Call call, int acks) {
        return new Terms(acks, call.timeoutNanos());
    }

    @Override
    public int replicas() {
        return engine.replicas();
    }
}
