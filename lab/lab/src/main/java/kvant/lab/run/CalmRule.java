package kvant.lab.run;

import java.util.function.BooleanSupplier;
import kvant.lab.experiment.HostBound;
import kvant.load.loop.StopSwitch;

/// Whether what was disturbed from outside is measured once more: a step, or a turn of an interleaved round.
///
/// Owned by the thread of the run.
final class CalmRule {

    /// Measurements in a row that were never calm: then that is what the host is like, and no time is spent on more
    /// attempts until one is calm.
    static final int MOST_NEVER_CALM = 3;

    private final HostBound bound;
    private final StopSwitch stop;
    private final BooleanSupplier hasTime;
    private int neverCalm;

    /// @param bound what the run settled when it began
    /// @param hasTime whether there is time for another attempt
    CalmRule(HostBound bound, StopSwitch stop, BooleanSupplier hasTime) {
        this.bound = bound;
        this.stop = stop;
        this.hasTime = hasTime;
    }

    HostBound bound() {
        return bound;
    }

    /// Whether there may be another attempt after a disturbed one.
    ///
    /// @param discarded how many there were before that
    boolean allowsAnother(int discarded) {
        return discarded < bound.again() && neverCalm < MOST_NEVER_CALM && hasTime.getAsBoolean() && !stop.isStopped();
    }

    /// Takes note of the attempt that counts.
    ///
    /// @param discarded how many there were before it
    void ended(boolean calm, int discarded) {
        if (calm) {
            neverCalm = 0;
        } else if (discarded > 0 && discarded == bound.again()) {
            neverCalm++;
        }
    }
}
