package kvant.server.http.contract;

/// What a node shows, and under which names.
///
/// @param hosts which hosts a request may name
/// @param slowPage whether there is `/debug/slow`, which shows keys to whoever asks
/// @param strictPaths whether every path where nothing is gets 400, and not those of the contract alone
/// @param paths what is left out of every text
public record Exposure(ServedHosts hosts, boolean slowPage, boolean strictPaths, HiddenPaths paths) {}
