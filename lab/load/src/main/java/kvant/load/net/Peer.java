package kvant.load.net;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/// The server for all connections of a loop.
///
/// @param host its name in the URL, without brackets: the name that its certificate must match
/// @param trust null without TLS
public record Peer(
        InetSocketAddress address, String host, @Nullable Trust trust) {}
