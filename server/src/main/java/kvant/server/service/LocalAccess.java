package kvant.server.service;

import kvant.engine.LocalEngine;
import kvant.engine.Lookup;
import kvant.engine.ValueFilter;
import kvant.server.execute.RunnableCall.Progress;
import kvant.server.request.Outcome;
import kvant.server.request.Request;
import org.jspecify.annotations.Nullable;

/// The way to an engine that answers at once. It has no network and one replica, so that what a request asks of those
/// means nothing to it.
final class LocalAccess implements PointAccess {

    private final LocalEngine engine;
    private final GetAnswers answers;

    LocalAccess(LocalEngine engine, GetAnswers answers) {
        this.engine = engine;
        this.answers = answers;
    }

    @Override
    public boolean get(Call call, Request.Get get) {
        return UseCases.done(call, get(call, get, true));
    }

    @Override
    public Progress tryGet(Call call, Request.Get get) {
        return UseCases.done(call, get(call, get, false)) ? Progress.DONE : Progress.WOULD_BLOCK;
    }

    /// @return null when it would block, and may not
    private @Nullable Outcome get(Call call, Request.Get get, boolean mayBlock) {
        Lookup lookup = answers.takesAnyValue(get)
                ? look(get.key(), mayBlock)
                : look(get.key(), answers.filter(call, get), mayBlock);
        return lookup == Lookup.Miss.WOULD_BLOCK ? null : answers.of(call, get, lookup);
    }

    private Lookup look(byte[] key, boolean mayBlock) {
        return mayBlock ? engine.get(key) : engine.tryGet(key);
    }

    private Lookup look(byte[] key, ValueFilter filter, boolean mayBlock) {
        return mayBlock ? engine.get(key, filter) : engine.tryGet(key, filter);
    }

    @Override
    public boolean isCold(byte[] key) {
        try {
            return engine.tryGet(key) == Lookup.Miss.WOULD_BLOCK;
        } catch (Throwable _) {
            return false; // the engine meets it too, and answers
        }
    }

    @Override
    public void warm(byte[] key) {
        if (isCold(key)) {
            try {
                engine.get(key);
            } catch (Throwable _) {
                // As above.
            }
        }
    }

    @Override
    public void submit(EntityWrite write, Call call, int acks) {
        engine.submit(write);
    }

    @Override
    public int replicas() {
        return 1;
    }
}
