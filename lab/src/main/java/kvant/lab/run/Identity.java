package kvant.lab.run;

/// Which Kvant it is.
///
/// @param commit empty where it is not known
/// @param changed whether its sources differ from that commit
public record Identity(String version, String commit, boolean changed) {}
