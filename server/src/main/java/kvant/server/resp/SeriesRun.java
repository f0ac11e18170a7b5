package kvant.server.resp;

import kvant.server.request.Outcome;
import kvant.server.request.Request;
import org.jspecify.annotations.Nullable;

/// A [Series] on its way. Owned by the event loop.
final class SeriesRun {

    private final ReadModifyWrite updates;
    private final ReadModifyWrite.Asker asker;
    private final Series series;
    private ReadModifyWrite.@Nullable Step step;

    SeriesRun(ReadModifyWrite updates, ReadModifyWrite.Asker asker, Series series) {
        this.updates = updates;
        this.asker = asker;
        this.series = series;
    }

    void ask(Request request) {
        ReadModifyWrite.Step next = updates.step(this::answered);
        step = next;
        next.submit(request);
    }

    private void answered(Outcome outcome) {
        Request next = outcome instanceof Outcome.Failed ? null : series.next(outcome);
        if (step != null) {
            step.abandon(); // the next range begins behind the last key, in a snapshot of its own
        }
        if (outcome instanceof Outcome.Failed why) {
            tell(updates.error(why));
        } else if (next == null) {
            tell(series.reply());
        } else if (asker.isGone() || !asker.claims(series.heldBytes())) {
            tell(Errors.OVERLOADED);
        } else {
            updates.due(() -> ask(next));
        }
    }

    private void tell(Reply reply) {
        boolean fits = asker.claims(reply.heldBytes());
        asker.updated(fits ? reply : Errors.OVERLOADED);
    }
}
