package kvant.move.copy;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import kvant.engine.CompletionSink;
import kvant.engine.EngineException;
import kvant.engine.Mutation;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// The unfinished writes to the target, bounded in bytes and number, and the key up to which all records have arrived
/// without a gap.
///
///     read -> [ chunk | chunk | chunk ... ] -> arrived: the longest complete prefix of the chunks
///               |  busy target: the same write is sent again later
///               |  batch too large for the target: it is split in two
///
/// Belongs to the thread of the copy, except [#completed], which threads of the target call.
final class Window implements CompletionSink {

    /// Consecutive records of the source, sent to the target in one write if the target accepts that size.
    private static final class Chunk {

        final byte[] lastKey;
        final int records;
        final long bytes;

        /// Number of unfinished writes of its records.
        int writesLeft = 1;

        Chunk(byte[] lastKey, int records, long bytes) {
            this.lastKey = lastKey;
            this.records = records;
            this.bytes = bytes;
        }
    }

    /// One attempt to write records of a [Chunk].
    private static final class ChunkWrite extends Write {

        final Chunk chunk;
        final int tries;
        /// The earliest time to send it.
        final long dueNanos;

        ChunkWrite(Chunk chunk, WriteBatch records, CompletionSink sink, int tries, long dueNanos) {
            super(records, sink);
            this.chunk = chunk;
            this.tries = tries;
            this.dueNanos = dueNanos;
        }
    }

    // Constant.
    private final Endpoint target;
    private final CopyOptions options;
    private final RetryPolicy retries;

    // Concurrent.
    private final LinkedBlockingQueue<ChunkWrite> outcomes = new LinkedBlockingQueue<>();

    // The thread of the copy.
    private final ArrayDeque<Chunk> chunks = new ArrayDeque<>();
    private final PriorityQueue<ChunkWrite> later =
            new PriorityQueue<>(Comparator.comparingLong(write -> write.dueNanos));
    private CopyState arrived;
    private int writeRecords;
    private int underWay;
    private long bytes;

    /// @param begin progress of earlier runs
    Window(Endpoint target, CopyState begin, CopyOptions options, RetryPolicy retries) {
        this.target = target;
        this.arrived = begin;
        this.options = options;
        this.retries = retries;
        this.writeRecords = target.writeRecords();
    }

    /// Maximum number of records in a write; reduced after the target refused that many.
    int writeRecords() {
        return writeRecords;
    }

    /// The target durably has all records up to the key of this state.
    CopyState arrived() {
        return arrived;
    }

    /// Sends the next records; waits while the window is full.
    ///
    /// @throws UserException when the target refuses a write after all attempts
    void send(List<Mutation> records, long chunkBytes) {
        while (!isEmpty() && !retries.isStopped() && (bytes + chunkBytes > options.inFlightBytes() || isFull())) {
            step();
        }
        if (retries.isStopped()) {
            return;
        }
        Chunk chunk = new Chunk(records.getLast().key(), records.size(), chunkBytes);
        chunks.add(chunk);
        bytes += chunkBytes;
        submit(chunk, records);
        takeWhatIsThere();
    }

    /// Waits for all writes. When stopped, waits only for those in flight, without retries.
    void drain() {
        while (!isEmpty() && !retries.isStopped()) {
            step();
        }
        while (underWay > 0) {
            later.clear();
            step();
        }
    }

    private boolean isFull() {
        return underWay + later.size() >= options.inFlightWrites();
    }

    private boolean isEmpty() {
        return underWay == 0 && later.isEmpty();
    }

    /// Handles one outcome or one due retry, whichever comes first; waits for it.
    private void step() {
        ChunkWrite due = later.peek();
        if (due == null) {
            settle(await(Long.MAX_VALUE));
            return;
        }
        long waitNanos = due.dueNanos - retries.nanos();
        if (waitNanos <= 0) {
            later.remove();
            submit(due);
        } else if (underWay == 0) {
            retries.sleep(waitNanos);
        } else {
            settle(await(waitNanos));
        }
    }

    private void takeWhatIsThere() {
        for (ChunkWrite write = outcomes.poll(); write != null; write = outcomes.poll()) {
            settle(write);
        }
    }

    private @Nullable ChunkWrite await(long nanos) {
        try {
            return outcomes.poll(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UserException("interrupted", e);
        }
    }

    private void submit(Chunk chunk, List<Mutation> records) {
        submit(new ChunkWrite(chunk, WriteBatch.of(records), this, 1, 0));
    }

    private void submit(ChunkWrite write) {
        underWay++;
        target.submit(write);
    }

    private void settle(@Nullable ChunkWrite write) {
        if (write == null) {
            return;
        }
        underWay--;
        EngineException failure = write.failure();
        if (failure == null) {
            write.chunk.writesLeft--;
            advance();
        } else if (failure instanceof EngineException.Unsupported
                && write.batch().mutations().size() > 1) {
            halve(write);
        } else if (RetryPolicy.isPassing(failure) && write.tries < RetryPolicy.MOST_TRIES) {
            long dueNanos = retries.nanos() + RetryPolicy.waitNanos(write.tries);
            later.add(new ChunkWrite(write.chunk, write.batch(), this, write.tries + 1, dueNanos));
        } else {
            String often = write.tries > 1 ? " (" + write.tries + " tries)" : "";
            throw new UserException("cannot write to " + target.name() + ": " + failure.getMessage() + often, failure);
        }
    }

    private void halve(ChunkWrite write) {
        List<Mutation> records = write.batch().mutations();
        int half = records.size() / 2;
        writeRecords = Math.min(writeRecords, half);
        write.chunk.writesLeft++;
        submit(write.chunk, records.subList(0, half));
        submit(write.chunk, records.subList(half, records.size()));
    }

    private void advance() {
        for (Chunk first = chunks.peek(); first != null && first.writesLeft == 0; first = chunks.peek()) {
            chunks.remove();
            bytes -= first.bytes;
            arrived = arrived.after(first.lastKey, first.records, first.bytes);
        }
    }

    /// Any thread.
    @Override
    public void completed(Write write) {
        outcomes.add((ChunkWrite) write);
    }

    @Override
    public void wake() {
        // Each outcome wakes its waiter.
    }
}
