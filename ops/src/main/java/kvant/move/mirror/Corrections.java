package kvant.move.mirror;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import kvant.engine.Engine;
import kvant.engine.EngineException;
import kvant.engine.Mutation;
import kvant.engine.kit.KeyedSerializer;
import org.jspecify.annotations.Nullable;

/// The [Copier]'s writes to the target, one group of keys at a time. It takes the lines of the keys, checks whether
/// they still need the write, sends, waits for the replies, and releases the lines. Belongs to the copier's thread,
/// except for its figures.
final class Corrections {

    /// Maximum number of keys in a group: a client that writes one of them waits for the whole group.
    static final int MOST_KEYS = 64;

    private static final long REFUSED_PAUSE_NANOS = 5_000_000_000L;

    // Constant.
    private final Engine source;
    private final KeyedSerializer order;
    private final MirrorBacklog backlog;
    private final TargetWrites writes;

    // Written by the copier's thread.
    private volatile long copiedRecords;
    private volatile long deletedRecords;

    Corrections(Engine source, KeyedSerializer order, MirrorBacklog backlog, TargetWrites writes) {
        this.source = source;
        this.order = order;
        this.backlog = backlog;
        this.writes = writes;
    }

    long copiedRecords() {
        return copiedRecords;
    }

    long deletedRecords() {
        return deletedRecords;
    }

    /// Writes a group to the target, except keys that clients have written meanwhile: their writes are in the target or
    /// in the backlog.
    ///
    /// @param since keys that clients have written since the group was read
    /// @return false when that set is incomplete: the group must be read again
    boolean copy(Engine to, List<Mutation> group, ChangedKeys since) {
        Turn turn = await(KeyedSerializer.linesOf(group));
        try {
            if (since.isFull()) {
                return false;
            }
            List<Mutation> unchanged = new ArrayList<>();
            for (Mutation mutation : group) {
                KeyBytes key = new KeyBytes(mutation.key());
                if (!since.contains(key) && !backlog.repairs().contains(key)) {
                    unchanged.add(mutation);
                }
            }
            sendAll(to, unchanged, (mutation, applied, _) -> count(mutation, applied));
            return true;
        } finally {
            order.leave(turn);
        }
    }

    private void count(Mutation mutation, boolean applied) {
        if (applied && mutation instanceof Mutation.Put) {
            copiedRecords++;
        } else if (applied) {
            deletedRecords++;
        }
    }

    /// Writes the source's current records for some keys of the backlog. While the circuit breaker is open, only one
    /// key is written, as a probe.
    void repairSome(Engine to) {
        if (!backlog.circuit().mayAsk()) {
            return;
        }
        if (backlog.repairs().size() == 0) {
            backlog.circuit().worked(); // no key is left for a probe
            return;
        }
        List<KeyBytes> keys = backlog.repairs().due(backlog.circuit().isClosed() ? MOST_KEYS : 1);
        if (keys.isEmpty()) {
            return;
        }
        Turn turn = await(
                KeyedSerializer.linesOfKeys(keys.stream().map(KeyBytes::bytes).toList()));
        try {
            List<Mutation> repairs = new ArrayList<>();
            for (KeyBytes key : keys) {
                if (backlog.repairs().isDue(key)) {
                    repairs.add(Difference.repair(source, key.bytes()));
                }
            }
            sendAll(to, repairs, this::repaired);
        } finally {
            order.leave(turn);
        }
    }

    private void repaired(Mutation mutation, boolean applied, @Nullable EngineException failure) {
        KeyBytes key = new KeyBytes(mutation.key());
        if (applied) {
            backlog.circuit().worked();
            backlog.repairs().remove(key);
        } else if (failure != null && MirrorBacklog.isRefusal(failure)) {
            backlog.repairs().postpone(key, REFUSED_PAUSE_NANOS);
        }
    }

    /// Receives the outcome of one mutation.
    private interface OutcomeHandler {
        void answered(Mutation mutation, boolean applied, @Nullable EngineException failure);
    }

    /// Sends each mutation separately, so that a cluster routes it to its replicas. Waits for all, up to the deadline.
    private void sendAll(Engine to, List<Mutation> mutations, OutcomeHandler heard) {
        CountDownLatch missing = new CountDownLatch(mutations.size());
        boolean[] applied = new boolean[mutations.size()];
        @Nullable EngineException[] failures = new EngineException[mutations.size()];
        for (int i = 0; i < mutations.size(); i++) {
            int at = i;
            writes.send(to, List.of(mutations.get(i)), (taken, failure) -> {
                applied[at] = taken;
                failures[at] = failure;
                missing.countDown();
            });
        }
        await(missing);
        for (int i = 0; i < mutations.size(); i++) {
            heard.answered(mutations.get(i), applied[i], failures[i]);
        }
    }

    /// Waits until the copier holds the lines of these keys.
    private Turn await(int[] lines) {
        Turn turn = new Turn(lines);
        order.enter(turn);
        await(turn.come);
        return turn;
    }

    private static final class Turn extends KeyedSerializer.Turn {

        final CountDownLatch come = new CountDownLatch(1);

        Turn(int[] lines) {
            super(lines, true);
        }

        @Override
        protected void go() {
            come.countDown();
        }
    }

    /// Always ends: each write has a deadline, and this thread is never interrupted.
    private static void await(CountDownLatch latch) {
        while (true) {
            try {
                latch.await();
                return;
            } catch (InterruptedException _) {
                // Continues, because the lines must be released in order.
            }
        }
    }
}
