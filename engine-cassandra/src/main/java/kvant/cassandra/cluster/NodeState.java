package kvant.cassandra.cluster;

import java.util.Locale;

/// What a node of the cluster does.
public enum NodeState {
    /// No process.
    DOWN,
    /// A process that takes no clients yet.
    STARTING,
    /// Takes clients.
    UP,
    /// Stopped by a signal, until it is resumed.
    PAUSED;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
