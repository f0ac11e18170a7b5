package kvant.server.http;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import kvant.server.http.contract.Exposure;
import kvant.server.http.tls.TlsFront;
import org.jspecify.annotations.Nullable;

/// Where and how a node listens.
///
/// @param address of a network, or of a Unix socket, for which there is the transport NIO alone
/// @param eventLoops threads that read and write sockets
/// @param name of those threads
/// @param exposure what is shown, to whom, and under which names
/// @param tls secures connections, or null
public record ListenOptions(
        SocketAddress address,
        Transport transport,
        int eventLoops,
        String name,
        Exposure exposure,
        @Nullable TlsFront tls) {

    boolean isUnix() {
        return !(address instanceof InetSocketAddress);
    }
}
