package kvant.move.mirror;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import kvant.engine.ActivitySink;
import kvant.engine.CompletionSink;
import kvant.engine.Cursor;
import kvant.engine.Engine;
import kvant.engine.EngineException;
import kvant.engine.Health;
import kvant.engine.Limits;
import kvant.engine.Lookup;
import kvant.engine.Maintenance;
import kvant.engine.MetricSink;
import kvant.engine.Mutation;
import kvant.engine.Range;
import kvant.engine.Read;
import kvant.engine.Terms;
import kvant.engine.Write;
import org.jspecify.annotations.Nullable;

/// A store that moves while it serves. Reads and conditions are the source's; what it applied is then the target's too:
///
///     write -> gate -> line of the key -> source -> target  -> answer
///                                                \-> backlog -> answer     (the target fails, is slow, or is behind)
///
/// A client's write never fails for the target's sake, and waits for it no longer than a deadline. A [Copier] brings
/// over what was there before. Once both are the same, [#switchOver] has the target serve instead; from then on the
/// source gets nothing. All writes must come through this one engine, from the start of the mirror to the switch.
///
/// Owns both engines.
public final class MirrorEngine implements Engine {

    private static final Logger LOGGER = System.getLogger(MirrorEngine.class.getName());

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(30);
    private static final long SWEEP_MILLIS = 5;

    // Constant.
    private final Engine source;
    private final boolean targetAnswersLater;
    private final MirrorMarks marks;
    private final Gate gate;
    private final KeyOrder order = new KeyOrder();
    private final Backlog backlog;
    private final TargetWrites targetWrites;
    private final Copier copier;
    private final LateReads reads = new LateReads();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("kvant-mirror-clock").daemon().factory());

    // Guarded by this.
    private boolean closed;

    // Written once, by the switch-over.
    private volatile @Nullable Engine successor;

    private MirrorEngine(
            Engine source,
            Supplier<Engine> opener,
            boolean targetAnswersLater,
            MirrorMarks marks,
            MirrorOptions options) {
        this.source = source;
        this.targetAnswersLater = targetAnswersLater;
        this.marks = marks;
        this.gate = new Gate(options.maxPendingBytes());
        this.backlog = new Backlog(options);
        this.targetWrites = new TargetWrites(backlog, options);
        this.copier = new Copier(source, opener, marks, order, backlog, targetWrites, options);
    }

    /// Begins to mirror.
    ///
    /// @param opener opens the target; called by a thread of the mirror, again and again until it succeeds
    /// @param targetAnswersLater what [Engine#answersLater] will say of it
    public static MirrorEngine over(
            Engine source,
            Supplier<Engine> opener,
            boolean targetAnswersLater,
            MirrorMarks marks,
            MirrorOptions options) {
        MirrorEngine mirror = new MirrorEngine(source, opener, targetAnswersLater, marks, options);
        mirror.clock.scheduleWithFixedDelay(mirror::sweep, SWEEP_MILLIS, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
        mirror.copier.start();
        return mirror;
    }

    /// Where it stands.
    public MirrorStatus status() {
        MirrorStatus now = copier.status();
        return successor == null ? now : now.with(MirrorStatus.State.SWITCHED);
    }

    /// Has the target take over. New writes wait meanwhile; reads go on. Once is enough: later calls do nothing.
    ///
    /// @param limit how long to wait for the writes under way
    /// @throws EngineException why not; then nothing has changed
    public synchronized void switchOver(Duration limit) {
        if (successor != null) {
            return;
        }
        refuseUnlessCaughtUp();
        boolean quiet = gate.shut(limit);
        try {
            if (!quiet) {
                throw new EngineException.Unavailable("not switched: writes that are under way did not end within "
                        + limit.toMillis() + " ms; try again");
            }
            refuseUnlessCaughtUp(); // the last writes may have failed in the target
            marks.switched();
            successor = copier.target();
        } finally {
            gate.open();
        }
        LOGGER.log(Level.INFO, "mirror: {0}", status().text());
    }

    private void refuseUnlessCaughtUp() {
        MirrorStatus now = copier.status();
        if (now.state() != MirrorStatus.State.CAUGHT_UP) {
            throw new EngineException.Unavailable("not switched: the mirror has not caught up: " + now.text());
        }
    }

    private Engine active() {
        Engine after = successor;
        return after == null ? source : after;
    }

    @Override
    public Lookup tryGet(byte[] key) {
        return active().tryGet(key);
    }

    @Override
    public Lookup get(byte[] key) {
        return active().get(key);
    }

    @Override
    public Lookup[] getAll(byte[][] keys) {
        return active().getAll(keys);
    }

    @Override
    public Cursor scan(byte[] from, byte @Nullable [] to) {
        return active().scan(from, to);
    }

    @Override
    public Cursor scan(Range range) {
        return active().scan(range);
    }

    @Override
    public Cursor export(Range range) {
        return active().export(range);
    }

    /// Changes with the switch-over.
    @Override
    public int replicas() {
        return active().replicas();
    }

    /// When either does, so that it stays the same through a switch-over.
    @Override
    public boolean answersLater() {
        return targetAnswersLater || source.answersLater();
    }

    /// Never waits, also where the engine that serves does not answer later by itself.
    @Override
    public void submit(Read read) {
        Engine engine = active();
        if (engine.answersLater()) {
            engine.submit(read);
        } else {
            reads.submit(engine, read);
        }
    }

    @Override
    public void submit(Write write) {
        Limits.DEFAULT.check(write.batch());
        Engine after = successor;
        if (after != null) {
            after.submit(write);
            return;
        }
        ClientWrite client = new ClientWrite(write);
        switch (gate.enter(client)) {
            case IN -> client.start();
            case PARKED -> {}
            case FULL -> refuse(write, new EngineException.Busy("as many bytes of writes as may wait are waiting"));
            case CLOSED -> refuse(write, new EngineException.Closed());
        }
    }

    private static void refuse(Write write, EngineException reason) {
        write.failed(reason);
        deliver(write);
    }

    @Override
    public Health health() {
        List<Health.Check> checks = new ArrayList<>(active().health().checks());
        checks.add(new Health.Check("mirror", true, status().text())); // the target's trouble is not the clients'
        return new Health(checks);
    }

    @Override
    public void measure(MetricSink sink) {
        active().measure(sink); // of one: two engines of a kind would give the same names
        MirrorFigures.measure(status(), gate.bytes(), backlog.late(), sink);
    }

    @Override
    public @Nullable Maintenance maintenance() {
        return active().maintenance();
    }

    @Override
    public void observe(ActivitySink sink) {
        source.observe(sink);
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        int left = gate.close(CLOSE_LIMIT);
        if (left > 0) {
            LOGGER.log(Level.WARNING, left + " writes have no outcome after " + CLOSE_LIMIT.toSeconds() + " s");
        }
        copier.end();
        reads.close();
        try {
            Engine target = copier.target();
            if (target != null) {
                target.close();
            }
        } finally {
            clock.shutdownNow();
            source.close();
        }
    }

    private void sweep() {
        try {
            targetWrites.sweep();
        } catch (RuntimeException | Error e) { // the clock must go on
            LOGGER.log(Level.ERROR, "a write beyond its deadline failed", e);
        }
    }

    private static void deliver(Write write) {
        CompletionSink sink = write.sink();
        try {
            sink.completed(write);
            sink.wake();
        } catch (Throwable e) { // the thread is the engine's, and others wait for it
            LOGGER.log(Level.ERROR, "a sink failed", e);
        }
    }

    /// What a failed write of the source may have done all the same.
    private boolean mayHaveBeenApplied(@Nullable EngineException failure) {
        return switch (failure) {
            case null -> true;
            case EngineException.Unavailable _,
                    EngineException.Unsupported _,
                    EngineException.Closed _,
                    EngineException.StorageFull _ -> false;
            case EngineException.Busy _ -> source.answersLater(); // some replicas may have it
            default -> true;
        };
    }

    /// A client's write on its way through both engines. Holds the lines of its keys from [#go] to [#ended].
    private final class ClientWrite implements Gate.Entrant, KeyOrder.Turn, CompletionSink, TargetWrites.Caller {

        // Constant.
        private final Write write;
        private final List<Mutation> mutations;
        private final int[] lines;
        private final long submittedNanos = System.nanoTime();

        ClientWrite(Write write) {
            this.write = write;
            this.mutations = write.batch().mutations();
            this.lines = KeyOrder.linesOf(mutations);
        }

        @Override
        public long bytes() {
            return write.batch().bytes();
        }

        @Override
        public void start() {
            Engine after = successor;
            if (after != null) { // it was parked meanwhile
                gate.leave(bytes());
                after.submit(write);
                return;
            }
            order.enter(lines, this);
        }

        @Override
        public void go() {
            long timeout = write.terms().timeoutNanos();
            if (timeout != Terms.USUAL_TIMEOUT && System.nanoTime() - submittedNanos > timeout) {
                write.failed(new EngineException.Busy("others of the same key took too long; nothing was applied"));
                ended();
                return;
            }
            source.submit(new Write(write.batch(), this, write.terms()));
        }

        /// The source's outcome.
        @Override
        public void completed(Write done) {
            switch (done.outcome()) {
                case APPLIED -> {
                    write.applied(done.version());
                    mirror();
                }
                case REFUSED -> {
                    write.refused();
                    ended();
                }
                case FAILED, PENDING -> {
                    if (mayHaveBeenApplied(done.failure())) {
                        copier.touched().add(mutations);
                        backlog.note(mutations);
                    }
                    EngineException failure = done.failure();
                    write.failed(failure == null ? new EngineException.Closed() : failure);
                    ended();
                }
            }
        }

        @Override
        public void wake() {
            // Each write has acted by itself.
        }

        private void mirror() {
            copier.touched().add(mutations);
            Engine target = copier.target();
            if (target != null && backlog.sends(mutations)) {
                targetWrites.send(target, mutations, this);
            } else {
                backlog.note(mutations);
                ended();
            }
        }

        @Override
        public void answered(boolean applied, @Nullable EngineException failure) {
            ended(); // applied or in the backlog
        }

        private void ended() {
            order.leave(lines);
            deliver(write);
            gate.leave(bytes());
        }
    }
}
