package kvant.server.service;

import java.util.concurrent.Semaphore;
import kvant.engine.Lookup;
import kvant.engine.ValueFilter;
import kvant.server.admit.AnswerMemory;
import kvant.server.admit.ExpectedAnswer;
import kvant.server.request.Failures;
import kvant.server.request.Outcome;
import kvant.server.request.Precondition;
import kvant.server.request.Request;

/// Makes answers to gets of what the engine found, and claims memory for them.
///
/// An engine of this process is told which values are wanted: none where the client asks for less, and none for which
/// there is no memory, which is claimed when the length is known and the value has not been read. Only while values are
/// short it is not told, because that would cost more than they take.
///
/// A remote engine sends the value at once. Memory for one as long as the last ones is claimed before it is asked.
/// Where
/// there is none, one read at a time goes on all the same: it may be for a short value.
///
/// Any thread may call.
final class GetAnswers {

    /// Instead of a claim: there is no memory, nor is it this read's turn to go without.
    static final int REFUSED = -1;

    /// Instead of a claim: it goes without one.
    private static final int UNCLAIMED = -2;

    // Constant.
    private final AnswerMemory memory;
    private final ExpectedAnswer expected = new ExpectedAnswer();
    private final Semaphore unclaimed = new Semaphore(1);

    GetAnswers(AnswerMemory memory) {
        this.memory = memory;
    }

    /// Whether the value is wanted, whatever it is.
    boolean takesAnyValue(Request.Get get) {
        return expected.bytes() == 0 && get.isPlain();
    }

    /// Which value is wanted; claims memory for one that is.
    ValueFilter filter(Call call, Request.Get get) {
        return (version, length) -> wants(call, get, version, length);
    }

    boolean wants(Call call, Request.Get get, long version, int length) {
        return isForValue(get, version) && call.claimAnswer(memory, length);
    }

    /// Claims memory for a value that a remote engine is asked for.
    ///
    /// @return what to give back by [#arrived], or [#REFUSED]
    int expect() {
        int bytes = expected.bytes();
        if (bytes == 0 || memory.arriving().claim(bytes, 0)) {
            return bytes;
        }
        return unclaimed.tryAcquire() ? UNCLAIMED : REFUSED;
    }

    /// The value is there, or there is none.
    void arrived(int claim) {
        if (claim == UNCLAIMED) {
            unclaimed.release();
        } else {
            memory.arriving().release(claim);
        }
    }

    Outcome of(Call call, Request.Get get, Lookup lookup) {
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
                yield missed(get.precondition());
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

    private static Outcome missed(Precondition precondition) {
        boolean needsValue =
                precondition == Precondition.Plain.PRESENT || precondition instanceof Precondition.VersionIn;
        return needsValue ? Outcome.Plain.PRECONDITION_FAILED : Outcome.Plain.ABSENT;
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
