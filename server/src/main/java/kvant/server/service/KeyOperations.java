package kvant.server.service;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import kvant.engine.Engine;
import kvant.engine.EngineException;
import kvant.engine.LocalEngine;
import kvant.engine.Lookup;
import kvant.engine.Read;
import kvant.engine.RemoteEngine;
import kvant.engine.Terms;
import kvant.server.admit.AnswerMemory;
import kvant.server.execute.RunnableCall.Progress;
import kvant.server.request.Failures;
import kvant.server.request.Outcome;
import kvant.server.request.Precondition;
import kvant.server.request.Request;
import org.jspecify.annotations.Nullable;

/// How calls for single keys, and writes, meet the engine: one way for each of its two kinds, chosen once when the
/// handler is made. Makes answers to gets of what the engine found, and claims memory for them. Any thread may call.
abstract sealed class KeyOperations {

    // Constant.
    final AnswerMemory memory;
    final ExpectedAnswer expected = new ExpectedAnswer();

    private KeyOperations(AnswerMemory memory) {
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

    /// Carries a read out as far as that is possible without blocking; throws nothing.
    abstract Progress tryGet(Call call, Request.Get get);

    /// Whether the engine would wait for a disk to judge a condition on a key, and all other writes with it.
    abstract boolean isCold(byte[] key);

    /// Reads what a condition on a key needs into memory; may block. What goes wrong shows when it is judged.
    abstract void warm(byte[] key);

    /// Hands a write to the engine, which delivers it through the mailbox.
    abstract void submit(EntityWrite write, Call call);

    /// How many replicas a request may ask for.
    abstract int replicas();

    /// Whether a value that was found is wanted; claims memory for one that is.
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

    /// Whether a value of this version is the answer to a request.
    private static boolean isForValue(Request.Get get, long version) {
        return !get.describes()
                && switch (get.precondition()) {
                    case Precondition.Plain.NONE, Precondition.Plain.PRESENT -> true;
                    case Precondition.Plain.ABSENT -> false;
                    case Precondition.VersionIn(long[] wanted) -> contains(wanted, version);
                    case Precondition.VersionNotIn(long[] known) -> !contains(known, version);
                };
    }

    private static Outcome withoutValue(Request.Get get, long version, int length) {
        return switch (get.precondition()) {
            case Precondition.Plain.NONE, Precondition.Plain.PRESENT -> new Outcome.Described(version, length);
            case Precondition.Plain.ABSENT -> new Outcome.NotModified(version, length);
            case Precondition.VersionIn(long[] wanted) ->
                contains(wanted, version) ? new Outcome.Described(version, length) : Outcome.Plain.PRECONDITION_FAILED;
            case Precondition.VersionNotIn(long[] known) ->
                contains(known, version)
                        ? new Outcome.NotModified(version, length)
                        : new Outcome.Described(version, length);
        };
    }

    private static boolean contains(long[] versions, long version) {
        for (long each : versions) {
            if (each == version) {
                return true;
            }
        }
        return false;
    }

    /// With an engine that answers at once. It has no network and one replica, so that what a request asks of those
    /// means nothing to it.
    ///
    /// It is told which values are wanted: none where the client asks for less, and none for which there is
    /// no memory, which is claimed when the length is known and the value has not been read. Only while values
    /// are short it is not told, because that would cost more than they take.
    static final class Local extends KeyOperations {

        private final LocalEngine engine;

        private Local(LocalEngine engine, AnswerMemory memory) {
            super(memory);
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

        /// Whether the value is wanted, whatever it is.
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
    }

    /// With an engine that answers later: whichever thread has the call hands it over and waits for nothing.
    ///
    /// It sends a value at once: memory for one as long as the last ones is claimed before it is asked. Where
    /// there is none, one read at a time goes on all the same: it may be for a short value.
    static final class Remote extends KeyOperations {

        /// Instead of a claim: it goes without one.
        private static final int UNCLAIMED = -1;

        private final RemoteEngine engine;
        private final Semaphore unclaimed = new Semaphore(1);

        private Remote(RemoteEngine engine, AnswerMemory memory) {
            super(memory);
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

        /// The value is there, or there is none.
        private void arrived(int claim) {
            if (claim == UNCLAIMED) {
                unclaimed.release();
            } else {
                memory.arriving().release(claim);
            }
        }

        @Override
        boolean isCold(byte[] key) {
            return false; // its replicas judge
        }

        @Override
        void warm(byte[] key) {
            // Nothing of it is in this process.
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

            /// @param claim on memory for what arrives, or [#UNCLAIMED]
            RemoteRead(Call call, Request.Get get, int claim) {
                super(get.key());
                this.call = call;
                this.get = get;
                this.claim = claim;
            }

            /// Once it has been answered, the call is not the engine's any more.
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
                    call.mailbox().deliver(this);
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

    /// How long the next value may be, judged by the last ones: while they are long, memory is claimed before a value
    /// is read, because afterwards it is there already.
    ///
    /// Any thread may call; races cost precision only. Small values cost one read of a field.
    public static final class ExpectedAnswer {

        /// Values up to this length are bounded well enough by the threads that read.
        public static final int SMALL_BYTES = 64 << 10;

        /// A smaller value takes a sixteenth of the expectation away.
        private static final int DECAY_SHIFT = 4;

        private volatile int bytes;

        /// What to claim; 0 for nothing.
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
}
