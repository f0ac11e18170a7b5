package kvant.server.service;

import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import kvant.engine.Condition;
import kvant.engine.Engine;
import kvant.engine.Health;
import kvant.engine.Lookup;
import kvant.engine.Mutation;
import kvant.engine.Terms;
import kvant.engine.WriteBatch;
import org.jspecify.annotations.Nullable;

/// Carries calls out against the engine, on whatever thread an executor chooses.
///
/// Stateless but for the set of open scans; any number of threads may run calls at once, each call on one of
/// them.
final class UseCases {

    private static final long MILLIS_PER_SECOND = 1000;

    // Constant.
    private final Engine engine;
    private final boolean answersLater;
    private final InstantSource clock;
    private final int scanRoundBytes;
    private final MemoryBudget answers;
    private final ExpectedAnswer expected = new ExpectedAnswer();
    private final Semaphore unclaimed = new Semaphore(1);
    private final RangesUnderWay rangesUnderWay;

    // Concurrent.
    private final Set<OpenScan> openScans = ConcurrentHashMap.newKeySet();

    /// @param clock wall clock, for the life time of values
    /// @param scanRoundBytes about how much a scan pulls in one round
    /// @param answers memory for values on their way out
    /// @param rangesUnderWay counts the rounds of scans
    UseCases(
            Engine engine,
            InstantSource clock,
            int scanRoundBytes,
            MemoryBudget answers,
            RangesUnderWay rangesUnderWay) {
        this.engine = engine;
        this.answersLater = engine.answersLater();
        this.clock = clock;
        this.scanRoundBytes = scanRoundBytes;
        this.answers = answers;
        this.rangesUnderWay = rangesUnderWay;
    }

    /// Carries a call out; may block. Throws nothing: whatever goes wrong is an outcome.
    ///
    /// @param executor where a scan runs its later rounds
    /// @return whether the outcome is there, for the caller to deliver; else the engine has the call and
    ///     delivers it through the mailbox, or nobody waits for it
    boolean run(Call call, CallExecutor executor) {
        try {
            return switch (call.request()) {
                case Request.Get get -> answersLater ? ask(call, get) : done(call, get(call, get, true));
                case Request.Put put -> put(call, put);
                case Request.Delete delete -> delete(call, delete);
                case Request.Batch batch -> batch(call, batch);
                case Request.Scan scan -> scan(call, scan, executor);
                case Request.Probe probe -> done(call, probe(probe));
                case Request.Page page -> done(call, page.source().page(page.accept()));
            };
        } catch (Throwable e) { // also an OutOfMemoryError or a StackOverflowError: the client gets its answer
            return done(call, Failures.of(e));
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

    private static boolean done(Call call, @Nullable Outcome outcome) {
        if (outcome == null) {
            return false;
        }
        call.outcome(outcome);
        call.doneNow();
        return true;
    }

    /// Whether a point read only hands a question over, and waits for nothing.
    boolean answersLater() {
        return answersLater;
    }

    /// Carries a read out without blocking; throws nothing.
    ///
    /// @return whether the outcome is there, for the caller to deliver; else nothing has happened
    boolean tryGet(Call call, Request.Get get) {
        try {
            return done(call, get(call, get, false));
        } catch (Throwable e) {
            return done(call, Failures.of(e));
        }
    }

    /// Memory is claimed before the engine is asked, because afterwards the value is there, claimed or not. Where
    /// there is none for a value as long as the last ones, one read at a time goes on all the same: it may be for
    /// a short one.
    private @Nullable Outcome get(Call call, Request.Get get, boolean mayBlock) {
        int bytes = expected.bytes();
        if (bytes == 0 || call.claimAnswer(answers, bytes)) {
            return read(call, get, mayBlock);
        }
        if (!unclaimed.tryAcquire()) {
            return Failures.OVERLOADED;
        }
        try {
            return read(call, get, mayBlock);
        } finally {
            unclaimed.release();
        }
    }

    /// Hands a read to an engine that answers later, with memory as in [#get].
    private boolean ask(Call call, Request.Get get) {
        int bytes = expected.bytes();
        boolean claimed = bytes == 0 || call.claimAnswer(answers, bytes);
        if (!claimed && !unclaimed.tryAcquire()) {
            return done(call, Failures.OVERLOADED);
        }
        EntityRead read = new EntityRead(call, get, termsOf(call, get.acks()), this, !claimed);
        try {
            engine.submit(read);
        } catch (Throwable e) {
            read.thrown(e);
        }
        return false;
    }

    /// Loop only: what became of a read that an engine answered later.
    Outcome outcomeOf(
            Call call, Request.Get get, @Nullable Lookup lookup, @Nullable Throwable failure, boolean wasUnclaimed) {
        if (wasUnclaimed) {
            unclaimed.release();
        }
        if (lookup != null) {
            return answer(call, get, lookup);
        }
        return Failures.of(failure == null ? new IllegalStateException("a read without an answer") : failure);
    }

    /// @return null when it would block, and may not
    private @Nullable Outcome read(Call call, Request.Get get, boolean mayBlock) {
        Lookup lookup = mayBlock ? engine.get(get.key()) : engine.tryGet(get.key());
        return lookup == Lookup.Miss.WOULD_BLOCK ? null : answer(call, get, lookup);
    }

    private Outcome answer(Call call, Request.Get get, Lookup lookup) {
        return switch (lookup) {
            case Lookup.Found(byte[] value, long version) -> {
                expected.seen(value.length);
                yield call.claimAnswer(answers, value.length)
                        ? found(get.precondition(), value, version)
                        : Failures.OVERLOADED;
            }
            case Lookup.Miss _ -> {
                call.claimAnswer(answers, 0);
                yield missed(get.precondition());
            }
        };
    }

    private static Outcome found(Precondition precondition, byte[] value, long version) {
        return switch (precondition) {
            case Precondition.Plain.NONE, Precondition.Plain.PRESENT -> new Outcome.Found(value, version);
            case Precondition.Plain.ABSENT -> new Outcome.NotModified(version, value.length);
            case Precondition.VersionIn(long[] wanted) ->
                contains(wanted, version) ? new Outcome.Found(value, version) : Outcome.Plain.PRECONDITION_FAILED;
            case Precondition.VersionNotIn(long[] known) ->
                contains(known, version)
                        ? new Outcome.NotModified(version, value.length)
                        : new Outcome.Found(value, version);
        };
    }

    private static Outcome missed(Precondition precondition) {
        boolean needsValue =
                precondition == Precondition.Plain.PRESENT || precondition instanceof Precondition.VersionIn;
        return needsValue ? Outcome.Plain.PRECONDITION_FAILED : Outcome.Plain.ABSENT;
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
        engine.submit(new EntityWrite(guarded, call, delete, termsOf(call, acks)));
        return false;
    }

    /// An engine without a network does not ask, and is spared the object.
    private Terms termsOf(Call call, int acks) {
        return answersLater ? new Terms(acks, call.timeoutNanos()) : Terms.USUAL;
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
        long now = clock.millis();
        return ttlSeconds > (Long.MAX_VALUE - now) / MILLIS_PER_SECOND
                ? Mutation.Put.NEVER // beyond the end of time
                : now + ttlSeconds * MILLIS_PER_SECOND;
    }

    private boolean scan(Call call, Request.Scan request, CallExecutor executor) {
        OpenScan scan = call.scan();
        if (scan == null) {
            scan = new OpenScan(executor, openScans, rangesUnderWay, call);
            scan.start(engine, request);
            call.scan(scan);
        }
        if (scan.closing()) {
            scan.close();
            return false;
        }
        return done(call, scan.pull(scanRoundBytes, answers));
    }

    private Outcome probe(Request.Probe probe) {
        return switch (probe) {
            case ALIVE -> Outcome.Plain.ALIVE;
            case READY -> readiness(engine.health());
        };
    }

    private static Outcome readiness(Health health) {
        List<Outcome.Readiness.Check> checks = health.checks().stream()
                .map(check -> new Outcome.Readiness.Check(check.name(), check.ok(), check.detail()))
                .toList();
        return new Outcome.Readiness(health.ready(), checks);
    }

    private static boolean contains(long[] versions, long version) {
        for (long each : versions) {
            if (each == version) {
                return true;
            }
        }
        return false;
    }
}
