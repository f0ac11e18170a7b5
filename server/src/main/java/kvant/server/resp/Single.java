package kvant.server.resp;

import kvant.server.request.Outcome;
import kvant.server.request.Request;
import org.jspecify.annotations.Nullable;

/// A command of one request.
final class Single extends Command {

    /// Makes a reply of an outcome that is no failure.
    @FunctionalInterface
    interface Teller {
        Reply reply(Outcome outcome);
    }

    // Constant.
    private final Request request;
    private final Teller teller;
    private final Hidden hidden;

    // Owned by the event loop.
    private @Nullable Reply reply;

    Single(Request request, Teller teller, Hidden hidden) {
        this.request = request;
        this.teller = teller;
        this.hidden = hidden;
    }

    @Override
    public int requests() {
        return 1;
    }

    @Override
    public Request request(int index) {
        return request;
    }

    @Override
    public void answered(int index, Outcome outcome) {
        reply = outcome instanceof Outcome.Failed failed ? hidden.error(failed) : teller.reply(outcome);
    }

    @Override
    public Reply reply() {
        Reply told = reply;
        if (told == null) {
            throw new IllegalStateException("not answered yet");
        }
        return told;
    }
}
