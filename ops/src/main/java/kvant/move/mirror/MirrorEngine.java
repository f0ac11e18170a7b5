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
import kvant.engine.Maintenance;
import kvant.engine.MetricSink;
import kvant.engine.Mutation;
import kvant.engine.Range;
import kvant.engine.Terms;
import kvant.engine.Write;
import kvant.engine.kit.Completion;
import kvant.engine.kit.InFlightWrites;
import kvant.engine.kit.KeyedSerializer;
import org.jspecify.annotations.Nullable;

/// A store that is moved while it serves. Reads and conditions go to the source; writes that it has applied are then
/// sent to the target:
///
///     write -> in flight -> turn of the key -> source -> target  -> answer
///                                                \-> backlog -> answer     (the target fails, is slow, or is behind)
///
/// A client's write never fails because of the target, and waits for it at most up to a deadline. A [Copier] transfers
/// the older records. When both engines are equal, [#switchOver] ends the mirror and makes the target serve; from then
/// on the source receives nothing. From the start of the mirror to the switch-over, all writes must go through this
/// engine.
///
/// There is a subclass for each kind of engine, which adds the point reads. Owns both engines.
///
/// @param <E> the kind of both engines, and of the mirror
public abstract sealed class MirrorEngine<E extends Engine> permits LocalMirror, RemoteMirror {

    private static final Logger LOGGER = System.getLogger(MirrorEngine.class.getName());

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(30);
    private static final long SWEEP_MILLIS = 5;

    // Constant.
    private final E source;
    private final MirrorMarks marks;
    private final InFlightWrites inFlight;
    private final KeyedSerializer order = new KeyedSerializer();
    private final MirrorBacklog backlog;
    private final TargetWrites targetWrites;
    private final Copier<E> copier;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("kvant-mirror-clock").daemon().factory());

    // Guarded by this.
    private boolean closed;

    // Written once, by the switch-over.
    private volatile @Nullable E successor;

    /// @param opener opens the target; called on a thread of the mirror, repeatedly until it succeeds
    MirrorEngine(E source, Supplier<? extends E> opener, MirrorMarks marks, MirrorOptions options) {
        this.source = source;
        this.marks = marks;
        this.inFlight = new InFlightWrites(options.maxPendingBytes());
        this.backlog = new MirrorBacklog(options);
        this.targetWrites = new TargetWrites(backlog, options);
        this.copier = new Copier<>(source, opener, marks, order, backlog, targetWrites, options);
    }

    final void start() {
        clock.scheduleWithFixedDelay(this::sweep, SWEEP_MILLIS, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
        copier.start();
    }

    /// Submits a write to one of the engines.
    abstract void send(E to, Write write, Terms terms);

    /// True if a write may have been applied although the source was busy.
    abstract boolean mayApply(EngineException.Busy failure);

    /// The mirror's state and figures.
    public final MirrorStatus status() {
        return copier.status(successor != null);
    }

    /// Switches to the target. New writes wait meanwhile; reads continue. Later calls do nothing.
    ///
    /// @param limit how long to wait for the writes under way, and then for the copier
    /// @throws EngineException why not; then nothing has changed
    public final synchronized void switchOver(Duration limit) {
        if (successor != null) {
            return;
        }
        refuseUnlessCaughtUp();
        boolean quiet = inFlight.pause(limit);
        try {
            if (!quiet) {
                throw new EngineException.Unavailable("not switched: writes that are under way did not end within "
                        + limit.toMillis() + " ms; try again");
            }
            copier.endWith(limit, () -> {
                refuseUnlessCaughtUp(); // the last writes may have failed in the target
                marks.switched();
                successor = copier.target();
            });
        } finally {
            inFlight.resume();
        }
        LOGGER.log(Level.INFO, "mirror: {0}", status().text());
    }

    private void refuseUnlessCaughtUp() {
        MirrorStatus now = copier.status(false);
        if (now.state() != MirrorStatus.State.CAUGHT_UP) {
            throw new EngineException.Unavailable("not switched: the mirror has not caught up: " + now.text());
        }
    }

    /// The engine that serves.
    final E active() {
        E after = successor;
        return after == null ? source : after;
    }

    /// The methods of [Engine], for both subclasses.
    public final Cursor scan(byte[] from, byte @Nullable [] to) {
        return active().scan(from, to);
    }

    public final Cursor scan(Range range) {
        return active().scan(range);
    }

    public final Cursor export(Range range) {
        return active().export(range);
    }

    /// Accepts or refuses a client's write.
    final void accept(Write write, Terms terms) {
        Limits.DEFAULT.check(write.batch());
        E after = successor;
        if (after != null) {
            send(after, write, terms);
            return;
        }
        ClientWrite client = new ClientWrite(write, terms);
        switch (inFlight.enter(client)) {
            case ACCEPTED -> client.start();
            case HELD -> {}
            case FULL -> refuse(write, new EngineException.Busy("as many bytes of writes as may wait are waiting"));
            case CLOSED -> refuse(write, new EngineException.Closed());
        }
    }

    private static void refuse(Write write, EngineException reason) {
        write.failed(reason);
        Completion.deliver(write);
    }

    public final Health health() {
        List<Health.Check> checks = new ArrayList<>(active().health().checks());
        checks.add(new Health.Check("mirror", true, status().text())); // true: a failing target does not affect clients
        return new Health(checks);
    }

    public final void measure(MetricSink sink) {
        active().measure(sink); // only one: equal engines would report the same metric names
        MirrorStatus now = status();
        for (MirrorStatus.State state : MirrorStatus.State.values()) {
            sink.gauge(
                    "kvant_mirror_state",
                    "1 for the state that the mirror is in.",
                    state == now.state() ? 1 : 0,
                    "state",
                    state.word());
        }
        gauge(
                sink,
                "compared_records",
                "Records of the source that the current or last pass has compared.",
                now.comparedRecords());
        gauge(sink, "compared_bytes", "Their keys and values.", now.comparedBytes());
        counter(sink, "copied_records", "Records that copying wrote to the target.", now.copiedRecords());
        counter(sink, "deleted_records", "Records that copying deleted in the target.", now.deletedRecords());
        counter(sink, "failures", "Writes that the target failed or did not answer in time.", now.failures());
        gauge(sink, "repair_keys", "Keys that wait for the target.", now.repairKeys());
        gauge(sink, "late_writes", "Writes given up by the node and still running in the target.", backlog.late());
        gauge(sink, "pending_bytes", "Bytes of clients' writes without an outcome.", inFlight.bytes());
    }

    private static void gauge(MetricSink sink, String name, String help, double value) {
        sink.gauge("kvant_mirror_" + name, help, value);
    }

    private static void counter(MetricSink sink, String name, String help, long value) {
        sink.counter("kvant_mirror_" + name + "_total", help, value);
    }

    public final @Nullable Maintenance maintenance() {
        return active().maintenance();
    }

    public final void observe(ActivitySink sink) {
        source.observe(sink);
    }

    public final void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        int left = inFlight.close(CLOSE_LIMIT);
        if (left > 0) {
            LOGGER.log(Level.WARNING, left + " writes have no outcome after " + CLOSE_LIMIT.toSeconds() + " s");
        }
        copier.end();
        try {
            E target = copier.target();
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
        } catch (RuntimeException | Error e) { // the timer must continue
            LOGGER.log(Level.ERROR, "a write beyond its deadline failed", e);
        }
    }

    /// True if a write that failed in the source may have been applied all the same.
    private boolean mayHaveBeenApplied(@Nullable EngineException failure) {
        return switch (failure) {
            case null -> true;
            case EngineException.Unavailable _,
                    EngineException.Unsupported _,
                    EngineException.Closed _,
                    EngineException.StorageFull _ -> false;
            case EngineException.Busy busy -> mayApply(busy);
            default -> true;
        };
    }

    /// A client's write to both engines. Holds the lines of its keys from [#go] to [#ended].
    private final class ClientWrite extends KeyedSerializer.Turn
            implements InFlightWrites.Entrant, CompletionSink, TargetWrites.Caller {

        // Constant.
        private final Write write;
        private final Terms terms;
        private final List<Mutation> mutations;
        private final long submittedNanos = System.nanoTime();

        ClientWrite(Write write, Terms terms) {
            super(KeyedSerializer.linesOf(write.batch().mutations()), true);
            this.write = write;
            this.terms = terms;
            this.mutations = write.batch().mutations();
        }

        @Override
        public long bytes() {
            return write.batch().bytes();
        }

        @Override
        public void start() {
            E after = successor;
            if (after != null) { // a switch-over happened while it was held
                inFlight.leave(bytes());
                submit(after, write);
                return;
            }
            order.enter(this);
        }

        @Override
        protected void go() {
            long timeout = terms.timeoutNanos();
            if (timeout != Terms.USUAL_TIMEOUT && System.nanoTime() - submittedNanos > timeout) {
                write.failed(new EngineException.Busy("others of the same key took too long; nothing was applied"));
                ended();
                return;
            }
            submit(source, new Write(write.batch(), this));
        }

        /// An engine that throws has not taken the write, or breaks its contract. In either case the client, and the
        /// writes queued behind it, must not wait for ever.
        private void submit(E to, Write submitted) {
            try {
                send(to, submitted, terms);
            } catch (RuntimeException | Error e) {
                if (submitted.outcome() == Write.Outcome.PENDING) {
                    submitted.failed(new EngineException.OutcomeUnknown(
                            "the engine broke off (" + e + "); the write may have been applied"));
                    Completion.deliver(submitted);
                }
            }
        }

        /// Handles the outcome of the source.
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
                        copier.changedKeys().add(mutations);
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
            // Each outcome was already handled on delivery.
        }

        private void mirror() {
            copier.changedKeys().add(mutations);
            E target = copier.target();
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
            order.leave(this);
            Completion.deliver(write);
            inFlight.leave(bytes());
        }
    }
}
