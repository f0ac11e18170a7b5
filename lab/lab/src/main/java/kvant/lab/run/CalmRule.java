package kvant.lab.run;

import java.util.function.BooleanSupplier;
import kvant.lab.experiment.HostBound;
import kvant.load.loop.StopSwitch;

/// Decides whether a disturbed step, or a disturbed turn of an interleaved round, is measured again.
///
/// Belongs to the thread of the run.
final class CalmRule {

    /// Number of consecutive measurements that were never calm after which no more time is spent on repetitions: the
    /// host is always like that.
    static final int MOST_NEVER_CALM = 3;

    private final HostBound bound;
    private final StopSwitch stop;
    private final BooleanSupplier hasTime;
    private int neverCalm;

    /// @param bound rule fixed at the start of the run
    /// @param hasTime whether there is time for another attempt
    CalmRule(HostBound bound, StopSwitch stop, BooleanSupplier hasTime) {
        this.bound = bound;
        this.stop = stop;
        this.hasTime = hasTime;
    }

    HostBound bound() {
        return bound;
    }

    /// True if another attempt may follow a disturbed one.
    ///
    /// @param discarded number of earlier attempts
    boolean allowsAnother(int discarded) {
        return discarded < bound.again() && neverCalm < MOST_NEVER_CALM && hasTime.getAsBoolean() && !stop.isStopped();
    }

    /// Notes the attempt that counts.
    ///
    /// @param discarded number of earlier attempts
    void ended(boolean calm, int discarded) {
        if (calm) {
            neverCalm = 0;
        } else if (discarded > 0 && discarded == bound.again()) {
            neverCalm++;
        }
    }
}
