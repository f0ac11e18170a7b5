package kvant.lab.experiment;

import java.util.List;

/// One of the things that an experiment compares.
///
/// @param titleRu empty where there is none
/// @param connections that load it in every phase, or 0 where the phases say
/// @param phases the only loads that it gets; empty for all
public record Variant(String name, String title, String titleRu, int connections, List<String> phases, Server server) {

    public Variant {
        phases = List.copyOf(phases);
    }

    /// One that gets all loads.
    public Variant(String name, String title, String titleRu, int connections, Server server) {
        this(name, title, titleRu, connections, List.of(), server);
    }

    /// How many connections load it in a phase.
    public int connections(Phase phase) {
        return connections > 0 ? connections : phase.clients().connections();
    }

    /// Whether it gets this load.
    public boolean gets(String phase) {
        return phases.isEmpty() || phases.contains(phase);
    }

    /// With these loads; empty for all.
    Variant with(List<String> loads) {
        return new Variant(name, title, titleRu, connections, loads, server);
    }

    /// With no other loads than these.
    Variant among(List<String> loads) {
        List<String> left = phases.stream().filter(loads::contains).toList();
        return new Variant(name, title, titleRu, connections, left, server);
    }
}
