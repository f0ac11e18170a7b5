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
import org.jspecify.annotations.Nullable;

/// The writes on their way to the target, at most so many bytes and so many of them, and up to which key there is
/// no gap among those that have arrived.
///
///     read -> [ load | load | load ... ] -> arrived: the first ones of which nothing is missing
///               |  a busy target: the same parcel again, later
///               |  too many at once for it: two halves instead
///
/// Belongs to the thread of the copy, but for what threads of the target bring: [#completed].
final class Window implements CompletionSink {

    // Constant.
    private final Home target;
    private final CopyOptions options;
    private final Patience patience;

    // Concurrent.
    private final LinkedBlockingQueue<Parcel> outcomes = new LinkedBlockingQueue<>();

    // The thread of the copy.
    private final ArrayDeque<Parcel.Load> loads = new ArrayDeque<>();
    private final PriorityQueue<Parcel> later = new PriorityQueue<>(Comparator.comparingLong(Parcel::dueNanos));
    private CopyState arrived;
    private int writeRecords;
    private int underWay;
    private long bytes;

    /// @param begin what has arrived before
    Window(Home target, CopyState begin, CopyOptions options, Patience patience) {
        this.target = target;
        this.arrived = begin;
        this.options = options;
        this.patience = patience;
        this.writeRecords = target.writeRecords();
    }

    /// How many records one write may hold; less after the target refused so many.
    int writeRecords() {
        return writeRecords;
    }

    /// All up to its key is durable in the target.
    CopyState arrived() {
        return arrived;
    }

    /// Sends records that come behind all before; waits for room.
    ///
    /// @throws CopyException when the target does not take something, however often it is tried
    void send(List<Mutation> records, long loadBytes) {
        while (!isEmpty() && !patience.isStopped() && (bytes + loadBytes > options.inFlightBytes() || isFull())) {
            step();
        }
        if (patience.isStopped()) {
            return;
        }
        Parcel.Load load = new Parcel.Load(records.getLast().key(), records.size(), loadBytes);
        loads.add(load);
        bytes += loadBytes;
        submit(new Parcel(load, records, this));
        takeWhatIsThere();
    }

    /// Waits for all that was sent. When asked to stop: for what is under way, and tries nothing again.
    void drain() {
        while (!isEmpty() && !patience.isStopped()) {
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

    /// Takes one outcome, or sends again what is due; waits for the first of the two.
    private void step() {
        Parcel due = later.peek();
        if (due == null) {
            settle(await(Long.MAX_VALUE));
            return;
        }
        long waitNanos = due.dueNanos() - patience.time().nanos();
        if (waitNanos <= 0) {
            later.remove();
            submit(due);
        } else if (underWay == 0) {
            patience.sleep(waitNanos);
        } else {
            settle(await(waitNanos));
        }
    }

    private void takeWhatIsThere() {
        for (Parcel parcel = outcomes.poll(); parcel != null; parcel = outcomes.poll()) {
            settle(parcel);
        }
    }

    private @Nullable Parcel await(long nanos) {
        try {
            return outcomes.poll(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CopyException("interrupted", e);
        }
    }

    private void submit(Parcel parcel) {
        underWay++;
        target.submit(parcel);
    }

    private void settle(@Nullable Parcel parcel) {
        if (parcel == null) {
            return;
        }
        underWay--;
        EngineException failure = parcel.failure();
        if (failure == null) {
            parcel.load().parcelsLeft--;
            advance();
        } else if (failure instanceof EngineException.Unsupported
                && parcel.batch().mutations().size() > 1) {
            halve(parcel);
        } else if (Patience.isPassing(failure) && parcel.tries() < Patience.MOST_TRIES) {
            later.add(parcel.again(patience.time().nanos() + Patience.waitNanos(parcel.tries())));
        } else {
            String often = parcel.tries() > 1 ? " (" + parcel.tries() + " tries)" : "";
            throw new CopyException("cannot write to " + target.name() + ": " + failure.getMessage() + often, failure);
        }
    }

    private void halve(Parcel parcel) {
        List<Mutation> records = parcel.batch().mutations();
        int half = records.size() / 2;
        writeRecords = Math.min(writeRecords, half);
        parcel.load().parcelsLeft++;
        submit(new Parcel(parcel.load(), records.subList(0, half), this));
        submit(new Parcel(parcel.load(), records.subList(half, records.size()), this));
    }

    private void advance() {
        for (Parcel.Load first = loads.peek(); first != null && first.parcelsLeft == 0; first = loads.peek()) {
            loads.remove();
            bytes -= first.bytes;
            arrived = arrived.after(first.lastKey, first.records, first.bytes);
        }
    }

    /// Any thread.
    @Override
    public void completed(Write write) {
        outcomes.add((Parcel) write);
    }

    @Override
    public void wake() {
        // Each outcome wakes who waits for it.
    }
}
