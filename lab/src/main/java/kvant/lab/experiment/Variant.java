package kvant.lab.experiment;

/// One of the things that an experiment compares.
///
/// @param titleRu empty where there is none
/// @param connections that load it in every phase, or 0 where the phases say
public record Variant(String name, String title, String titleRu, int connections, Server server) {

    /// How many connections load it in a phase.
    public int connections(Phase phase) {
        return connections > 0 ? connections : phase.clients().connections();
    }
}
