package kvant.lab.load;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import kvant.lab.record.Slowest;
import kvant.lab.record.Sums;
import kvant.lab.record.Tally;
import kvant.lab.record.Tape;
import kvant.lab.record.Window;
import kvant.lab.workload.DistinctKeys;
import kvant.lab.workload.RequestForms;
import kvant.lab.workload.RequestSource;

/// One run: connect, warm up, measure, drain. Collects what the loops record, window by window.
///
///     connect -> warm-up windows -> measured windows -> drain -> result
///
/// Owned by the thread that calls [#run].
public final class LoadRun {

    private final LoadPlan plan;
    private final StopSwitch stop;
    private final Progress progress;
    private final List<RequestSource> sources = new ArrayList<>();
    private final LoopCrew crew;
    private final long windowNanos;

    private String partial = "";
    private long lostSince;
    private Instant startedAt = Instant.EPOCH;

    private LoadRun(LoadPlan plan, StopSwitch stop, Progress progress) {
        this.plan = plan;
        this.stop = stop;
        this.progress = progress;
        this.windowNanos = plan.pace().window().toNanos();
        RequestForms forms = plan.forms();
        int threads = plan.clients().threads();
        for (int thread = 0; thread < threads; thread++) {
            sources.add(new RequestSource(plan.workload(), forms, plan.firstInsert(), thread, threads, plan.seed()));
        }
        this.crew = LoopCrew.connect(plan, stop, thread -> new DrawnRequests(sources.get(thread)));
    }

    /// Runs to its end, or to the end of the server's life, or until the switch is thrown.
    ///
    /// @throws kvant.lab.LabException where the server cannot be reached
    public static RunResult run(LoadPlan plan, StopSwitch stop, Progress progress) {
        return new LoadRun(plan, stop, progress).toItsEnd();
    }

    private RunResult toItsEnd() {
        Warmup warmup = plan.pace().warmup();
        if (warmup.isNone()) {
            crew.control.measure(Long.MIN_VALUE);
        }
        long start = crew.start();
        Collector warming = new Collector(figures -> figures.warmup, Progress.SILENT);
        boolean stable = warmup.isNone() || warmUp(start, warming);
        long from = start;
        if (!warmup.isNone()) {
            from = LoopCrew.soon();
            crew.control.measure(from);
            progress.warm((from - start) / 1e9, stable || !isGoing());
        }
        startedAt = Instant.now().plusNanos(from - System.nanoTime());
        Collector measuring = new Collector(figures -> figures.measured, progress);
        long end = measure(from, measuring);
        crew.awaitEnd();
        measuring.close(Math.max(end, System.nanoTime()) - from);
        warming.collect();
        RunResult.WarmupResult left = new RunResult.WarmupResult(
                warmup.isNone() ? 0 : (from - start) / 1e9,
                stable,
                warming.tally().due(),
                warming.tally().errors());
        return result(from, end, left, measuring, warming.tally());
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
            if (warmup.auto() && Warmup.isStable(collector.sums.windows())) {
                return true;
            }
        }
        return !warmup.auto();
    }

    /// @return when the measured time ended
    private long measure(long from, Collector collector) {
        long duration = plan.pace().duration().toNanos();
        long planned = from + duration;
        crew.control.end(planned, planned + plan.pace().drain().toNanos());
        long next = from;
        while (next < planned && isGoing()) {
            long begin = next;
            next = Math.min(planned, next + windowNanos);
            sleepUntil(next);
            long reached = isGoing() ? next : Math.min(next, System.nanoTime());
            if (reached > begin) {
                Window window = collector.window(begin - from, reached - begin, reached - begin == windowNanos);
                progress.measured(window, (reached - from) / 1e9, duration / 1e9);
            }
        }
        if (isGoing()) {
            if (crew.openConnections() == 0 && !crew.isFinished()) {
                partial = "the server was gone at the end: " + crew.lastTrouble();
            }
            return planned;
        }
        long now = Math.clamp(System.nanoTime(), from, planned);
        crew.control.end(now, now);
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
        long now = System.nanoTime();
        if (crew.openConnections() > 0) {
            lostSince = 0;
        } else if (lostSince == 0) {
            lostSince = now;
        } else if (now - lostSince >= plan.clients().giveUp().toNanos() && partial.isEmpty()) {
            partial = "the server is gone: " + crew.lastTrouble();
        }
    }

    private boolean isGoing() {
        if (stop.isStopped() && partial.isEmpty()) {
            partial = "stopped before its end";
        }
        if (crew.control.fault() != null) {
            crew.awaitEnd();
        }
        return partial.isEmpty();
    }

    private RunResult result(
            long from, long end, RunResult.WarmupResult warmup, Collector collector, Tally warmupTally) {
        long last = end;
        long reconnects = 0;
        long refused = 0;
        long strays = 0;
        long cpu = 0;
        double busy = 0;
        for (LoopFigures own : crew.figures) {
            last = Math.max(last, own.lastAnswerNanos);
            reconnects += own.reconnects;
            refused += own.refusedConnects;
            strays += own.strays;
            cpu += own.cpuNanos;
            busy = Math.max(busy, (double) (own.cpuNanos + own.waitedNanos) / Math.max(1, own.wallNanos));
        }
        DistinctKeys distinct = sources.getFirst().distinct();
        sources.forEach(source -> distinct.merge(source.distinct()));
        return new RunResult(
                plan,
                startedAt,
                last - from,
                warmup,
                collector.tally(),
                collector.sums,
                slowest(collector),
                reconnects,
                refused,
                strays,
                plan.workload().plain() ? 0 : distinct.count(),
                sources.stream().mapToLong(RequestSource::inserted).sum(),
                busy,
                cpu,
                collector.tally().sentCount() + warmupTally.sentCount(),
                partial,
                crew.lastTrouble());
    }

    private Slowest slowest(Collector collector) {
        return Slowest.of(
                crew.figures.stream().map(own -> own.slow).toList(),
                collector.sums.response().getTotalCount(),
                plan.slowShare());
    }

    /// Which phase of a loop a collector reads.
    private interface Phase {
        Tape of(LoopFigures figures);
    }

    /// Collects one phase from all loops.
    private final class Collector {

        final Sums sums = new Sums();
        private final List<Tape> tapes = new ArrayList<>();
        private final List<Tape.Shelf> shelves = new ArrayList<>();
        private final Progress listener;
        private long collectedUpTo;

        Collector(Phase phase, Progress listener) {
            this.listener = listener;
            for (LoopFigures own : crew.figures) {
                tapes.add(phase.of(own));
                shelves.add(new Tape.Shelf(sums));
            }
        }

        void collect() {
            for (int i = 0; i < tapes.size(); i++) {
                tapes.get(i).drainInto(shelves.get(i));
            }
        }

        Window window(long from, long length, boolean whole) {
            collect();
            collectedUpTo = from + length;
            listener.interval(sums.window(), from, length);
            return sums.closeWindow(from, length, tally().errors(), whole);
        }

        /// What came after the last window, while draining.
        void close(long now) {
            window(collectedUpTo, Math.max(1, now - collectedUpTo), false);
        }

        Tally tally() {
            Tally sum = new Tally();
            for (Tape tape : tapes) {
                sum.merge(tape.tally());
            }
            return sum;
        }
    }
}
