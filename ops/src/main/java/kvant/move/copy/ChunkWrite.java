package kvant.move.copy;

import java.util.List;
import kvant.engine.CompletionSink;
import kvant.engine.Mutation;
import kvant.engine.Write;
import kvant.engine.WriteBatch;

/// One attempt to write records of a [Chunk].
final class ChunkWrite extends Write {

    private final Chunk chunk;
    private final int tries;
    private final long dueNanos;

    ChunkWrite(Chunk chunk, List<Mutation> records, CompletionSink sink) {
        this(chunk, WriteBatch.of(records), sink, 1, 0);
    }

    private ChunkWrite(Chunk chunk, WriteBatch records, CompletionSink sink, int tries, long dueNanos) {
        super(records, sink);
        this.chunk = chunk;
        this.tries = tries;
        this.dueNanos = dueNanos;
    }

    Chunk chunk() {
        return chunk;
    }

    /// The number of this attempt.
    int tries() {
        return tries;
    }

    /// When it may be sent.
    long dueNanos() {
        return dueNanos;
    }

    /// The next attempt.
    ChunkWrite again(long newDueNanos) {
        return new ChunkWrite(chunk, batch(), sink(), tries + 1, newDueNanos);
    }
}
