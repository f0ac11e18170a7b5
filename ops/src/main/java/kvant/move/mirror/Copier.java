package kvant.move.mirror;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
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
/// differences, and then the writes remaining in the [MirrorBacklog]. Clients wait at most for one group of keys, whose
/// lines the thread holds.
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
    private static final int MOST_CHANGED_KEYS = 100_000;
    private static final long GROUP_BYTES = 1L << 20;
    private static final int MOST_DOUBLINGS = 6;
    private static final Duration END_LIMIT = Duration.ofSeconds(60);
    private static final long IDLE_NANOS = 20_000_000;

    // Constant.
    private final Engine source;
    private final Supplier<? extends E> opener;
    private final MirrorMarks marks;
    private final MirrorBacklog backlog;
    private final Corrections corrections;
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
        this.corrections = new Corrections(source, order, backlog, writes);
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

    /// Never returns SWITCHED: the engine reports that state.
    MirrorStatus status() {
        MirrorStatus.State state = state();
        String reason = !blocked.isEmpty() ? blocked : backlog.circuit().isClosed() ? backlog.reason() : why();
        return new MirrorStatus(
                state,
                marks.targetName(),
                comparedRecords,
                comparedBytes,
                estimatedRecords,
                corrections.copiedRecords(),
                corrections.deletedRecords(),
                backlog.repairs().size(),
                backlog.failures(),
                reason);
    }

    private String why() {
        return "the target does not work: " + backlog.circuit().reason();
    }

    /// The order matters: conditions that become true later are checked first.
    private MirrorStatus.State state() {
        if (!blocked.isEmpty()) {
            return MirrorStatus.State.BLOCKED;
        }
        if (!passDone) {
            return backlog.isTracking() ? MirrorStatus.State.COPYING : MirrorStatus.State.BEHIND;
        }
        if (backlog.repairs().size() > 0 || backlog.late() > 0) {
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
                backlog.circuit().failed(String.valueOf(e.getMessage()));
            } catch (RuntimeException | Error e) {
                LOGGER.log(Level.ERROR, "the mirror failed; it begins again", e);
                backlog.circuit().failed(e.toString());
                backlog.fallBehind("the mirror failed: " + e);
            } finally {
                working.unlock();
            }
            tell();
            rest(IDLE_NANOS);
        }
    }

    private void step() {
        if (ended || !blocked.isEmpty() || !backlog.circuit().mayAsk()) { // a switch-over may have ended it
            return;
        }
        Engine to = target;
        if (to == null) {
            target = opener.get();
            backlog.circuit().worked();
            return;
        }
        if (!admitted && !admit(to)) {
            return;
        }
        if (!passDone || !backlog.isTracking()) {
            if (!backlog.circuit().isClosed()) {
                isEmpty(to); // the probe: a pass must read from the target
                backlog.circuit().worked();
            }
            pass(to);
        } else {
            corrections.repairSome(to);
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
                if (backlog.late() > 0 || !backlog.circuit().mayAsk()) {
                    rest(IDLE_NANOS); // a read would not show the unfinished writes
                } else if (!backlog.circuit().isClosed() && backlog.repairs().size() > 0) {
                    corrections.repairSome(to); // the probe
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
            backlog.circuit().worked();
        } catch (EngineException e) {
            backlog.circuit().failed(String.valueOf(e.getMessage()));
            return from;
        }
        List<Mutation> mutations = difference.mutations();
        int done = 0;
        while (done < mutations.size() && isGoing()) {
            int end = endOfGroup(mutations, done);
            if (!corrections.copy(to, mutations.subList(done, end), changedKeys)) {
                return mutations.get(done).key();
            }
            done = end;
            corrections.repairSome(to);
        }
        comparedRecords += difference.records();
        comparedBytes += difference.bytes();
        rest(rate.reserve(difference.bytes()));
        return difference.next();
    }

    private static int endOfGroup(List<Mutation> mutations, int start) {
        long bytes = 0;
        int end = start;
        while (end < mutations.size() && end - start < Corrections.MOST_KEYS && (end == start || bytes < GROUP_BYTES)) {
            bytes += mutations.get(end) instanceof Mutation.Put put ? put.value().length : 0;
            end++;
        }
        return end;
    }

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
        MirrorStatus status = status();
        if (status.state() != shown) {
            shown = status.state();
            LOGGER.log(Level.INFO, "mirror: {0}", status.text());
        }
    }
}
