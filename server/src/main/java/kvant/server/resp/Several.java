package kvant.server.resp;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import kvant.server.request.Outcome;
import kvant.server.request.Request;
import org.jspecify.annotations.Nullable;

/// A command that does the same with each of several keys: each is read or changed at a moment of its own. Where one
/// fails, that is the reply; others may have been changed.
final class Several extends Command {

    /// What is asked of one key.
    @FunctionalInterface
    interface Asker {
        Request request(byte[] key);
    }

    /// What the outcomes come to.
    interface Sum {

        /// @param outcome no failure
        void add(int index, Outcome outcome);

        Reply reply();
    }

    // Constant.
    private final List<byte[]> keys;
    private final Asker asker;
    private final Sum sum;
    private final Hidden hidden;

    // Owned by the event loop.
    private @Nullable Reply failure;

    Several(List<byte[]> keys, Asker asker, Sum sum, Hidden hidden) {
        this.keys = keys;
        this.asker = asker;
        this.sum = sum;
        this.hidden = hidden;
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
    public void answered(int index, Outcome outcome) {
        if (!(outcome instanceof Outcome.Failed failed)) {
            sum.add(index, outcome);
        } else if (failure == null) {
            failure = hidden.error(failed);
        }
    }

    @Override
    public Reply reply() {
        return failure == null ? sum.reply() : failure;
    }

    /// Values in the order of their keys.
    static final class Values implements Sum {

        private final List<byte @Nullable []> values;

        Values(int count) {
            values = new ArrayList<>(Collections.nCopies(count, null));
        }

        @Override
        public void add(int index, Outcome outcome) {
            if (outcome instanceof Outcome.Found(byte[] value, long _)) {
                values.set(index, value);
            }
        }

        @Override
        public Reply reply() {
            return new Reply.Bulks(values);
        }
    }

    /// How many outcomes were other than a miss.
    static final class Count implements Sum {

        private long count;

        @Override
        public void add(int index, Outcome outcome) {
            if (!isMiss(outcome)) {
                count++;
            }
        }

        @Override
        public Reply reply() {
            return new Reply.Number(count);
        }

        static boolean isMiss(Outcome outcome) {
            return outcome == Outcome.Plain.ABSENT || outcome == Outcome.Plain.PRECONDITION_FAILED;
        }
    }
}
