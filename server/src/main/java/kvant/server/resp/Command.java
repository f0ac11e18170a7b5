package kvant.server.resp;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import kvant.server.http.contract.HiddenPaths;
import kvant.server.request.Outcome;
import kvant.server.request.Request;
import org.jspecify.annotations.Nullable;

/// A command that asks the node for something. All of its requests may go side by side.
///
/// Owned by one event loop.
public abstract sealed class Command implements Action {

    /// Makes a reply of an outcome that is no failure.
    @FunctionalInterface
    interface Teller {
        Reply reply(Outcome outcome);
    }

    /// What is asked of one key.
    @FunctionalInterface
    interface Asker {
        Request request(byte[] key);
    }

    private final HiddenPaths paths;
    private @Nullable Reply failure;

    private Command(HiddenPaths paths) {
        this.paths = paths;
    }

    /// The number of its requests, one or more.
    public abstract int requests();

    /// The request of this number.
    public abstract Request request(int index);

    /// Handles the outcome of a request. A batch of records belongs to the service again after this call. Of several
    /// failures the first is the reply.
    public final void answered(int index, Outcome outcome) {
        if (!(outcome instanceof Outcome.Failed failed)) {
            add(index, outcome);
        } else if (failure == null) {
            failure = Errors.of(failed, paths);
        }
    }

    /// The reply, once all requests are answered.
    public final Reply reply() {
        return failure == null ? sum() : failure;
    }

    abstract void add(int index, Outcome outcome);

    abstract Reply sum();

    /// Whether the key was absent, or a condition did not hold.
    static boolean isMiss(Outcome outcome) {
        return outcome == Outcome.Plain.ABSENT || outcome == Outcome.Plain.PRECONDITION_FAILED;
    }

    /// Of one request.
    static final class Single extends Command {

        private final Request request;
        private final Teller teller;
        private @Nullable Reply told;

        Single(Request request, Teller teller, HiddenPaths paths) {
            super(paths);
            this.request = request;
            this.teller = teller;
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
        void add(int index, Outcome outcome) {
            told = teller.reply(outcome);
        }

        @Override
        Reply sum() {
            return Objects.requireNonNull(told);
        }
    }

    /// Does the same with each of several keys: each is read or changed at a moment of its own. If one fails, that
    /// is the reply; others may have been changed. Else it is an array of values, or the number of hits.
    static final class Several extends Command {

        private final List<byte[]> keys;
        private final Asker asker;
        private final @Nullable List<Reply> values; // behind the head of their array
        private long hits;

        Several(List<byte[]> keys, Asker asker, boolean counts, HiddenPaths paths) {
            super(paths);
            this.keys = keys;
            this.asker = asker;
            this.values = counts ? null : new ArrayList<>(Collections.nCopies(keys.size() + 1, Reply.Plain.NIL));
        }

        @Override
        public int requests() {
            return keys.size();
        }

        @Override
        public Request request(int index) {
            return asker.request(keys.get(index));
        }

        @Override
        void add(int index, Outcome outcome) {
            hits += isMiss(outcome) ? 0 : 1;
            if (values != null && outcome instanceof Outcome.Found(byte[] value, long _)) {
                values.set(index + 1, new Reply.Bulk(value));
            }
        }

        @Override
        Reply sum() {
            if (values == null) {
                return new Reply.Number(hits);
            }
            values.set(0, Reply.Sequence.head(keys.size()));
            return new Reply.Sequence(values);
        }
    }
}
