package kvant.server.http.contract;

/// What a node shows, and under which names.
///
/// @param hosts which hosts a request may name
/// @param slowPage whether there is `/debug/slow`, which shows keys to whoever asks
/// @param paths what is left out of every text
public record Exposure(ServedHosts hosts, boolean slowPage, HiddenPaths paths) {}
