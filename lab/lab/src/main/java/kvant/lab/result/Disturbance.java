package kvant.lab.result;

import java.util.EnumSet;
import java.util.Set;
import kvant.load.host.HostFacts;

/// Who took processors away while a step was measured.
public enum Disturbance {
    /// The host of a virtual machine, which gives them to others.
    STOLEN,
    /// Other processes.
    OTHERS;

    /// What disturbed a step; nothing where no more was taken away, or where it is not known how much.
    ///
    /// @param served how many processors ran the code of the server, NaN where that is not known
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
