package kvant.server.http;

import java.net.InetSocketAddress;
import kvant.server.http.contract.Exposure;

/// Where and how a node listens.
///
/// @param eventLoops threads that read and write sockets
/// @param exposure what is shown, and under which names
public record ListenOptions(InetSocketAddress address, Transport transport, int eventLoops, Exposure exposure) {}
