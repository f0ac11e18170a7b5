package kvant.move.copy;

import java.util.List;
import kvant.engine.CompletionSink;
import kvant.engine.Mutation;
import kvant.engine.Write;
import kvant.engine.WriteBatch;

/// One try to write some of the records of a [Load].
final class Parcel extends Write {

    private final Load load;
    private final int tries;
    private final long dueNanos;

    Parcel(Load load, List<Mutation> records, CompletionSink sink) {
        this(load, WriteBatch.of(records), sink, 1, 0);
    }

    private Parcel(Load load, WriteBatch records, CompletionSink sink, int tries, long dueNanos) {
        super(records, sink);
        this.load = load;
        this.tries = tries;
        this.dueNanos = dueNanos;
    }

    /// Some records that were read one after the other, and go to the target together if it can take them so.
    static final class Load {
        final byte[] lastKey;
        final int records;
        final long bytes;
        int parcelsLeft = 1;

        Load(byte[] lastKey, int records, long bytes) {
            this.lastKey = lastKey;
            this.records = records;
            this.bytes = bytes;
        }
    }

    Load load() {
        return load;
    }

    /// How many this one is.
    int tries() {
        return tries;
    }

    /// When it may be sent.
    long dueNanos() {
        return dueNanos;
    }

    /// The same once more.
    Parcel again(long newDueNanos) {
        return new Parcel(load, batch(), sink(), tries + 1, newDueNanos);
    }
}
