package kvant.server.http;

import io.netty.channel.Channel;
import kvant.server.access.AccessControl;
import kvant.server.access.Peer;
import kvant.server.http.contract.Problem;
import kvant.server.http.parse.RequestHead;
import kvant.server.http.tls.TlsFront;

/// Reports refused and administrative requests to [AccessControl].
final class Auditor {

    private Auditor() {}

    /// The client of a connection.
    static Peer peer(Channel channel) {
        return Peer.of(channel.remoteAddress(), TlsFront.subject(channel));
    }

    static void tell(AccessControl access, RequestHead head, Channel channel) {
        Problem refusal = head.refusal();
        AccessControl.Reason reason = refusal == null ? null : refusal.reasonOfAccess();
        if (reason != null) {
            access.refused(reason, head.what(), head.tokenName(), peer(channel));
        } else if (refusal == null) {
            Peer from = peer(channel);
            if (head.isWrite()) {
                access.changed(head.what(), head.tokenName(), from);
            } else {
                access.administrative(head.what(), head.tokenName(), from);
            }
        }
    }
}
