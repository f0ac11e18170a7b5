package kvant.server.service;

import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import kvant.engine.Condition;
import kvant.engine.Cursor;
import kvant.engine.Engine;
import kvant.engine.Health;
import kvant.engine.LocalEngine;
import kvant.engine.Mutation;
import kvant.engine.Range;
import kvant.engine.WriteBatch;
import kvant.server.admit.AnswerMemory;
import kvant.server.execute.CallExecutor;
import kvant.server.execute.RangesUnderWay;
import kvant.server.execute.RunnableCall.Progress;
import kvant.server.request.BatchFormat;
import kvant.server.request.Failure;
import kvant.server.request.Failures;
import kvant.server.request.Outcome;
import kvant.server.request.Precondition;
import kvant.server.request.RecordBatch;
import kvant.server.request.Request;
import org.jspecify.annotations.Nullable;

/// Carries calls out against the engine, on whatever thread an executor chooses.
///
/// Stateless but for the set of open scans; any number of threads may run calls at once, each call on one of
/// them.
final class UseCases {

    private static final long MILLIS_PER_SECOND = 1000;

    /// Most records, and bytes of them, of a range that an event loop answers itself: some tens of microseconds.
    private static final int FEW_RECORDS = 64;

    private static final int SHORT_RANGE_BYTES = 64 << 10;

    // Constant.
    private final Engine engine;
    private final @Nullable LocalEngine local; // the same, where it is one
    private final PointAccess points;
    private final InstantSource clock;
    private final Supplier<Health> health;
    private final int scanRoundBytes;
    private final AnswerMemory answers;
    private final RangesUnderWay rangesUnderWay;
    private final Followers followers;

    // Concurrent.
    private final Set<OpenScan> openScans = ConcurrentHashMap.newKeySet();

    /// @param clock wall clock, for the life time of values
    /// @param health what the node says about itself
    /// @param scanRoundBytes about how much a scan pulls in one round
    /// @param answers memory for values on their way out
    /// @param rangesUnderWay counts the rounds of scans
    UseCases(
            Engine engine,
            InstantSource clock,
            Supplier<Health> health,
            int scanRoundBytes,
            AnswerMemory answers,
            RangesUnderWay rangesUnderWay) {
        this.engine = engine;
        this.local = engine instanceof LocalEngine own ? own : null;
        this.points = PointAccess.to(engine, new GetAnswers(answers));
        this.clock = clock;
        this.health = health;
        this.scanRoundBytes = scanRoundBytes;
        this.answers = answers;
        this.rangesUnderWay = rangesUnderWay;
        this.followers = new Followers(engine);
    }

    /// Those who follow the changes of the engine.
    Followers followers() {
        return followers;
    }

    /// Carries a call out; may block. Throws nothing: whatever goes wrong is an outcome.
    ///
    /// @param executor where a scan runs its later rounds
    /// @return whether the outcome is there, for the caller to deliver; else the engine has the call and
    ///     delivers it through the mailbox, or nobody waits for it
    boolean run(Call call, CallExecutor executor) {
        try {
            return switch (call.request()) {
                case Request.Get get -> points.get(call, get);
                case Request.Record record -> done(call, record(call, record));
                case Request.Put put -> guardedInTurn(call, put.key(), put.precondition());
                case Request.Delete delete -> guardedInTurn(call, delete.key(), delete.precondition());
                case Request.Update update -> guardedInTurn(call, update.key(), update.precondition());
                case Request.Batch _ -> writeInTurn(call);
                case Request.Scan scan -> scan(call, scan, executor);
                case Request.Changes changes -> changes(call, changes, executor);
                case Request.Probe probe -> done(call, probe(probe));
                case Request.Page page -> done(call, page.source().page(page.accept()));
                case Request.ReadOnly _ -> throw new IllegalStateException("the service answers it at once");
            };
        } catch (Throwable e) { // also an OutOfMemoryError or a StackOverflowError: the client gets its answer
            return done(call, Failures.of(e, call::named));
        }
    }

    /// Closes the cursors that no client closed; for shutdown, when nothing runs any more.
    void closeScans() {
        for (OpenScan scan : openScans) {
            scan.close();
        }
    }

    int openScans() {
        return openScans.size();
    }

    static boolean done(Call call, @Nullable Outcome outcome) {
        if (outcome == null) {
            return false;
        }
        call.outcome(outcome);
        call.doneNow();
        return true;
    }

    /// How many replicas a request may ask for.
    int replicas() {
        return points.replicas();
    }

    /// Carries a call out as far as that is possible without blocking; throws nothing.
    Progress tryRun(Call call, CallExecutor executor) {
        return switch (call.request()) {
            case Request.Get get -> tryGet(call, get);
            case Request.Put put -> tryWrite(call, put.key(), put.precondition());
            case Request.Delete delete -> tryWrite(call, delete.key(), delete.precondition());
            case Request.Update update -> tryWrite(call, update.key(), update.precondition());
            case Request.Scan scan -> tryScan(call, scan, executor);
            case Request.Changes _ -> Progress.TAKES_LONG;
            // A batch does not block, but reading a long one keeps a thread busy.
            case Request.Record _, Request.Batch _, Request.Probe _, Request.ReadOnly _, Request.Page _ ->
                Progress.WOULD_BLOCK;
        };
    }

    private Outcome record(Call call, Request.Record request) {
        try (Cursor records = engine.scan(request.range())) {
            if (!records.next()) {
                return Outcome.Plain.ABSENT;
            }
            byte[] value = records.value();
            return call.claimAnswer(answers, value.length)
                    ? new Outcome.Entry(value, records.version(), records.expiresAtMillis())
                    : Failures.OVERLOADED;
        }
    }

    private Progress tryGet(Call call, Request.Get get) {
        try {
            return points.tryGet(call, get);
        } catch (Throwable e) {
            done(call, Failures.of(e, call::named));
            return Progress.DONE;
        }
    }

    /// Answers a range on the event loop that is short and in memory. One that may be long is tried only while no
    /// others wait, so that what is read of it in vain costs an event loop nothing that it lacks.
    private Progress tryScan(Call call, Request.Scan scan, CallExecutor executor) {
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
                    done(
                            call,
                            call.claimAnswer(answers, batch.bytes())
                                    ? new Outcome.Records(batch)
                                    : Failures.OVERLOADED);
                    yield Progress.DONE;
                }
                case WOULD_BLOCK -> asksForFew ? Progress.WOULD_BLOCK : Progress.TAKES_LONG;
                case TOO_LONG -> Progress.TAKES_LONG;
            };
        } catch (Throwable e) {
            done(call, Failures.of(e, call::named));
            return Progress.DONE;
        }
    }

    private Progress tryWrite(Call call, byte[] key, Precondition precondition) {
        if (precondition != Precondition.Plain.NONE && points.isCold(key)) {
            return Progress.WOULD_BLOCK;
        }
        return writeInTurn(call) ? Progress.DONE : Progress.UNDER_WAY;
    }

    /// A condition is judged by the one thread that commits. What that would have to read from a disk is read before,
    /// where nobody waits for it but the call and those of its client behind it.
    private boolean guardedInTurn(Call call, byte[] key, Precondition precondition) {
        if (precondition != Precondition.Plain.NONE) {
            points.warm(key);
        }
        return writeInTurn(call);
    }

    /// Hands a write to the engine, unless others of its client are to come before it, and then those that waited for
    /// it.
    private boolean writeInTurn(Call call) {
        if (!call.isTurn()) {
            return false; // it was left with the one before it
        }
        boolean done = write(call);
        passOn(call);
        return done;
    }

    /// A call will not be carried out, and keeps no other from it.
    void skip(Call call) {
        call.skip();
        if (call.kind().isWrite() && call.isTurn()) {
            passOn(call);
        }
    }

    private void passOn(Call call) {
        for (Call next = call.passOn(); next != null; next = next.passOn()) {
            if (next.isSkipped()) {
                continue;
            }
            boolean done = next.isOverdue(System.nanoTime()) ? done(next, Failures.DEADLINE_PASSED) : write(next);
            if (done) {
                next.deliver();
            }
        }
    }

    private boolean write(Call call) {
        try {
            return switch (call.request()) {
                case Request.Put put -> put(call, put);
                case Request.Delete delete -> delete(call, delete);
                case Request.Update update ->
                    write(call, update.batch(), update.precondition(), update.isDelete(), Request.USUAL_ACKS);
                case Request.Batch batch -> batch(call, batch);
                case Request.Get _,
                        Request.Record _,
                        Request.Scan _,
                        Request.Changes _,
                        Request.Probe _,
                        Request.ReadOnly _,
                        Request.Page _ -> throw new IllegalStateException("not a write");
            };
        } catch (Throwable e) { // those behind it go on
            return done(call, Failures.of(e, call::named));
        }
    }

    private boolean put(Call call, Request.Put put) {
        long expiresAtMillis = put.ttlSeconds() == Request.Put.NO_TTL ? Mutation.Put.NEVER : expiry(put.ttlSeconds());
        Mutation mutation = new Mutation.Put(put.key(), put.value(), expiresAtMillis);
        return write(call, WriteBatch.of(mutation), put.precondition(), false, put.acks());
    }

    private boolean delete(Call call, Request.Delete delete) {
        return write(
                call, WriteBatch.of(new Mutation.Delete(delete.key())), delete.precondition(), true, delete.acks());
    }

    private boolean batch(Call call, Request.Batch batch) {
        try {
            WriteBatch mutations = BatchFormat.read(batch.body(), this::expiry);
            return write(call, mutations, Precondition.Plain.NONE, false, Request.USUAL_ACKS);
        } catch (BatchFormat.MalformedException e) {
            return done(call, new Outcome.Failed(Failure.MALFORMED_BATCH, String.valueOf(e.getMessage())));
        }
    }

    private boolean write(Call call, WriteBatch batch, Precondition precondition, boolean delete, int acks) {
        if (precondition instanceof Precondition.VersionIn(long[] versions) && versions.length == 0) {
            return done(call, Outcome.Plain.PRECONDITION_FAILED);
        }
        WriteBatch guarded = precondition == Precondition.Plain.NONE ? batch : batch.when(conditionOf(precondition));
        points.submit(new EntityWrite(guarded, call, delete), call, acks);
        return false;
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

    private boolean scan(Call call, Request.Scan request, CallExecutor executor) {
        if (!(call.rounds() instanceof OpenScan scan)) {
            OpenScan opened = new OpenScan(executor, openScans, rangesUnderWay, call);
            opened.start(engine, request);
            call.rounds(opened);
            return done(call, opened.pull(scanRoundBytes, answers));
        }
        if (scan.closing()) {
            scan.close();
            return false;
        }
        return done(call, scan.pull(scanRoundBytes, answers));
    }

    private boolean changes(Call call, Request.Changes request, CallExecutor executor) {
        if (call.rounds() instanceof Follower follower) {
            return done(call, follower.pull(scanRoundBytes, answers));
        }
        Follower begun = new Follower(executor, followers, rangesUnderWay, call, request);
        call.rounds(begun);
        begun.start();
        return done(call, begun.pull(scanRoundBytes, answers));
    }

    private Outcome probe(Request.Probe probe) {
        return switch (probe) {
            case ALIVE -> Outcome.Plain.ALIVE;
            case PREFLIGHT -> Outcome.Plain.PREFLIGHT;
            case READY -> readiness(health.get());
        };
    }

    private static Outcome readiness(Health health) {
        List<Outcome.Readiness.Check> checks = health.checks().stream()
                .map(check -> new Outcome.Readiness.Check(check.name(), check.ok(), check.detail()))
                .toList();
        return new Outcome.Readiness(health.ready(), checks);
    }
}
