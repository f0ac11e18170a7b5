package kvant.cluster;

import java.util.Locale;

/// State of a node of the cluster.
public enum NodeState {
    /// No process.
    DOWN,
    /// A process that does not accept clients yet.
    STARTING,
    /// Accepts clients.
    UP,
    /// Stopped by a signal, until it is resumed.
    PAUSED;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
