package kvant.server.access;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// Who is at the other end of a connection, as lines of the audit log name him.
///
/// @param address and port of the client, or where it comes from that has none
/// @param subject of the certificate that the client has shown, or empty
public record Peer(String address, String subject) {

    /// Whoever may use the control socket of the data directory.
    public static final Peer CONTROL = new Peer("control", "");

    private static final Peer LOCAL = new Peer("local", "");

    public static Peer of(@Nullable SocketAddress client, String subject) {
        return client instanceof InetSocketAddress remote && remote.getAddress() != null
                ? new Peer(remote.getAddress().getHostAddress() + ":" + remote.getPort(), subject)
                : LOCAL;
    }

    /// Whoever asks again from another port is not somebody else.
    String withoutPort() {
        return address.substring(0, Math.max(address.lastIndexOf(':'), 0)) + " " + subject;
    }

    /// As a line has it.
    @Override
    public String toString() {
        return subject.isEmpty() ? address : address + " subject=" + AuditLog.quoted(subject);
    }
}
