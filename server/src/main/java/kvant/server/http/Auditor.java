package kvant.server.http;

import io.netty.channel.Channel;
import kvant.server.access.AccessControl;
import kvant.server.access.AuditLog;
import kvant.server.http.contract.Problem;
import kvant.server.http.parse.RequestHead;

/// Tells the account of those who were refused, and of administrative requests, about a request.
final class Auditor {

    private Auditor() {}

    static void tell(AccessControl access, RequestHead head, Channel channel) {
        Problem refusal = head.refusal();
        AccessControl.Reason reason = refusal == null ? null : refusal.reasonOfAccess();
        if (reason != null) {
            access.refused(reason, head.what(), head.tokenName(), AuditLog.address(channel.remoteAddress()));
        } else if (refusal == null) {
            String from = AuditLog.address(channel.remoteAddress());
            if (head.isWrite()) {
                access.changed(head.what(), head.tokenName(), from);
            } else {
                access.administrative(head.what(), head.tokenName(), from);
            }
        }
    }
}
