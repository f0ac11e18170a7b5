package kvant.load.net;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/// The server at the other end of all connections of a loop.
///
/// @param host its name in the URL, without brackets: what its certificate has to be for
/// @param trust null where it speaks no TLS
public record Peer(
        InetSocketAddress address, String host, @Nullable Trust trust) {}
