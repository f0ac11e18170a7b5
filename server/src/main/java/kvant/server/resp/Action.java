package kvant.server.resp;

/// What a command of a client comes to: a reply at once, requests to the node, or a change that follows from what is
/// there, of one key or of several, or a series of requests.
public sealed interface Action permits Reply, Command, Update, Transaction, Series {}
