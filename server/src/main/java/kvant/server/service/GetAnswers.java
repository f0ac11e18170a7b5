package kvant.server.service;

import java.util.concurrent.Semaphore;
import kvant.engine.Lookup;
import kvant.server.admit.ExpectedAnswer;
import kvant.server.admit.MemoryBudget;
import kvant.server.request.Failures;
import kvant.server.request.Outcome;
import kvant.server.request.Precondition;
import kvant.server.request.Request;

/// Makes answers to gets of what the engine found, and claims memory for them.
///
/// Memory is claimed before the engine is asked, because afterwards the value is there, claimed or not. Where there
/// is none for a value as long as the last ones, one read at a time goes on all the same: it may be for a short
/// one.
///
/// Any thread may call.
final class GetAnswers {

    // Constant.
    private final MemoryBudget budget;
    private final ExpectedAnswer expected = new ExpectedAnswer();
    private final Semaphore unclaimed = new Semaphore(1);

    GetAnswers(MemoryBudget budget) {
        this.budget = budget;
    }

    /// Claims memory for a value as long as the last ones.
    ///
    /// @return false when there is none
    boolean claim(Call call) {
        int bytes = expected.bytes();
        return bytes == 0 || call.claimAnswer(budget, bytes);
    }

    /// Lets one read at a time go on without a claim; it leaves with [#leaveUnclaimed].
    boolean enterUnclaimed() {
        return unclaimed.tryAcquire();
    }

    void leaveUnclaimed() {
        unclaimed.release();
    }

    Outcome of(Call call, Request.Get get, Lookup lookup) {
        return switch (lookup) {
            case Lookup.Found(byte[] value, long version) -> {
                expected.seen(value.length);
                yield call.claimAnswer(budget, value.length)
                        ? found(get.precondition(), value, version)
                        : Failures.OVERLOADED;
            }
            case Lookup.Miss _ -> {
                call.claimAnswer(budget, 0);
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

    private static boolean contains(long[] versions, long version) {
        for (long each : versions) {
            if (each == version) {
                return true;
            }
        }
        return false;
    }
}
