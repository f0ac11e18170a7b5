package kvant.server.resp;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import kvant.server.http.contract.HiddenPaths;
import kvant.server.request.Outcome;
import kvant.server.request.Request;
import org.jspecify.annotations.Nullable;

/// A command that asks the node for something. All of its requests may go side by side.
///
/// Owned by one event loop.
public abstract sealed class Command implements Action {

    private final HiddenPaths paths;
    private @Nullable Reply reply;

    private Command(HiddenPaths paths) {
        this.paths = paths;
    }

    /// How many requests it has, one or more.
    public abstract int requests();

    /// The request of this number; asked for once.
    public abstract Request request(int index);

    /// What became of it. A batch of records belongs to the service again after this call. Of several failures the
    /// first is the reply.
    public final void answered(int index, Outcome outcome) {
        if (!(outcome instanceof Outcome.Failed failed)) {
            add(index, outcome);
        } else if (reply == null) {
            reply = Errors.of(failed, paths);
        }
    }

    /// Once all are answered.
    public final Reply reply() {
        return reply == null ? sum() : reply;
    }

    abstract void add(int index, Outcome outcome);

    abstract Reply sum();

    /// Whether there was nothing, or a condition did not hold.
    static boolean isMiss(Outcome outcome) {
        return outcome == Outcome.Plain.ABSENT || outcome == Outcome.Plain.PRECONDITION_FAILED;
    }

    /// Of one request.
    static final class Single extends Command {

        /// Makes a reply of an outcome that is no failure.
        @FunctionalInterface
        interface Teller {
            Reply reply(Outcome outcome);
        }

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
            if (told == null) {
                throw new IllegalStateException("not answered yet");
            }
            return told;
        }
    }

    /// Does the same with each of several keys: each is read or changed at a moment of its own. Where one fails, that
    /// is the reply; others may have been changed.
    abstract static sealed class MultiKey extends Command {

        /// What is asked of one key.
        @FunctionalInterface
        interface Asker {
            Request request(byte[] key);
        }

        private final List<byte[]> keys;
        private final Asker asker;

        private MultiKey(List<byte[]> keys, Asker asker, HiddenPaths paths) {
            super(paths);
            this.keys = keys;
            this.asker = asker;
        }

        @Override
        public final int requests() {
            return keys.size();
        }

        @Override
        public final Request request(int index) {
            return asker.request(keys.get(index));
        }
    }

    /// Has the values in the order of their keys.
    static final class Values extends MultiKey {

        private final List<byte @Nullable []> values;

        Values(List<byte[]> keys, Asker asker, HiddenPaths paths) {
            super(keys, asker, paths);
            values = new ArrayList<>(Collections.nCopies(keys.size(), null));
        }

        @Override
        void add(int index, Outcome outcome) {
            if (outcome instanceof Outcome.Found(byte[] value, long _)) {
                values.set(index, value);
            }
        }

        @Override
        Reply sum() {
            return new Reply.Bulks(values);
        }
    }

    /// Has the number of outcomes other than a miss.
    static final class Count extends MultiKey {

        private long count;

        Count(List<byte[]> keys, Asker asker, HiddenPaths paths) {
            super(keys, asker, paths);
        }

        @Override
        void add(int index, Outcome outcome) {
            if (!isMiss(outcome)) {
                count++;
            }
        }

        @Override
        Reply sum() {
            return new Reply.Number(count);
        }
    }
}
