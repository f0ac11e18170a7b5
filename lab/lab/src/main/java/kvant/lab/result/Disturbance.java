package kvant.lab.result;

import java.util.EnumSet;
import java.util.Set;
import kvant.load.host.HostFacts;

/// The cause of processor time missing during a step.
public enum Disturbance {
    /// The host of a virtual machine, which runs others.
    STOLEN,
    /// Other processes.
    OTHERS;

    /// The causes that disturbed a step; empty below the limit, or if the figures are unknown.
    ///
    /// @param served average number of processors in the server's user mode, NaN if unknown
    /// @param above share that may be taken away; NaN for any
    public static Set<Disturbance> of(HostFacts host, double served, double above) {
        Set<Disturbance> found = EnumSet.noneOf(Disturbance.class);
        if (host.stolenOfWanted() > above) {
            found.add(STOLEN);
        }
        if (host.foreignShare(served) > above) {
            found.add(OTHERS);
        }
        return found;
    }
}
