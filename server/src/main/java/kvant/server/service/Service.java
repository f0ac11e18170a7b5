package kvant.server.service;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import kvant.engine.Engine;
import kvant.engine.Health;
import kvant.engine.LocalEngine;
import kvant.engine.MetricSink;
import kvant.engine.RemoteEngine;
import kvant.server.admit.AnswerMemory;
import kvant.server.admit.LoopAdmission;
import kvant.server.execute.AdaptiveExecutor;
import kvant.server.execute.CallExecutor;
import kvant.server.execute.PoolExecutor;
import kvant.server.execute.PoolOptions;
import kvant.server.execute.RangePool;
import kvant.server.execute.RangesUnderWay;
import kvant.server.execute.SplitExecutor;
import kvant.server.execute.SyncExecutor;
import kvant.server.execute.VirtualExecutor;
import kvant.server.request.Failures;
import kvant.server.request.Outcome;
import kvant.server.request.Request;
import org.jspecify.annotations.Nullable;

/// The node without its sockets: takes requests from event loops, brings outcomes back to them.
///
/// Every method but [#close] is called on the event loop that owns the call. A call that was submitted is
/// settled exactly once per round, whatever the engine or the executor does. Does not own the engine.
public final class Service implements AutoCloseable {

    // Constant.
    private final Engine engine;
    private final UseCases useCases;
    private final CallExecutor executor;
    private final ServiceOptions options;
    private final long deadlineNanos;
    private final Pages pages;
    private final List<LoopAdmission> admissions = new CopyOnWriteArrayList<>();
    private final List<RequestFigures> figures = new CopyOnWriteArrayList<>();
    private @Nullable SlowFeed feed; // before there are event loops

    // Atomic.
    private volatile boolean readOnly;
    private volatile Health.@Nullable Check nodeCheck;

    private Service(
            Engine engine,
            InstantSource clock,
            ServiceOptions options,
            AnswerMemory answers,
            Function<RangesUnderWay, CallExecutor> executor) {
        this.engine = engine;
        this.options = options;
        this.pages = new Pages(answers);
        int cores = Runtime.getRuntime().availableProcessors();
        RangesUnderWay ranges = new RangesUnderWay(options.pool().rangesUnderWay(cores));
        this.useCases = new UseCases(engine, clock, this::health, options.scanRoundBytes(), answers, ranges);
        this.executor = executor.apply(ranges);
        Duration deadline = options.admission().deadline();
        this.deadlineNanos = deadline.isZero() ? Long.MAX_VALUE : deadline.toNanos();
    }

    /// A service that runs every call on its event loop.
    ///
    /// @param answers memory for values on their way out
    public static Service sync(Engine engine, InstantSource clock, ServiceOptions options, AnswerMemory answers) {
        return new Service(engine, clock, options, answers, _ -> new SyncExecutor());
    }

    /// A service that runs calls on a pool of workers, or writes on one and the rest on another.
    public static Service async(Engine engine, InstantSource clock, ServiceOptions options, AnswerMemory answers) {
        return new Service(engine, clock, options, answers, _ -> {
            PoolExecutor pool = PoolExecutor.started("kvant-worker", options.pool(), options.admission());
            PoolOptions writes = options.writes();
            return writes == null
                    ? pool
                    : new SplitExecutor(pool, PoolExecutor.started("kvant-writer", writes, options.admission()));
        });
    }

    /// A service that runs each call on a virtual thread of its own.
    public static Service virtual(Engine engine, InstantSource clock, ServiceOptions options, AnswerMemory answers) {
        return new Service(engine, clock, options, answers, _ -> new VirtualExecutor());
    }

    /// A service that runs on event loops what cannot block, and the rest on a pool.
    public static Service adaptive(Engine engine, InstantSource clock, ServiceOptions options, AnswerMemory answers) {
        return new Service(
                engine,
                clock,
                options,
                answers,
                ranges -> new AdaptiveExecutor(
                        PoolExecutor.started("kvant-worker", options.pool(), options.admission()),
                        rangesOf(engine, options, ranges)));
    }

    /// Rounds that wait for a network take no thread of the platform.
    private static CallExecutor rangesOf(Engine engine, ServiceOptions options, RangesUnderWay ranges) {
        return switch (engine) {
            case RemoteEngine _ -> new VirtualExecutor();
            case LocalEngine _ ->
                RangePool.started(
                        "kvant-range",
                        options.pool().forRanges(Runtime.getRuntime().availableProcessors()),
                        options.admission(),
                        ranges);
        };
    }

    /// Makes what the first clients need ready; once, before there are any. A network is not asked.
    public void makeFirstCalls() {
        if (engine instanceof LocalEngine) {
            FirstCalls.all(useCases, executor);
        }
    }

    /// The mailbox of an event loop; each loop needs one of its own for its calls.
    public LoopMailbox mailbox(Executor loop) {
        LoopAdmission admission = new LoopAdmission(options.admission().adaptive(), options.maxInFlight());
        admissions.add(admission);
        return new LoopMailbox(loop, admission, useCases);
    }

    /// Gives somebody each slow request; once, before there are event loops.
    public void feed(@Nullable SlowFeed somebody) {
        feed = somebody;
    }

    /// The figures of an event loop; each loop needs its own for its calls.
    public RequestFigures figures() {
        RequestFigures loop = new RequestFigures(feed);
        figures.add(loop);
        return loop;
    }

    /// The slowest requests of the last minutes, in no order.
    public List<SlowRequest> slowest() {
        List<SlowRequest> all = new ArrayList<>();
        figures.forEach(loop -> all.addAll(loop.slow().all()));
        return all;
    }

    /// From now on refuses writes of clients, or takes them again. What was submitted before goes on, and so do the
    /// engine's own flushes and merges. Any thread may call.
    public void readOnly(boolean wanted) {
        readOnly = wanted;
    }

    private Outcome readOnly(Request.ReadOnly wanted) {
        if (wanted != Request.ReadOnly.ASK) {
            readOnly(wanted == Request.ReadOnly.BEGIN);
        }
        String text = "{\"readOnly\":" + readOnly + "}\n";
        return new Outcome.Page("application/json", text.getBytes(StandardCharsets.UTF_8));
    }

    /// A check of the node itself, which is shown beside those of the engine; a later one takes its place. Any thread
    /// may call.
    public void check(Health.Check check) {
        nodeCheck = check;
    }

    /// Whether the node can serve. That it takes no writes because it was told so is no failure. Any thread may call.
    public Health health() {
        List<Health.Check> checks = new ArrayList<>(engine.health().checks());
        if (readOnly) {
            checks.replaceAll(Service::withoutWrites);
        }
        Health.Check own = nodeCheck;
        if (own != null) {
            checks.add(own);
        }
        return new Health(checks);
    }

    /// Whether a request for data was answered. Any thread may call.
    public boolean hasServed() {
        return figures.stream().anyMatch(RequestFigures::haveServed);
    }

    private static Health.Check withoutWrites(Health.Check check) {
        return check.ok() && check.name().equals(Health.WRITES)
                ? new Health.Check(Health.WRITES, true, "refused, because the node is read-only")
                : check;
    }

    /// How many replicas the engine has, which a request may ask for.
    public int replicas() {
        return useCases.replicas();
    }

    /// Whether a range shows what the store held when it was begun, whatever is written before it ends.
    public boolean rangesAreSnapshots() {
        return engine instanceof LocalEngine;
    }

    /// Has a request carried out; the call is settled on its loop, perhaps from within this method.
    public void submit(Call call, Request request) {
        call.begin(request);
        call.record();
        call.queuedAt(System.nanoTime());
        switch (request) {
            case Request.Probe.ALIVE -> call.end(Outcome.Plain.ALIVE);
            case Request.Probe.PREFLIGHT -> call.end(Outcome.Plain.PREFLIGHT);
            case Request.Probe.READY -> executor.force(call); // a full queue does not make the engine unready
            case Request.ReadOnly wanted -> call.end(readOnly(wanted));
            case Request.Page page -> {
                Outcome.Page ready = page.source().ready();
                if (ready != null) {
                    call.end(ready);
                } else if (!pages.submit(call, page)) {
                    page.source().refused();
                    call.end(Failures.OVERLOADED);
                }
            }
            case Request.Put _, Request.Delete _, Request.Batch _, Request.Update _
            when readOnly -> call.end(Failures.READ_ONLY);
            case Request.Get _,
                    Request.Record _,
                    Request.Put _,
                    Request.Delete _,
                    Request.Batch _,
                    Request.Update _,
                    Request.Changes _,
                    Request.Scan _ -> admit(call, request);
        }
    }

    private void admit(Call call, Request request) {
        long asked = call.deadlineMillis();
        call.deadline(asked == Call.NO_DEADLINE ? deadlineNanos : TimeUnit.MILLISECONDS.toNanos(asked));
        if (call.isOverdue(call.queuedNanos())) {
            call.end(Failures.DEADLINE_PASSED);
        } else if (call.mailbox().admission().admits(request.kind()) && executor.submit(call)) {
            call.submitted();
        } else {
            call.end(Failures.OVERLOADED);
        }
    }

    /// Asks for the next of several rounds, after a batch that was not the last.
    public void resume(Call call) {
        call.resume();
    }

    /// How many clients may follow the changes of the store at a time, and how long an answer to one of them may
    /// last. Any thread may call.
    public void boundFollowers(int most, Duration life) {
        useCases.followers().bound(most, life);
    }

    /// Has the answers end that follow the changes of the store, for ever. Any thread may call.
    public void endFollowers() {
        useCases.followers().end();
    }

    /// The client has gone: the call will not be settled any more, and what it holds is released.
    public void abandon(Call call) {
        call.abandon();
    }

    /// Scans that hold a snapshot.
    public int openScans() {
        return useCases.openScans();
    }

    /// Gives the figures of the engine, the executor and the admission.
    public void measure(MetricSink sink) {
        engine.measure(sink);
        executor.measure(sink);
        RequestFigures.measure(figures, sink);
        SlowFeed.measure(feed, sink);
        long refused = 0;
        for (LoopAdmission admission : admissions) {
            refused += admission.refused();
        }
        sink.counter("kvant_admission_refused_total", "Requests beyond the adaptive limit, answered 503.", refused);
        sink.gauge("kvant_read_only", "1 while writes of clients are refused.", readOnly ? 1 : 0);
        useCases.followers().measure(sink);
        sink.gauge("kvant_open_scans", "Range reads that hold a snapshot.", useCases.openScans());
    }

    /// Ends the workers. Call it when no event loop submits any more.
    ///
    /// Where a worker is still in the engine, its scan may not be closed by another thread, which could
    /// free what it reads. Scans are left to the engine then, whose close waits for readers or has them
    /// fail.
    @Override
    public void close() {
        boolean idle = executor.close();
        pages.close();
        useCases.followers().close();
        if (idle) {
            useCases.closeScans();
        }
    }
}
