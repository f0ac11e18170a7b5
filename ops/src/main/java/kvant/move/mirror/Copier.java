package kvant.move.mirror;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import kvant.engine.Cursor;
import kvant.engine.Engine;
import kvant.engine.EngineException;
import kvant.engine.Inspection;
import kvant.engine.Maintenance;
import kvant.engine.Mutation;
import kvant.engine.kit.KeyedSerializer;
import kvant.engine.kit.RateLimit;
import org.jspecify.annotations.Nullable;

/// The thread that makes the target equal to the source. It opens the target, compares all records, writes the
/// differences, and then the writes remaining in the [MirrorBacklog]. It writes groups of keys: it takes their lines,
/// checks whether they still need the write, sends, waits for the replies, and releases the lines, for which clients
/// wait.
///
///     open target -> pass over all records -> repairs, until the switch-over or the end of the mirror
///                         ^------- fell behind -------'
///
/// A pass after the switch-over would undo newer writes: the thread ends with the switch-over.
///
/// No progress is kept on disk: after a restart the pass starts again and finds the differences by comparison. Equal
/// records cost no write.
///
/// @param <E> the kind of engine that both are of
final class Copier<E extends Engine> {

    private static final Logger LOGGER = System.getLogger(Copier.class.getName());

    private static final byte[] START = {};

    /// Maximum number of keys in a group: a client that writes one of them waits for the whole group.
    private static final int MOST_KEYS = 64;

    private static final long REFUSED_PAUSE_NANOS = 5_000_000_000L;
    private static final int MOST_CHANGED_KEYS = 100_000;
    private static final long GROUP_BYTES = 1L << 20;
    private static final int MOST_DOUBLINGS = 6;
    private static final Duration END_LIMIT = Duration.ofSeconds(60);
    private static final long IDLE_NANOS = 20_000_000;

    // Constant.
    private final Engine source;
    private final Supplier<? extends E> opener;
    private final MirrorMarks marks;
    private final KeyedSerializer order;
    private final MirrorBacklog backlog;
    private final TargetWrites writes;
    private final RateLimit rate;
    private final long pauseNanos;
    private final Thread thread = Thread.ofPlatform().name("kvant-mirror").unstarted(this::run);

    /// Held by the thread while it works, so that a switch-over does not overlap with a pass.
    private final ReentrantLock working = new ReentrantLock();

    // Owned by the thread.
    private MirrorStatus.State shown = MirrorStatus.State.BEHIND;
    private boolean admitted;
    private int brokenPasses;

    // Written by the thread.
    private volatile @Nullable E target;
    private volatile ChangedKeys changedKeys = ChangedKeys.NONE;
    private volatile String blocked = "";
    private volatile boolean passDone;
    private volatile long comparedRecords;
    private volatile long comparedBytes;
    private volatile long estimatedRecords;
    private volatile long copiedRecords;
    private volatile long deletedRecords;

    // Atomic.
    private volatile boolean ended;

    /// @param opener opens the target; called again after a pause when it fails
    Copier(
            Engine source,
            Supplier<? extends E> opener,
            MirrorMarks marks,
            KeyedSerializer order,
            MirrorBacklog backlog,
            TargetWrites writes,
            MirrorOptions options) {
        this.source = source;
        this.opener = opener;
        this.marks = marks;
        this.backlog = backlog;
        this.order = order;
        this.writes = writes;
        this.rate = new RateLimit(options.bytesPerSecond(), System::nanoTime);
        this.pauseNanos = options.pause().toNanos();
    }

    void start() {
        thread.start();
    }

    /// Switches over while the thread is idle, and ends the thread.
    ///
    /// @param limit maximum time to wait for the thread
    /// @param switching performs the switch-over; when it throws, nothing has changed
    /// @throws EngineException.Unavailable when the thread is busy for longer
    void endWith(Duration limit, Runnable switching) {
        try {
            if (!working.tryLock(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new EngineException.Unavailable(
                        "not switched: the mirror works on the target for longer than " + limit.toMillis() + " ms");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new EngineException.Unavailable("not switched: the wait for the mirror was interrupted");
        }
        try {
            switching.run();
            ended = true;
        } finally {
            working.unlock();
        }
        LockSupport.unpark(thread);
    }

    /// Ends the thread. Waits for a limited time, because the thread may be waiting for a write that never ends.
    void end() {
        ended = true;
        LockSupport.unpark(thread);
        try {
            if (thread.isAlive() && !thread.join(END_LIMIT)) {
                LOGGER.log(Level.WARNING, "the mirror has not ended within " + END_LIMIT.toSeconds() + " s");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Nullable
    E target() {
        return target;
    }

    /// The set to which clients' writes add their keys.
    ChangedKeys changedKeys() {
        return changedKeys;
    }

    /// @param switched whether the target serves, which the engine knows
    MirrorStatus status(boolean switched) {
        MirrorStatus.State state = switched ? MirrorStatus.State.SWITCHED : state();
        String reason = !blocked.isEmpty() ? blocked : backlog.circuit.isClosed() ? backlog.reason() : why();
        return new MirrorStatus(
                state,
                marks.targetName(),
                comparedRecords,
                comparedBytes,
                estimatedRecords,
                copiedRecords,
                deletedRecords,
                backlog.repairs.size(),
                backlog.failures(),
                reason);
    }

    private String why() {
        return "the target does not work: " + backlog.circuit.reason();
    }

    /// The order matters: conditions that become true later are checked first.
    private MirrorStatus.State state() {
        if (!blocked.isEmpty()) {
            return MirrorStatus.State.BLOCKED;
        }
        if (!passDone) {
            return backlog.isTracking() ? MirrorStatus.State.COPYING : MirrorStatus.State.BEHIND;
        }
        if (backlog.repairs.size() > 0 || backlog.late() > 0) {
            return MirrorStatus.State.REPAIRING;
        }
        return backlog.isTracking() ? MirrorStatus.State.CAUGHT_UP : MirrorStatus.State.BEHIND;
    }

    private void run() {
        while (!ended) {
            working.lock();
            try {
                step();
            } catch (EngineException e) {
                backlog.circuit.failed(String.valueOf(e.getMessage()));
            } catch (RuntimeException | Error e) {
                LOGGER.log(Level.ERROR, "the mirror failed; it begins again", e);
                backlog.circuit.failed(e.toString());
                backlog.fallBehind("the mirror failed: " + e);
            } finally {
                working.unlock();
            }
            tell();
            rest(IDLE_NANOS);
        }
    }

    private void step() {
        if (ended || !blocked.isEmpty() || !backlog.circuit.mayAsk()) { // a switch-over may have ended it
            return;
        }
        Engine to = target;
        if (to == null) {
            target = opener.get();
            backlog.circuit.worked();
            return;
        }
        if (!admitted && !admit(to)) {
            return;
        }
        if (!passDone || !backlog.isTracking()) {
            if (!backlog.circuit.isClosed()) {
                isEmpty(to); // the probe: a pass must read from the target
                backlog.circuit.worked();
            }
            pass(to);
        } else {
            repairSome(to);
        }
    }

    /// Refuses a target that holds records, unless this mirror wrote them or may overwrite them.
    private boolean admit(Engine to) {
        if (!marks.mayOverwrite() && !isEmpty(to)) {
            blocked = "the target holds records that are not from here; --mirror-over has them overwritten";
            return false;
        }
        marks.began();
        admitted = true;
        return true;
    }

    private static boolean isEmpty(Engine engine) {
        try (Cursor first = engine.scan(START, null)) {
            return !first.next();
        }
    }

    /// Compares all records, from the first to the last.
    private void pass(Engine to) {
        passDone = false;
        backlog.begin();
        comparedRecords = 0;
        comparedBytes = 0;
        estimatedRecords = estimate();
        tell();
        try {
            byte @Nullable [] from = START;
            while (from != null && isGoing()) {
                if (backlog.late() > 0 || !backlog.circuit.mayAsk()) {
                    rest(IDLE_NANOS); // a read would not show the unfinished writes
                } else if (!backlog.circuit.isClosed() && backlog.repairs.size() > 0) {
                    repairSome(to); // the probe
                    rest(IDLE_NANOS);
                } else {
                    from = piece(to, from);
                }
            }
            passDone = from == null && isGoing();
        } finally {
            changedKeys = ChangedKeys.NONE;
        }
        brokenPasses = passDone ? 0 : brokenPasses + 1;
        if (brokenPasses > 0) {
            tell();
            rest(pauseNanos << Math.min(MOST_DOUBLINGS, brokenPasses - 1));
        }
    }

    private boolean isGoing() {
        return !ended && backlog.isTracking();
    }

    /// @return where to continue; the same key when the piece must be read again
    private byte @Nullable [] piece(Engine to, byte[] from) {
        Difference difference;
        try {
            changedKeys = new ChangedKeys(MOST_CHANGED_KEYS); // first: later writes may be missing in the data read
            difference = Difference.read(source, to, from);
            backlog.circuit.worked();
        } catch (EngineException e) {
            backlog.circuit.failed(String.valueOf(e.getMessage()));
            return from;
        }
        List<Mutation> mutations = difference.mutations();
        int done = 0;
        while (done < mutations.size() && isGoing()) {
            int end = endOfGroup(mutations, done);
            if (!copy(to, mutations.subList(done, end), changedKeys)) {
                return mutations.get(done).key();
            }
            done = end;
            repairSome(to);
        }
        comparedRecords += difference.records();
        comparedBytes += difference.bytes();
        rest(rate.reserve(difference.bytes()));
        return difference.next();
    }

    private static int endOfGroup(List<Mutation> mutations, int start) {
        long bytes = 0;
        int end = start;
        while (end < mutations.size() && end - start < MOST_KEYS && (end == start || bytes < GROUP_BYTES)) {
            bytes += mutations.get(end) instanceof Mutation.Put put ? put.value().length : 0;
            end++;
        }
        return end;
    }

    // Writes to the target.

    /// Writes a group to the target, except keys that clients have written meanwhile: their writes are in the target or
    /// in the backlog.
    ///
    /// @param since keys that clients have written since the group was read
    /// @return false when that set is incomplete: the group must be read again
    private boolean copy(Engine to, List<Mutation> group, ChangedKeys since) {
        Turn turn = await(KeyedSerializer.linesOf(group));
        try {
            if (since.isFull()) {
                return false;
            }
            List<Mutation> unchanged = new ArrayList<>();
            for (Mutation mutation : group) {
                KeyBytes key = new KeyBytes(mutation.key());
                if (!since.contains(key) && !backlog.repairs.contains(key)) {
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
    private void repairSome(Engine to) {
        if (!backlog.circuit.mayAsk()) {
            return;
        }
        if (backlog.repairs.size() == 0) {
            backlog.circuit.worked(); // no key is left for a probe
            return;
        }
        List<KeyBytes> keys = backlog.repairs.due(backlog.circuit.isClosed() ? MOST_KEYS : 1);
        if (keys.isEmpty()) {
            return;
        }
        Turn turn = await(
                KeyedSerializer.linesOfKeys(keys.stream().map(KeyBytes::bytes).toList()));
        try {
            List<Mutation> repairs = new ArrayList<>();
            for (KeyBytes key : keys) {
                if (backlog.repairs.isDue(key)) {
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
            backlog.circuit.worked();
            backlog.repairs.remove(key);
        } else if (failure != null && MirrorBacklog.isRefusal(failure)) {
            backlog.repairs.postpone(key, REFUSED_PAUSE_NANOS);
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

    // Progress.

    private void rest(long nanos) {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0 && !ended; left = end - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
        }
    }

    /// Approximate number of records; 0 when the engine cannot tell.
    private long estimate() {
        Maintenance maintenance = source.maintenance();
        if (maintenance == null) {
            return 0;
        }
        long records = 0;
        for (Inspection.Content run : maintenance.inspect().runs()) {
            records += run.records() - 2 * run.deletions(); // a deletion is a record itself and removes another one
        }
        return Math.max(0, records);
    }

    /// Logs one line for each change of state.
    private void tell() {
        MirrorStatus status = status(false);
        if (status.state() != shown) {
            shown = status.state();
            LOGGER.log(Level.INFO, "mirror: {0}", status.text());
        }
    }
}
