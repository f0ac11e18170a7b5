package kvant.move.mirror;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import kvant.engine.Engine;
import kvant.engine.EngineException;
import kvant.engine.Mutation;
import org.jspecify.annotations.Nullable;

/// What the [Copier] writes to the target, a group of keys at a time: it takes their lines, looks whether they still
/// want
/// it, sends, waits for the answers, and gives the lines back. Belongs to the copier's thread, but for its figures.
final class Corrections {

    /// Most keys of a group: clients that write one of them wait for the whole group.
    static final int MOST_KEYS = 64;

    private static final long REFUSED_PAUSE_NANOS = 5_000_000_000L;

    // Constant.
    private final Engine source;
    private final KeyOrder order;
    private final Backlog backlog;
    private final TargetWrites writes;

    // Written by the copier's thread.
    private volatile long copiedRecords;
    private volatile long deletedRecords;

    Corrections(Engine source, KeyOrder order, Backlog backlog, TargetWrites writes) {
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

    /// Writes some keys to the target, but those that clients have written meanwhile: these are there already, or in
    /// the backlog.
    ///
    /// @param since what they have written since the group was read
    /// @return false when nobody knows that any more: the group is to be read again
    boolean copy(Engine to, List<Mutation> group, Touched since) {
        int[] lines = KeyOrder.linesOf(group);
        enter(lines);
        try {
            if (since.isFull()) {
                return false;
            }
            List<Mutation> untouched = new ArrayList<>();
            for (Mutation mutation : group) {
                Key key = new Key(mutation.key());
                if (!since.contains(key) && !backlog.repairs().contains(key)) {
                    untouched.add(mutation);
                }
            }
            sendAll(to, untouched, (mutation, applied, _) -> count(mutation, applied));
            return true;
        } finally {
            order.leave(lines);
        }
    }

    private void count(Mutation mutation, boolean applied) {
        if (applied && mutation instanceof Mutation.Put) {
            copiedRecords++;
        } else if (applied) {
            deletedRecords++;
        }
    }

    /// Brings some keys of the backlog to what the source holds now; one alone while nobody knows whether the target
    /// works.
    void repairSome(Engine to) {
        if (!backlog.circuit().mayAsk()) {
            return;
        }
        if (backlog.repairs().size() == 0) {
            backlog.circuit().worked(); // nothing is left to find out with
            return;
        }
        List<Key> keys = backlog.repairs().due(backlog.circuit().isClosed() ? MOST_KEYS : 1);
        if (keys.isEmpty()) {
            return;
        }
        int[] lines = KeyOrder.linesOfKeys(keys);
        enter(lines);
        try {
            List<Mutation> repairs = new ArrayList<>();
            for (Key key : keys) {
                if (backlog.repairs().isDue(key)) {
                    repairs.add(Difference.repair(source, key.bytes()));
                }
            }
            sendAll(to, repairs, this::repaired);
        } finally {
            order.leave(lines);
        }
    }

    private void repaired(Mutation mutation, boolean applied, @Nullable EngineException failure) {
        Key key = new Key(mutation.key());
        if (applied) {
            backlog.circuit().worked();
            backlog.repairs().remove(key);
        } else if (failure != null && Backlog.isRefusal(failure)) {
            backlog.repairs().postpone(key, REFUSED_PAUSE_NANOS);
        }
    }

    /// Hears what became of one mutation.
    private interface Heard {
        void answered(Mutation mutation, boolean applied, @Nullable EngineException failure);
    }

    /// Sends each by itself, so that a cluster takes it to its replicas, and waits for all: within the deadline.
    private void sendAll(Engine to, List<Mutation> mutations, Heard heard) {
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

    private void enter(int[] lines) {
        CountDownLatch turn = new CountDownLatch(1);
        order.enter(lines, turn::countDown);
        await(turn);
    }

    /// What is waited for comes: writes end, and nobody interrupts this thread.
    private static void await(CountDownLatch latch) {
        while (true) {
            try {
                latch.await();
                return;
            } catch (InterruptedException _) {
                // Goes on: the lines must be given back in order.
            }
        }
    }
}
