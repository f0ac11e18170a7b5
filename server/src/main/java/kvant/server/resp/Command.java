package kvant.server.resp;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import kvant.server.http.contract.HiddenPaths;
import kvant.server.request.Outcome;
import kvant.server.request.Request;
import org.jspecify.annotations.Nullable;

/// A command that asks the node for something. All of its requests may go side by side.
///
/// Owned by one event loop.
public sealed class Command implements Action {

    private final Request request;
    private final Function<Outcome, Reply> teller;
    private final HiddenPaths paths;
    private @Nullable Reply told;

    /// @param teller makes a reply of an outcome that is no failure
    Command(Request request, Function<Outcome, Reply> teller, HiddenPaths paths) {
        this.request = request;
        this.teller = teller;
        this.paths = paths;
    }

    /// The number of its requests, one or more.
    public int requests() {
        return 1;
    }

    /// The request of this number.
    public Request request(int index) {
        return request;
    }

    /// Handles the outcome of a request.
    public void answered(int index, Outcome outcome) {
        told = outcome instanceof Outcome.Failed failed ? Errors.of(failed, paths) : teller.apply(outcome);
    }

    /// The reply, once all requests are answered.
    public Reply reply() {
        return Objects.requireNonNull(told);
    }

    /// Whether the key was absent, or a condition did not hold.
    static boolean isMiss(Outcome outcome) {
        return outcome == Outcome.Plain.ABSENT || outcome == Outcome.Plain.PRECONDITION_FAILED;
    }

    /// Does the same with each of several keys: each is read or changed at a moment of its own. If one fails, that
    /// is the reply; others may have been changed. Else it is an array of values, or the number of hits.
    static final class Several extends Command {

        private final List<byte[]> keys;
        private final Function<byte[], Request> asker;
        private final List<Reply> values; // behind the head of their array, or none
        private long hits;
        private boolean failed;

        /// @param asker makes the request for a key
        Several(List<byte[]> keys, Function<byte[], Request> asker, boolean counts, HiddenPaths paths) {
            super(asker.apply(keys.getFirst()), _ -> Reply.Plain.NIL, paths);
            this.keys = keys;
            this.asker = asker;
            this.values = new ArrayList<>(Collections.nCopies(counts ? 0 : keys.size() + 1, Reply.Plain.NIL));
            if (!counts) {
                values.set(0, Reply.Sequence.head(keys.size()));
            }
        }

        @Override
        public int requests() {
            return keys.size();
        }

        @Override
        public Request request(int index) {
            return index == 0 ? super.request(0) : asker.apply(keys.get(index));
        }

        @Override
        public void answered(int index, Outcome outcome) {
            hits += isMiss(outcome) ? 0 : 1;
            if (outcome instanceof Outcome.Failed) {
                if (!failed) {
                    super.answered(index, outcome); // the first is the reply
                }
                failed = true;
            } else if (outcome instanceof Outcome.Found(byte[] value, long _)) {
                values.set(index + 1, new Reply.Bulk(value));
            }
        }

        @Override
        public Reply reply() {
            if (failed) {
                return super.reply();
            }
            return values.isEmpty() ? new Reply.Number(hits) : new Reply.Sequence(values);
        }
    }
}
