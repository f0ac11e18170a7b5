package kvant.lab.run;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import kvant.lab.experiment.Step;
import kvant.lab.process.ProcessSampler;
import kvant.lab.result.Remark;
import kvant.lab.result.StepRecord.Disturbance;
import kvant.lab.run.LiveServer.Slice;
import kvant.lab.run.ServedProcess.ServerException;
import kvant.lab.run.StepRunner.Attempt;
import kvant.lab.run.StepRunner.CalmRule;
import kvant.load.loop.StopSwitch;
import kvant.load.plan.LoadPlan;
import kvant.load.plan.Pace;
import kvant.load.plan.Warmup;
import kvant.load.record.RequestCounts;
import kvant.load.run.RunResult;
import kvant.load.run.Slices;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// A round of one load with the servers of all variants running together. They are measured in turns, a slice each.
///
///     start, fill, warm up: A, B, C     A B C   C B A   A B C ...     stop, write down: A, B, C
///
/// A disturbed turn is measured again as a whole, because otherwise a variant could keep only its good slices. A failed
/// server is excluded from later turns.
///
/// Belongs to the thread of the run.
final class InterleavedRound {

    /// Time for establishing connections and waking threads.
    private static final Duration WARMUP = Duration.ofMillis(200);

    /// Measured time of a server's warm-up, which is discarded.
    private static final Duration AFTER_WARMUP = Duration.ofMillis(10);

    private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long MOST_REST_NANOS = TimeUnit.SECONDS.toNanos(1);

    /// Maximum processor usage of all idle servers together.
    private static final double MOST_AT_REST = 0.1;

    /// Seed increment: slices of all variants have the same keys in a turn, and other keys in the next turn.
    private static final long SEEDS_OF_A_TURN = 1_000_003;

    private final StepRunner runner;
    private final CalmRule rule;
    private final RunListener listener;
    private final StopSwitch stop;
    private final Map<Step, Measured> live = new LinkedHashMap<>();
    private final Map<Step, Attempt> over = new LinkedHashMap<>();
    private int discarded;

    InterleavedRound(StepRunner runner, CalmRule rule, RunListener listener) {
        this.runner = runner;
        this.rule = rule;
        this.listener = listener;
        this.stop = runner.stop();
    }

    /// A server with its measurements.
    private static final class Measured {
        final LiveServer server;
        final RunResult.WarmupResult warmup;
        final List<Slice> slices = new ArrayList<>();
        long inserted;

        Measured(LiveServer server, RunResult.WarmupResult warmup, long inserted) {
            this.server = server;
            this.warmup = warmup;
            this.inserted = inserted;
        }

        /// An upper bound with several threads: each skips the numbers of the others.
        void inserted(RunResult result) {
            inserted += result.insertedKeys() * server.plan().clients().threads();
        }
    }

    /// Never throws for failures of servers.
    ///
    /// @param begins called when a step starts
    /// @return in the order of the steps
    List<Attempt> run(List<Step> steps, Consumer<Step> begins) {
        try {
            for (Step step : steps) {
                if (!stop.isStopped()) {
                    begins.accept(step);
                    start(step);
                }
            }
            measure();
            listener.doing("stopping");
        } finally {
            live.values().forEach(one -> one.server.close());
        }
        live.forEach((step, one) -> over.put(step, written(step, one)));
        steps.forEach(runner::forget);
        return steps.stream().map(this::ended).toList();
    }

    private Attempt ended(Step step) {
        Attempt attempt = over.get(step);
        Attempt ended =
                attempt == null || stop.isStopped() ? runner.failed(step, new Remark.StoppedBeforeItsEnd()) : attempt;
        if (ended.isStopped()) {
            runner.discard(step);
        }
        return ended;
    }

    private void start(Step step) {
        String startedAt = Instant.now().toString();
        try {
            LiveServer server = runner.open(step);
            live.put(step, new Measured(server, new RunResult.WarmupResult(0, true, new RequestCounts()), 0));
            if (!server.plan().pace().warmup().isNone()) {
                warmUp(step, server);
            }
        } catch (ServerException | UserException e) {
            leave(step, runner.unmeasured(step, e, startedAt));
        }
    }

    private void warmUp(Step step, LiveServer server) {
        LoadPlan plan = server.plan()
                .with(p -> p.pace = p.pace.with(pace -> {
                    pace.duration = AFTER_WARMUP;
                }));
        Slice warmed = server.measure(plan, stop, listener, () -> null);
        Measured measured = new Measured(server, warmed.result().warmup(), 0);
        measured.inserted(warmed.result());
        live.put(step, measured);
        if (warmed.reason() != null && !(warmed.reason() instanceof Remark.NobodyAnswered)) {
            leave(step, runner.failed(step, warmed.reason()));
        }
    }

    /// Removes a failed server; the others continue.
    private void leave(Step step, Attempt why) {
        over.put(step, why);
        Measured gone = live.remove(step);
        if (gone != null) {
            gone.server.close();
        }
    }

    private void measure() {
        if (live.isEmpty()) {
            return;
        }
        Duration duration = live.values().iterator().next().server.plan().pace().duration();
        int turns = rule.bound().turns(duration);
        for (int turn = 0; turn < turns && !live.isEmpty() && !stop.isStopped(); turn++) {
            int before = 0;
            Turn taken = turn(turn, duration.dividedBy(turns), before);
            while (taken.isToRepeat) {
                before++;
                taken = turn(turn, duration.dividedBy(turns), before);
            }
            discarded += before;
            rule.ended(taken.disturbedBy.isEmpty(), before);
            taken.slices.forEach((step, slice) -> {
                Measured one = live.get(step);
                if (one != null) {
                    one.slices.add(slice);
                }
            });
        }
    }

    /// The result of a turn.
    ///
    /// @param isToRepeat whether it was ended early and is discarded
    private record Turn(Map<Step, Slice> slices, Set<Disturbance> disturbedBy, boolean isToRepeat) {}

    /// Ends at the first disturbed slice if it may be repeated.
    private Turn turn(int number, Duration length, int before) {
        List<Step> order = new ArrayList<>(live.keySet());
        order = number % 2 == 0 ? order : order.reversed(); // of those still measured
        Map<Step, Slice> slices = new LinkedHashMap<>();
        Set<Disturbance> disturbedBy = EnumSet.noneOf(Disturbance.class);
        for (Step step : order) {
            Measured one = Objects.requireNonNull(live.get(step));
            listener.turn(step);
            rest(one);
            Slice slice = slice(step, one, number, length);
            if (stop.isStopped()) {
                break;
            }
            if (slice == null) {
                continue;
            }
            slices.put(step, slice);
            Set<Disturbance> own = runner.disturbance(one.server, slice);
            disturbedBy.addAll(own);
            if (!own.isEmpty() && rule.allowsAnother(before)) {
                listener.disturbed(step, own);
                return new Turn(Map.of(), disturbedBy, true);
            }
        }
        return new Turn(slices, disturbedBy, false);
    }

    /// Null if the server failed and was removed.
    private @Nullable Slice slice(Step step, Measured one, int number, Duration length) {
        try {
            Slice slice = one.server.measure(plan(one, number, length), stop, listener, () -> null);
            one.inserted(slice.result());
            if (slice.reason() == null) {
                return slice;
            }
            leave(step, runner.failed(step, slice.reason()));
        } catch (ServerException | UserException e) {
            leave(step, runner.unmeasured(step, e, Instant.now().toString()));
        }
        return null;
    }

    private static LoadPlan plan(Measured one, int number, Duration length) {
        LoadPlan planned = one.server.plan();
        Pace pace = planned.pace().with(p -> {
            p.warmup = Warmup.fixed(WARMUP);
            p.duration = length;
        });
        return planned.with(p -> {
            p.pace = pace;
            p.seed = planned.seed() + (number + 1) * SEEDS_OF_A_TURN;
            p.firstInsert = planned.firstInsert() + one.inserted;
        });
    }

    /// Waits until the other servers are almost idle, so that their remaining writes do not burden the next slice.
    private void rest(Measured next) {
        List<ProcessHandle> others = live.values().stream()
                .filter(one -> one != next)
                .map(one -> one.server.served().handle())
                .toList();
        long end = System.nanoTime() + MOST_REST_NANOS;
        boolean atRest = others.isEmpty();
        while (!atRest && System.nanoTime() < end && !stop.isStopped()) {
            long from = System.nanoTime();
            long cpu = cpu(others);
            stop.sleep(REST_NANOS);
            atRest = cpu(others) - cpu < MOST_AT_REST * (System.nanoTime() - from);
        }
    }

    private static long cpu(List<ProcessHandle> processes) {
        return processes.stream()
                .mapToLong(one -> ProcessSampler.look(one).cpuNanos())
                .sum();
    }

    private Attempt written(Step step, Measured one) {
        if (stop.isStopped() || one.slices.isEmpty()) {
            return runner.failed(step, new Remark.StoppedBeforeItsEnd());
        }
        List<RunResult> results = one.slices.stream().map(Slice::result).toList();
        return runner.written(one.server, Slices.merged(one.server.plan(), one.warmup, results), one.slices, discarded);
    }
}
