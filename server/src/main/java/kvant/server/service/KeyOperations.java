package kvant.server.service;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import kvant.engine.Cursor;
import kvant.engine.Engine;
import kvant.engine.EngineException;
import kvant.engine.LocalEngine;
import kvant.engine.Lookup;
import kvant.engine.Read;
import kvant.engine.RecordSink;
import kvant.engine.RemoteEngine;
import kvant.engine.Terms;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import kvant.server.admit.AnswerMemory;
import kvant.server.execute.RunnableCall.Progress;
import kvant.server.request.Failures;
import kvant.server.request.Outcome;
import kvant.server.request.Outcome.Failed;
import kvant.server.request.Outcome.Plain;
import kvant.server.request.Outcome.Stored;
import kvant.server.request.Precondition;
import kvant.server.request.RecordBatch;
import kvant.server.request.Request;
import org.jspecify.annotations.Nullable;

/// The engine's side of single-key calls and writes: one implementation for each of the two kinds of engine, chosen
/// once when the handler is made. It turns the engine's results into answers to gets, and claims memory for them. Any
/// thread may call.
abstract sealed class KeyOperations {

    // Constant.
    private final Engine scanned;
    final AnswerMemory memory;
    final ExpectedAnswer expected = new ExpectedAnswer();

    private KeyOperations(Engine engine, AnswerMemory memory) {
        this.scanned = engine;
        this.memory = memory;
    }

    /// @param memory for values on their way out
    static KeyOperations of(Engine engine, AnswerMemory memory) {
        return switch (engine) {
            case LocalEngine local -> new Local(local, memory);
            case RemoteEngine remote -> new Remote(remote, memory);
        };
    }

    /// Carries a read out; may block where the engine answers at once.
    ///
    /// @return whether the outcome is there; else the engine delivers it through the mailbox
    abstract boolean get(Call call, Request.Get get);

    /// Carries out the part of a read that is possible without blocking; throws nothing.
    abstract Progress tryGet(Call call, Request.Get get);

    /// Whether the engine would have to read from a disk to evaluate a condition on a key, while all other writes
    /// wait.
    abstract boolean isCold(byte[] key);

    /// Reads the data for a condition on a key into memory; may block. An error shows when the condition is
    /// evaluated.
    abstract void warm(byte[] key);

    /// Hands a write to the engine, which delivers it through the mailbox.
    abstract void submit(EntityWrite write, Call call);

    /// The number of replicas that a request may ask for.
    abstract int replicas();

    /// The entries of keys, from one snapshot.
    abstract Outcome entries(Call call, List<byte[]> wanted);

    final Outcome record(Call call, Request.Record request) {
        try (Cursor records = scanned.scan(request.range())) {
            if (!records.next()) {
                return Outcome.Plain.ABSENT;
            }
            byte[] value = records.value();
            return call.claimAnswer(memory, value.length)
                    ? new Outcome.Entry(value, records.version(), records.expiresAtMillis())
                    : Failures.OVERLOADED;
        }
    }

    /// Whether a found value is wanted; claims memory for one that is.
    final boolean wants(Call call, Request.Get get, long version, int length) {
        return isForValue(get, version) && call.claimAnswer(memory, length);
    }

    final Outcome of(Call call, Request.Get get, Lookup lookup) {
        return switch (lookup) {
            case Lookup.Found(byte[] value, long version) -> {
                expected.seen(value.length);
                if (!isForValue(get, version)) {
                    yield withoutValue(get, version, value.length);
                }
                yield call.claimAnswer(memory, value.length) ? new Outcome.Found(value, version) : Failures.OVERLOADED;
            }
            case Lookup.Described(long version, int length) -> {
                call.claimAnswer(memory, 0);
                if (isForValue(get, version)) { // there was no memory for it
                    expected.seen(length);
                    yield Failures.OVERLOADED;
                }
                yield withoutValue(get, version, length);
            }
            case Lookup.Miss _ -> {
                call.claimAnswer(memory, 0);
                boolean needsValue = get.precondition() == Precondition.Plain.PRESENT
                        || get.precondition() instanceof Precondition.VersionIn;
                yield needsValue ? Outcome.Plain.PRECONDITION_FAILED : Outcome.Plain.ABSENT;
            }
        };
    }

    /// Whether a value of this version answers a request.
    private static boolean isForValue(Request.Get get, long version) {
        return !get.describes() && get.precondition().holdsFor(version);
    }

    private static Outcome withoutValue(Request.Get get, long version, int length) {
        if (get.precondition().holdsFor(version)) {
            return new Outcome.Described(version, length);
        }
        return get.precondition() instanceof Precondition.VersionIn
                ? Outcome.Plain.PRECONDITION_FAILED
                : new Outcome.NotModified(version, length);
    }

    /// For an engine that answers at once. It has no network and one replica, so that a request's parameters for
    /// those have no effect.
    ///
    /// A filter tells it which values are wanted: none where the client asks for less, and none for which there
    /// is no memory, which is claimed when the length is known and the value has not been read. Only while values
    /// are short there is no filter, because that would cost more than their memory.
    static final class Local extends KeyOperations {

        private final LocalEngine engine;

        private Local(LocalEngine engine, AnswerMemory memory) {
            super(engine, memory);
            this.engine = engine;
        }

        @Override
        boolean get(Call call, Request.Get get) {
            Lookup found = takesAnyValue(get) ? engine.get(get.key()) : engine.get(get.key(), filter(call, get));
            return call.done(of(call, get, found));
        }

        @Override
        Progress tryGet(Call call, Request.Get get) {
            try {
                Lookup found =
                        takesAnyValue(get) ? engine.tryGet(get.key()) : engine.tryGet(get.key(), filter(call, get));
                if (found == Lookup.Miss.WOULD_BLOCK) {
                    return Progress.WOULD_BLOCK;
                }
                call.done(of(call, get, found));
            } catch (Throwable e) {
                call.failed(e);
            }
            return Progress.DONE;
        }

        /// Whether the request takes the value unconditionally, and it is expected to be small.
        private boolean takesAnyValue(Request.Get get) {
            return expected.bytes() == 0 && get.isPlain();
        }

        private Lookup.Filter filter(Call call, Request.Get get) {
            return (version, length) -> wants(call, get, version, length);
        }

        @Override
        boolean isCold(byte[] key) {
            try {
                return engine.tryGet(key) == Lookup.Miss.WOULD_BLOCK;
            } catch (Throwable _) {
                return false; // the engine meets it too, and answers
            }
        }

        @Override
        void warm(byte[] key) {
            if (isCold(key)) {
                try {
                    engine.get(key);
                } catch (Throwable _) {
                    // As above.
                }
            }
        }

        @Override
        void submit(EntityWrite write, Call call) {
            engine.submit(write);
        }

        @Override
        int replicas() {
            return 1;
        }

        @Override
        Outcome entries(Call call, List<byte[]> wanted) {
            EntrySink sink = new EntrySink(call, wanted);
            engine.read(wanted, sink);
            return sink.outcome();
        }

        /// Takes the entries of keys as long as there is memory for them. Belongs to the worker of its call.
        private final class EntrySink implements RecordSink {

            private final Call call;
            private final List<byte[]> wanted;
            private final List<Outcome.@Nullable Entry> all = new ArrayList<>();
            private long bytes;
            private boolean overloaded;

            EntrySink(Call call, List<byte[]> wanted) {
                this.call = call;
                this.wanted = wanted;
            }

            @Override
            public void take(byte[] key, byte[] value, long version, long expiresAtMillis) {
                bytes += value.length + RecordBatch.RECORD_OVERHEAD_BYTES;
                overloaded |= !call.claimAnswer(memory, bytes);
                if (overloaded) {
                    return;
                }
                while (wanted.get(all.size()) != key) {
                    all.add(null);
                }
                all.add(new Outcome.Entry(value, version, expiresAtMillis));
            }

            Outcome outcome() {
                if (overloaded) {
                    return Failures.OVERLOADED;
                }
                while (all.size() < wanted.size()) {
                    all.add(null);
                }
                return new Outcome.Entries(all);
            }
        }
    }

    /// For an engine that answers later: the calling thread hands the call over and does not wait.
    ///
    /// It sends a value at once: so memory for one as long as the last ones is claimed before the request. Without
    /// memory one read at a time continues all the same: its value may be short.
    static final class Remote extends KeyOperations {

        /// Instead of a claim: it goes without one.
        private static final int UNCLAIMED = -1;

        private final RemoteEngine engine;
        private final Semaphore unclaimed = new Semaphore(1);

        private Remote(RemoteEngine engine, AnswerMemory memory) {
            super(engine, memory);
            this.engine = engine;
        }

        @Override
        boolean get(Call call, Request.Get get) {
            int claim = expected.bytes();
            if (claim != 0 && !memory.arriving().claim(claim, 0)) {
                if (!unclaimed.tryAcquire()) {
                    return call.done(Failures.OVERLOADED);
                }
                claim = UNCLAIMED;
            }
            RemoteRead read = new RemoteRead(call, get, claim);
            try {
                engine.submit(read, termsOf(call, get.acks()));
            } catch (Throwable e) { // it broke its promise to throw nothing
                read.hand(null, e);
            }
            return false;
        }

        @Override
        Progress tryGet(Call call, Request.Get get) {
            try {
                return get(call, get) ? Progress.DONE : Progress.UNDER_WAY;
            } catch (Throwable e) {
                call.failed(e);
                return Progress.DONE;
            }
        }

        /// Releases the claim when the value has arrived, or is absent.
        private void arrived(int claim) {
            if (claim == UNCLAIMED) {
                unclaimed.release();
            } else {
                memory.arriving().release(claim);
            }
        }

        @Override
        boolean isCold(byte[] key) {
            return false; // its replicas evaluate it
        }

        @Override
        void warm(byte[] key) {
            // No data of the store is in this process.
        }

        @Override
        void submit(EntityWrite write, Call call) {
            int acks = switch (call.request()) {
                case Request.Put put -> put.acks();
                case Request.Delete delete -> delete.acks();
                default -> Request.USUAL_ACKS;
            };
            engine.submit(write, termsOf(call, acks));
        }

        private static Terms termsOf(Call call, int acks) {
            return new Terms(acks, call.timeoutNanos());
        }

        @Override
        int replicas() {
            return engine.replicas();
        }

        /// A cluster reads one key, whose version it can compare when that key is written.
        @Override
        Outcome entries(Call call, List<byte[]> wanted) {
            if (wanted.size() > 1) {
                return Failures.NOT_TOGETHER;
            }
            Outcome only = record(call, new Request.Record(wanted.getFirst()));
            return only instanceof Outcome.Failed
                    ? only
                    : new Outcome.Entries(
                            Collections.singletonList(only instanceof Outcome.Entry entry ? entry : null));
        }

        /// A read that knows the call it answers. The first answer counts.
        private final class RemoteRead extends Read implements CompletionQueue.Delivery {

            // Constant.
            private final Call call;
            private final Request.Get get;
            private final int claim;

            // Handed from the engine to the loop through the mailbox.
            private @Nullable Lookup lookup;
            private @Nullable Throwable failure;

            // Atomic.
            private final AtomicBoolean handed = new AtomicBoolean();

            /// @param claim on memory for the arriving value, or [#UNCLAIMED]
            RemoteRead(Call call, Request.Get get, int claim) {
                super(get.key());
                this.call = call;
                this.get = get;
                this.claim = claim;
            }

            /// Once the read has been answered, the call no longer belongs to the engine.
            @Override
            public boolean wants(long version, int length) {
                return !handed.get() && Remote.this.wants(call, get, version, length);
            }

            @Override
            public void answered(Lookup answer) {
                hand(answer, null);
            }

            @Override
            public void failed(EngineException reason) {
                hand(null, reason);
            }

            private void hand(@Nullable Lookup answer, @Nullable Throwable reason) {
                if (handed.compareAndSet(false, true)) {
                    lookup = answer;
                    failure = reason;
                    call.doneNow();
                    call.mailbox.deliver(this);
                }
            }

            @Override
            public void arrive() {
                arrived(claim);
                call.end(lookup == null ? failedAs() : of(call, get, lookup));
            }

            private Outcome failedAs() {
                return Failures.of(
                        failure == null ? new IllegalStateException("a read without an answer") : failure, call::named);
            }
        }
    }

    /// An estimate of the next value's length, from the last ones: while they are long, memory is claimed before a
    /// value is read, because afterwards it is already in memory.
    ///
    /// Any thread may call; races cost precision only. Small values cost one read of a field.
    public static final class ExpectedAnswer {

        /// Values up to this length are bounded well enough by the threads that read.
        public static final int SMALL_BYTES = 64 << 10;

        /// A smaller value takes a sixteenth of the expectation away.
        private static final int DECAY_SHIFT = 4;

        private volatile int bytes;

        /// The number of bytes to claim; 0 for none.
        public int bytes() {
            int expected = bytes;
            return expected <= SMALL_BYTES ? 0 : expected;
        }

        /// A value of this length was read, or none.
        public void seen(int length) {
            int expected = bytes;
            if (length > expected && length > SMALL_BYTES) {
                bytes = length;
            } else if (expected > SMALL_BYTES) {
                bytes = Math.max(length, expected - (expected >> DECAY_SHIFT));
            }
        }
    }

    /// A write that knows the call it answers.
    static final class EntityWrite extends Write implements CompletionQueue.Delivery {

        // Constant.
        final Call call;
        private final boolean delete;

        EntityWrite(WriteBatch batch, Call call, boolean delete) {
            super(batch, call.mailbox);
            this.call = call;
            this.delete = delete;
        }

        @Override
        public void arrive() {
            call.mailbox.handler.marks.ended(batch());
            call.steps = steps();
            call.end(
                    switch (outcome()) {
                        case APPLIED -> delete ? Plain.DELETED : new Stored(version());
                        case REFUSED -> Plain.PRECONDITION_FAILED;
                        case FAILED, PENDING -> failed();
                    });
        }

        private Failed failed() {
            EngineException reason = failure();
            return Failures.of(
                    reason == null ? new IllegalStateException("handed back unsettled") : reason, call::named);
        }
    }
}
