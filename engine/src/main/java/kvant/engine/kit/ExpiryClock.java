package kvant.engine.kit;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/// Decides which records have expired. The decision is final even when the wall clock jumps: a record that was once
/// reported as expired stays expired.
///
/// For all other records the wall clock alone decides. So a wrong clock does no harm beyond the records that it let
/// expire: a record written after the correction gets its full lifetime.
///
///     time   ->   12:00   13:00 (wrong)   12:00                     seen:  the latest end of a record that was
///     record       a, ends 12:30                b, ends 12:30              answered as expired: 12:30
///     answer       there      expired           a: expired, b: there       epoch: up to the sequence number of a,
///                                                                          what ends by 12:30 has expired
///
/// Any thread may ask; the commit thread alone calls [#written].
public final class ExpiryClock {

    /// The bound on epochs, each caused by a clock that was set back by more than a lifetime. Beyond it the two
    /// oldest are merged: records of the newer one expire with those of the older.
    public static final int MAX_EPOCHS = 16;

    /// Below every end of a record.
    public static final long NOTHING = Long.MIN_VALUE;

    /// A period before a correction of the clock: records up to the sequence number that end by this time have
    /// expired, regardless of the clock.
    public record Epoch(long lastSequence, long expiredMillis) {}

    /// The state that must survive a restart.
    ///
    /// @param seenMillis the latest end of any record that was seen as expired since the last epoch ended
    /// @param epochs in the order of their sequence numbers; the times fall
    public record State(long seenMillis, List<Epoch> epochs) {

        public static final State NEW = new State(NOTHING, List.of());

        public State {
            epochs = List.copyOf(epochs);
        }

        /// The state without epochs beyond the last sequence number of a store, because those numbers are assigned
        /// again.
        public State upTo(long lastSequence) {
            return new State(
                    seenMillis,
                    epochs.stream()
                            .map(epoch ->
                                    new Epoch(Math.min(epoch.lastSequence(), lastSequence), epoch.expiredMillis()))
                            .toList());
        }
    }

    // Constant.
    private final InstantSource wall;

    // Atomic.
    private final AtomicLong seenMillis;

    // Written by the commit thread, read by anyone.
    private volatile List<Epoch> epochs;

    // Written once.
    private volatile Runnable epochEnded = () -> {};

    public ExpiryClock(InstantSource wall, State state) {
        this.wall = wall;
        this.seenMillis = new AtomicLong(state.seenMillis());
        this.epochs = state.epochs();
    }

    /// A clock for a new store.
    public static ExpiryClock of(InstantSource wall) {
        return new ExpiryClock(wall, State.NEW);
    }

    /// Sets the action that saves the state when an epoch ends, before the record that ended it is acknowledged.
    public void onEpochEnd(Runnable save) {
        epochEnded = save;
    }

    public State state() {
        return new State(seenMillis.get(), epochs);
    }

    /// Whether a record has expired. Once true for a record, it stays true.
    ///
    /// @param endMillis the record's expiry time since the epoch
    /// @param sequence under which it was written
    public boolean isExpired(long endMillis, long sequence) {
        if (endMillis <= wall.millis()) {
            if (endMillis > seenMillis.get()) {
                seenMillis.accumulateAndGet(endMillis, Math::max);
            }
            return true;
        }
        return endMillis <= seenMillis.get() || isOfExpiredEpoch(endMillis, sequence);
    }

    private boolean isOfExpiredEpoch(long endMillis, long sequence) {
        List<Epoch> past = epochs;
        for (int i = 0; i < past.size(); i++) {
            if (sequence <= past.get(i).lastSequence()
                    && endMillis <= past.get(i).expiredMillis()) {
                return true;
            }
        }
        return false;
    }

    /// Handles the write of a record that no reader sees yet. If the record lies in the future but ends before a
    /// record that was seen as expired, the clock was set back: an epoch ends.
    public void written(long endMillis, long sequence) {
        long seen = seenMillis.get();
        if (endMillis > seen || endMillis <= wall.millis()) {
            return;
        }
        List<Epoch> past = epochs;
        epochs = withNext(past, new Epoch(sequence - 1, seen)); // before the reset: a reader finds at least one
        while (!seenMillis.compareAndSet(seen, NOTHING)) {
            seen = seenMillis.get(); // another thread just saw a later end: it belongs to that epoch too
            epochs = withNext(past, new Epoch(sequence - 1, seen));
        }
        epochEnded.run();
    }

    private static List<Epoch> withNext(List<Epoch> past, Epoch ended) {
        List<Epoch> next = new ArrayList<>(past);
        next.removeIf(epoch -> epoch.expiredMillis() <= ended.expiredMillis());
        next.add(ended);
        if (next.size() > MAX_EPOCHS) {
            Epoch oldest = next.removeFirst();
            next.set(0, new Epoch(next.getFirst().lastSequence(), oldest.expiredMillis()));
        }
        return List.copyOf(next);
    }
}
