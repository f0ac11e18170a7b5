package kvant.lab.experiment;

import java.util.List;

/// One of the alternatives that an experiment compares.
///
/// @param titleRu empty if there is none
/// @param connections number in every phase, or 0 for that of the phase
/// @param phases its only loads; empty for all
public record Variant(String name, String title, String titleRu, int connections, List<String> phases, Server server) {

    public Variant {
        phases = List.copyOf(phases);
    }

    /// A variant with all loads.
    public Variant(String name, String title, String titleRu, int connections, Server server) {
        this(name, title, titleRu, connections, List.of(), server);
    }

    /// The number of connections in a phase.
    public int connections(Phase phase) {
        return connections > 0 ? connections : phase.clients().connections();
    }

    /// Whether it has this load.
    public boolean gets(String phase) {
        return phases.isEmpty() || phases.contains(phase);
    }

    /// With these loads; empty for all.
    Variant with(List<String> loads) {
        return new Variant(name, title, titleRu, connections, loads, server);
    }

    /// Restricted to these loads.
    Variant among(List<String> loads) {
        List<String> left = phases.stream().filter(loads::contains).toList();
        return new Variant(name, title, titleRu, connections, left, server);
    }
}
