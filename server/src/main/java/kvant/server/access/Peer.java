package kvant.server.access;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// The other end of a connection, as named in the audit log.
///
/// @param address and port of the client, or its origin where it has none
/// @param subject of the client's certificate, or empty
public record Peer(String address, String subject) {

    /// A user of the control socket in the data directory.
    public static final Peer CONTROL = new Peer("control", "");

    private static final Peer LOCAL = new Peer("local", "");

    public static Peer of(@Nullable SocketAddress client, String subject) {
        return client instanceof InetSocketAddress remote && remote.getAddress() != null
                ? new Peer(remote.getAddress().getHostAddress() + ":" + remote.getPort(), subject)
                : LOCAL;
    }

    /// The peer without its port: a client that reconnects from another port is the same peer.
    String withoutPort() {
        return address.substring(0, Math.max(address.lastIndexOf(':'), 0)) + " " + subject;
    }

    /// The peer as written in a log line.
    @Override
    public String toString() {
        return subject.isEmpty() ? address : address + " subject=" + AuditLog.quoted(subject);
    }
}
