package kvant.load.run;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import kvant.load.host.HostWatch;
import kvant.load.loop.LoopFigures;
import kvant.load.loop.LoopGroup;
import kvant.load.loop.StopSwitch;
import kvant.load.plan.LoadPlan;
import kvant.load.plan.Warmup;
import kvant.load.record.PhaseRecorder;
import kvant.load.record.PhaseTotals;
import kvant.load.record.RequestCounts;
import kvant.load.record.RequestCounts.Count;
import kvant.load.record.SlowestRequests;
import kvant.load.record.Window;
import kvant.load.workload.DistinctKeys;
import kvant.load.workload.RequestSource;

/// A run: connect, warm up, measure, drain. Collects the records of the loops, window by window.
///
///     connect -> warm-up windows -> measured windows -> drain -> result
///
/// Owned by the thread that calls [#run].
public final class LoadRun {

    /// At the end of the run, a lost connection is re-established within this time.
    private static final long RECONNECT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final LoadPlan plan;
    private final StopSwitch stop;
    private final Progress progress;
    private final List<RequestSource> sources = new ArrayList<>();
    private final HostWatch host = HostWatch.ofThisMachine();
    private final LoopGroup group;
    private final long windowNanos;

    private String partial = "";
    private Instant startedAt = Instant.EPOCH;

    private LoadRun(LoadPlan plan, StopSwitch stop, Progress progress) {
        this.plan = plan;
        this.stop = stop;
        this.progress = progress;
        this.windowNanos = plan.pace().window().toNanos();
        int threads = plan.clients().threads();
        for (int thread = 0; thread < threads; thread++) {
            sources.add(new RequestSource(
                    plan.workload(), plan.encoder(), plan.firstInsert(), thread, threads, plan.seed()));
        }
        this.group = LoopGroup.connect(plan, stop, sources::get);
    }

    /// Runs to the end of the plan, until the server is lost, or until the stop switch is used.
    ///
    /// @throws kvant.text.UserException when the server cannot be reached
    public static RunResult run(LoadPlan plan, StopSwitch stop, Progress progress) {
        return new LoadRun(plan, stop, progress).toItsEnd();
    }

    private RunResult toItsEnd() {
        Warmup warmup = plan.pace().warmup();
        progress.begins(plan);
        if (warmup.isNone()) {
            group.measure(Long.MIN_VALUE);
        }
        long start = group.start();
        Collector warming = new Collector(own -> own.warmup, Progress.SILENT);
        boolean stable = warmup.isNone() || warmUp(start, warming);
        long from = start;
        if (!warmup.isNone()) {
            from = LoopGroup.soon();
            if (!isGoing()) {
                group.end(from, from); // before the loops start, so that they never measure
            }
            group.measure(from);
            progress.warm((from - start) / 1e9, stable || !isGoing());
        }
        startedAt = Instant.now().plusNanos(from - System.nanoTime());
        host.begin();
        Collector measuring = new Collector(own -> own.measured, progress);
        long end = measure(from, measuring);
        group.awaitEnd();
        measuring.close(Math.max(end, System.nanoTime()) - from);
        warming.collect();
        progress.counted(measuring.counts());
        double seconds = warmup.isNone() ? 0 : (from - start) / 1e9;
        return result(from, end, new RunResult.WarmupResult(seconds, stable, warming.counts()), measuring);
    }

    private boolean warmUp(long start, Collector collector) {
        Warmup warmup = plan.pace().warmup();
        long limit = start + warmup.limit().toNanos();
        long next = start;
        while (next < limit && isGoing()) {
            long begin = next;
            next = Math.min(limit, next + windowNanos);
            sleepUntil(next);
            Window window = collector.window(begin - start, next - begin, true);
            progress.warming(window, (next - start) / 1e9);
            if (warmup.auto() && SteadyState.isReached(collector.totals.windows())) {
                return true;
            }
        }
        return !warmup.auto();
    }

    /// @return the end of the measured time
    private long measure(long from, Collector collector) {
        if (!isGoing()) {
            group.end(from, from);
            return from;
        }
        long duration = plan.pace().duration().toNanos();
        long planned = from + duration;
        group.end(planned, planned + plan.pace().drain().toNanos());
        long next = from;
        while (next < planned && isGoing()) {
            long begin = next;
            next = Math.min(planned, next + windowNanos);
            sleepUntil(next);
            collector.totals.stolen(host.look());
            long reached = isGoing() ? next : Math.min(next, System.nanoTime());
            if (reached > begin) {
                Window window = collector.window(begin - from, reached - begin, reached - begin == windowNanos);
                progress.measured(window, (reached - from) / 1e9, duration / 1e9);
            }
        }
        if (isGoing()) {
            if (isGoneForGood()) {
                partial = Reason.SERVER_GONE_AT_THE_END.text(group.lastTrouble());
            }
            return planned;
        }
        long now = Math.clamp(System.nanoTime(), from, planned);
        group.end(now, now);
        return now;
    }

    private void sleepUntil(long time) {
        long left = time - System.nanoTime();
        if (left > 0) {
            stop.sleep(left);
        }
        noticeLoss();
    }

    private void noticeLoss() {
        if (group.awayNanos() >= plan.clients().giveUp().toNanos() && partial.isEmpty()) {
            partial = Reason.SERVER_GONE.text(group.lastTrouble());
        }
    }

    /// A server that closes connections may be about to accept new ones.
    private boolean isGoneForGood() {
        long until = System.nanoTime() + RECONNECT_NANOS;
        while (group.isCutOff() && System.nanoTime() - until < 0) {
            stop.sleep(TimeUnit.MILLISECONDS.toNanos(1));
        }
        return group.isCutOff();
    }

    private boolean isGoing() {
        if (stop.isStopped() && partial.isEmpty()) {
            partial = Reason.STOPPED.text();
        }
        if (group.hasFailed()) {
            group.awaitEnd();
        }
        return partial.isEmpty();
    }

    private RunResult result(long from, long end, RunResult.WarmupResult warmup, Collector collector) {
        long last =
                group.figures().stream().mapToLong(own -> own.lastAnswerNanos).reduce(end, Math::max);
        DistinctKeys distinct = sources.getFirst().distinct();
        sources.forEach(source -> distinct.merge(source.distinct()));
        return new RunResult(
                plan,
                startedAt,
                end - from,
                last - from,
                warmup,
                collector.counts(),
                collector.totals,
                slowest(collector),
                sum(own -> own.reconnects),
                sum(own -> own.refusedConnects),
                sum(own -> own.strays),
                plan.workload().plain() ? 0 : distinct.count(),
                sources.stream().mapToLong(RequestSource::inserted).sum(),
                group.figures().stream().mapToDouble(LoopFigures::busy).max().orElse(0),
                sum(own -> own.cpuNanos),
                collector.counts().of(Count.SENT) + warmup.counts().of(Count.SENT),
                partial,
                group.lastTrouble(),
                group.address(),
                host.facts());
    }

    private long sum(ToLongFunction<LoopFigures> figure) {
        return group.figures().stream().mapToLong(figure).sum();
    }

    private SlowestRequests slowest(Collector collector) {
        return SlowestRequests.of(
                group.figures().stream().map(own -> own.slow).toList(),
                collector.totals.response().getTotalCount(),
                plan.slowShare());
    }

    /// Collects one phase from all loops.
    private final class Collector {

        final PhaseTotals totals = new PhaseTotals();
        private final List<PhaseRecorder> recorders = new ArrayList<>();
        private final Progress listener;
        private long collectedUpTo;

        /// @param phase of a loop
        Collector(Function<LoopFigures, PhaseRecorder> phase, Progress listener) {
            this.listener = listener;
            group.figures().stream().map(phase).forEach(recorders::add);
        }

        void collect() {
            recorders.forEach(own -> own.drain(totals));
        }

        Window window(long from, long length, boolean whole) {
            collect();
            collectedUpTo = from + length;
            listener.interval(totals.window(), from, length);
            return totals.closeWindow(from, length, counts(), whole);
        }

        /// Collects the records after the last window, while draining.
        void close(long now) {
            window(collectedUpTo, Math.max(1, now - collectedUpTo), false);
        }

        RequestCounts counts() {
            RequestCounts sum = new RequestCounts();
            recorders.forEach(own -> sum.merge(own.counts()));
            return sum;
        }
    }
}
