package kvant.server.service;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import kvant.engine.Condition;
import kvant.engine.Engine;
import kvant.engine.Health;
import kvant.engine.Inspection;
import kvant.engine.LocalEngine;
import kvant.engine.Maintenance;
import kvant.engine.MetricSink;
import kvant.engine.Mutation;
import kvant.engine.Range;
import kvant.engine.WriteBatch;
import kvant.server.admit.AnswerMemory;
import kvant.server.admit.LoopAdmission;
import kvant.server.admit.RequestKind;
import kvant.server.execute.CallExecutor;
import kvant.server.execute.RunnableCall.Progress;
import kvant.server.execute.ScanLimiter;
import kvant.server.request.BatchFormat;
import kvant.server.request.Failure;
import kvant.server.request.Failures;
import kvant.server.request.Outcome;
import kvant.server.request.Precondition;
import kvant.server.request.RecordBatch;
import kvant.server.request.Request;
import kvant.server.service.Followers.ChangeSubscriber;
import kvant.server.service.KeyOperations.EntityWrite;
import kvant.server.service.Rounds.OpenScan;
import org.jspecify.annotations.Nullable;

/// The node without its sockets: takes requests from event loops, has them executed against the engine on a thread
/// that the executor chooses, and brings outcomes back to their loops.
///
/// A call is submitted on the event loop that owns it, and runs on one thread at a time; calls run concurrently. A
/// submitted call is settled exactly once per round, even if the engine or the executor fails. Does not own the
/// engine.
public final class RequestHandler implements AutoCloseable {

    private static final long MILLIS_PER_SECOND = 1000;

    /// Most records, and bytes of them, of a range that an event loop answers itself: some tens of microseconds.
    private static final int FEW_RECORDS = 64;

    private static final int SHORT_RANGE_BYTES = 64 << 10;

    // Constant.
    private final Engine engine;
    private final @Nullable LocalEngine local; // the same, where it is one
    final KeyOperations keys;
    final WriteMarks marks = new WriteMarks();
    private final InstantSource clock;
    private final AnswerMemory answers;
    private final ScanLimiter rangesUnderWay;
    private final Followers followers;
    private final CallExecutor executor;
    private final ServiceOptions options;
    private final long deadlineNanos;
    private final Pages pages;
    private final List<LoopAdmission> admissions = new CopyOnWriteArrayList<>();
    private final List<RequestFigures> figures = new CopyOnWriteArrayList<>();
    private @Nullable SlowFeed feed; // before there are event loops

    // Concurrent.
    private final Set<OpenScan> openScans = ConcurrentHashMap.newKeySet();

    // Atomic.
    private volatile boolean readOnly;
    private volatile Health.@Nullable Check nodeCheck;

    /// @param clock wall clock, for the life time of values
    /// @param answers memory for values on their way out
    public RequestHandler(
            Engine engine, InstantSource clock, ServiceOptions options, AnswerMemory answers, Executors executors) {
        this.engine = engine;
        this.local = engine instanceof LocalEngine own ? own : null;
        this.keys = KeyOperations.of(engine, answers);
        this.clock = clock;
        this.options = options;
        this.answers = answers;
        this.pages = new Pages(answers);
        this.followers = new Followers(engine);
        int cores = Runtime.getRuntime().availableProcessors();
        this.rangesUnderWay = new ScanLimiter(options.pool().rangesUnderWay(cores));
        this.executor = executors.open(engine, options, rangesUnderWay);
        Duration deadline = options.admission().deadline();
        this.deadlineNanos = deadline.isZero() ? Long.MAX_VALUE : deadline.toNanos();
    }

    public WriteMarks marks() {
        return marks;
    }

    /// Starts the executor of a handler.
    @FunctionalInterface
    public interface Executors {
        /// @param ranges bound on ranges under way
        CallExecutor open(Engine engine, ServiceOptions options, ScanLimiter ranges);
    }

    /// Prepares the paths that the first clients need; once, before there are any. Makes no request to a network.
    public void makeFirstCalls() {
        if (engine instanceof LocalEngine) {
            ClassPreloader.all(this, executor);
        }
    }

    /// The mailbox of an event loop; each loop needs one of its own for its calls.
    public CompletionQueue mailbox(Executor loop) {
        LoopAdmission admission = new LoopAdmission(options.admission().adaptive(), options.maxInFlight());
        admissions.add(admission);
        return new CompletionQueue(loop, admission, this);
    }

    /// Sets a feed for slow requests; once, before there are event loops.
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
        figures.forEach(loop -> all.addAll(loop.slow.all()));
        return all;
    }

    /// Switches the refusal of clients' writes on or off. Writes submitted before continue, and so do the engine's
    /// own flushes and merges. Any thread may call.
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

    /// Adds a check of the node itself to those of the engine; a later one with its name replaces it. Any thread may
    /// call.
    public void check(Health.Check check) {
        nodeCheck = check;
    }

    /// The readiness of the node. Read-only mode set by the operator is no failure. Any thread may call.
    public Health health() {
        List<Health.Check> checks = new ArrayList<>(engine.health().checks());
        if (readOnly) {
            checks.replaceAll(RequestHandler::withoutWrites);
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

    /// The number of the engine's replicas, which a request may ask for.
    public int replicas() {
        return keys.replicas();
    }

    /// Whether a range shows a snapshot of the store, unaffected by writes after its begin.
    public boolean rangesAreSnapshots() {
        return local != null;
    }

    // --- From event loops ---

    /// Starts the execution of a request; the call is settled on its loop, perhaps from within this method.
    public void submit(Call call, Request request) {
        call.begin(request);
        call.event = RequestEvent.begun();
        call.queuedAt(System.nanoTime());
        RequestKind kind = request.kind();
        if (kind == RequestKind.OTHER) {
            answer(call, request);
            return;
        }
        if (readOnly && kind.isWrite()) {
            call.end(Failures.READ_ONLY);
            return;
        }
        long asked = call.deadlineMillis();
        call.deadlineNanos = asked == Call.NO_DEADLINE ? deadlineNanos : TimeUnit.MILLISECONDS.toNanos(asked);
        if (call.isOverdue(call.queuedNanos())) {
            call.end(Failures.DEADLINE_PASSED);
        } else if (call.mailbox.admission.admits(kind) && executor.submit(call)) {
            call.submitted();
        } else {
            call.end(Failures.OVERLOADED);
        }
    }

    /// Answers requests about the node rather than its store.
    private void answer(Call call, Request request) {
        switch (request) {
            case Request.Probe.READY -> executor.force(call); // a full queue does not make the engine unready
            case Request.Probe.RECORDS -> executor.force(call);
            case Request.Probe probe -> call.end(probe(probe));
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
            default -> throw new IllegalArgumentException("asked of the store: " + request.kind());
        }
    }

    public Followers followers() {
        return followers;
    }

    /// Scans that hold a snapshot.
    public int openScans() {
        return openScans.size();
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
        followers.measure(sink);
        sink.gauge("kvant_open_scans", "Range reads that hold a snapshot.", openScans.size());
    }

    /// The figures of requests alone. Any thread may call.
    public void measureRequests(MetricSink sink) {
        RequestFigures.measure(figures, sink);
    }

    /// Ends the workers. Call it when no event loop submits any more.
    ///
    /// While a worker is still in the engine, its scan may not be closed by another thread, which could free memory
    /// that it reads. Such scans are left to the engine, whose close waits for readers or has them fail.
    @Override
    public void close() {
        boolean idle = executor.close();
        pages.close();
        followers.close();
        if (idle) { // those that no client closed
            openScans.forEach(OpenScan::close);
        }
    }

    // --- For calls, on the threads that carry them out ---

    /// Answers a range on the event loop if it is short and in memory. A range that may be long is tried only while
    /// no other ranges wait, so that a vain attempt takes no time that the event loop lacks.
    Progress tryScan(Call call, Request.Scan scan, CallExecutor executor) {
        long limit = scan.range().limit();
        boolean asksForFew = limit <= FEW_RECORDS;
        boolean mayBeShort = asksForFew || limit == Range.UNLIMITED && !executor.rangesWait();
        if (local == null || !mayBeShort) {
            return Progress.TAKES_LONG;
        }
        try {
            RecordBatch batch = new RecordBatch();
            return switch (local.tryScan(scan.range(), SHORT_RANGE_BYTES, batch)) {
                case WHOLE -> {
                    batch.complete();
                    call.done(
                            call.claimAnswer(answers, batch.bytes())
                                    ? new Outcome.Records(batch)
                                    : Failures.OVERLOADED);
                    yield Progress.DONE;
                }
                case WOULD_BLOCK -> asksForFew ? Progress.WOULD_BLOCK : Progress.TAKES_LONG;
                case TOO_LONG -> Progress.TAKES_LONG;
            };
        } catch (Throwable e) {
            call.failed(e);
            return Progress.DONE;
        }
    }

    /// Whether the commit thread would have to read from a disk to evaluate a condition, while all other writes wait.
    boolean isCold(byte[] key, Precondition precondition) {
        return precondition != Precondition.Plain.NONE && keys.isCold(key);
    }

    /// Reads the data for a condition from the disk before the commit thread evaluates it. Here only this call and
    /// later ones of its client wait for that read, and not all writes.
    boolean warmAndWrite(Call call, byte[] key, Precondition precondition) {
        if (precondition != Precondition.Plain.NONE) {
            keys.warm(key);
        }
        return write(call);
    }

    /// Hands a write to the engine, unless earlier ones of its client must come first, and then those that waited for
    /// it.
    ///
    /// @return whether its outcome is there
    boolean write(Call first) {
        if (!first.isTurn()) {
            return false; // it was left with the one before it
        }
        boolean firstDone = false;
        for (Call call = first; call != null; call = call.passOn()) {
            if (call.skipped) {
                continue;
            }
            boolean done;
            EntityWrite write = null;
            try {
                write = writeOf(call, call != first);
                done = write == null;
                if (write != null) {
                    marks.begun(write.batch());
                    keys.submit(write, call);
                }
            } catch (Throwable e) { // the writes behind it continue
                if (write != null) { // it never arrives
                    marks.ended(write.batch());
                }
                done = call.failed(e);
            }
            if (call == first) {
                firstDone = done;
            } else if (done) {
                call.deliver();
            }
        }
        return firstDone;
    }

    /// A call will not be carried out, and keeps no other from it.
    void skip(Call call) {
        call.skipped = true; // when its turn comes, it only passes it on
        if (call.kind().isWrite()) {
            write(call);
        }
    }

    /// @param waited for those before it, and perhaps too long
    /// @return null where it has an outcome already
    private @Nullable EntityWrite writeOf(Call call, boolean waited) {
        if (waited && call.isOverdue(System.nanoTime())) {
            call.done(Failures.DEADLINE_PASSED);
            return null;
        }
        return switch (call.request()) {
            case Request.Put put -> {
                long ttl = put.ttlSeconds();
                long expiresAtMillis = ttl == Request.Put.NO_TTL ? Mutation.Put.NEVER : expiry(ttl);
                Mutation mutation = new Mutation.Put(put.key(), put.value(), expiresAtMillis);
                yield writeOf(call, WriteBatch.of(mutation), put.precondition(), false);
            }
            case Request.Delete delete ->
                writeOf(call, WriteBatch.of(new Mutation.Delete(delete.key())), delete.precondition(), true);
            case Request.Update update -> writeOf(call, update.batch(), update.precondition(), update.isDelete());
            case Request.Batch batch -> writeOf(call, batch);
            default -> throw new IllegalStateException("not a write: " + call.kind());
        };
    }

    private @Nullable EntityWrite writeOf(Call call, Request.Batch batch) {
        try {
            return writeOf(call, BatchFormat.read(batch.body(), this::expiry), Precondition.Plain.NONE, false);
        } catch (BatchFormat.MalformedException e) {
            call.done(new Outcome.Failed(Failure.MALFORMED_BATCH, String.valueOf(e.getMessage())));
            return null;
        }
    }

    private static @Nullable EntityWrite writeOf(
            Call call, WriteBatch batch, Precondition precondition, boolean delete) {
        if (precondition instanceof Precondition.VersionIn(long[] versions) && versions.length == 0) {
            call.done(Outcome.Plain.PRECONDITION_FAILED);
            return null;
        }
        WriteBatch guarded = precondition == Precondition.Plain.NONE ? batch : batch.when(conditionOf(precondition));
        return new EntityWrite(guarded, call, delete);
    }

    private static Condition conditionOf(Precondition precondition) {
        return switch (precondition) {
            case Precondition.Plain.NONE -> Condition.NONE;
            case Precondition.Plain.ABSENT -> new Condition.Absent();
            case Precondition.Plain.PRESENT -> new Condition.Present();
            case Precondition.VersionIn(long[] versions)
            when versions.length == 1 -> new Condition.VersionIs(versions[0]);
            case Precondition.VersionIn _, Precondition.VersionNotIn _ ->
                throw new IllegalArgumentException("a write takes one version: " + precondition);
        };
    }

    private long expiry(long ttlSeconds) {
        return clock.millis() + ttlSeconds * MILLIS_PER_SECOND; // fits: see MAX_LIFE_SECONDS
    }

    boolean scan(Call call, Request.Scan request, CallExecutor executor) {
        if (call.rounds == null) {
            OpenScan opened = new OpenScan(executor, openScans, rangesUnderWay, call);
            opened.start(engine, request);
            call.rounds = opened;
        }
        return round(call);
    }

    boolean changes(Call call, Request.Changes request, CallExecutor executor) {
        if (call.rounds == null) {
            ChangeSubscriber begun = new ChangeSubscriber(executor, followers, rangesUnderWay, call, request);
            call.rounds = begun;
            begun.start();
        }
        return round(call);
    }

    private boolean round(Call call) {
        return call.done(Objects.requireNonNull(call.rounds, "just begun").pull(options.scanRoundBytes(), answers));
    }

    Outcome probe(Request.Probe probe) {
        return switch (probe) {
            case ALIVE -> Outcome.Plain.ALIVE;
            case PREFLIGHT -> Outcome.Plain.PREFLIGHT;
            case LIVE_PAGE -> Outcome.Plain.LIVE_PAGE;
            case READY -> readiness(health());
            case RECORDS -> records();
        };
    }

    /// Estimates the number of records. The part of overwritten values and deletions in it is unknown.
    private Outcome records() {
        Maintenance maintenance = engine.maintenance();
        if (maintenance == null) {
            return Failures.NOT_COUNTED;
        }
        double records = 0;
        for (Inspection.Figure figure : maintenance.inspect().figures()) {
            if (figure.name().equals("records") || figure.name().equals("memtable_records")) {
                records += figure.value();
            }
        }
        return new Outcome.Count((long) records);
    }

    private static Outcome readiness(Health health) {
        List<Outcome.Readiness.Check> checks = health.checks().stream()
                .map(check -> new Outcome.Readiness.Check(check.name(), check.ok(), check.detail()))
                .toList();
        return new Outcome.Readiness(health.ready(), checks);
    }

    /// A read by the node itself, before the first client: it takes its way through the executor and the engine,
    /// so that the classes of that way are loaded when the first client comes. It changes nothing, and its answer
    /// is ignored.
    private static final class ClassPreloader extends Call {

        /// A key that may be there or not.
        private static final byte[] KEY = {0};

        /// End of a range with no other key: the first value of a store may be larger than the free heap.
        private static final byte[] NEXT_KEY = {0, 0};

        /// An engine that takes longer than this is not waited for.
        private static final Duration PATIENCE = Duration.ofSeconds(1);

        // Constant.
        private final CountDownLatch settled = new CountDownLatch(1);

        private ClassPreloader(CompletionQueue mailbox) {
            super(mailbox);
        }

        /// Runs one range and one get where such calls run when they may block. For the thread that starts the
        /// node.
        static void all(RequestHandler handler, CallExecutor executor) {
            run(handler, executor, Request.Scan.between(KEY, NEXT_KEY, 1));
            run(handler, executor, new Request.Get(KEY, Precondition.Plain.NONE));
        }

        private static void run(RequestHandler handler, CallExecutor executor, Request request) {
            ClassPreloader call =
                    new ClassPreloader(new CompletionQueue(Runnable::run, new LoopAdmission(false, 1), handler));
            call.begin(request);
            executor.force(call);
            try {
                call.settled.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        protected void settled(Outcome settledAs) {
            abandon(); // whether it is still waited for or not: its claim goes, and a range lets its snapshot go
            settled.countDown();
        }
    }
}
