package kvant.server.http;

import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.util.List;
import kvant.server.access.AccessControl;
import kvant.server.access.Peer;
import kvant.server.accesslog.AccessLog.AccessQueue;
import kvant.server.accesslog.AccessNote;
import kvant.server.http.answer.Answer;
import kvant.server.http.answer.AnswerWriter;
import kvant.server.http.contract.Method;
import kvant.server.http.contract.Problem;
import kvant.server.http.parse.RequestHead;
import kvant.server.http.tls.TlsFront;
import kvant.server.resp.Commands;
import kvant.server.service.Call;
import org.jspecify.annotations.Nullable;

/// Tells the access log what became of the requests of one connection, and [AccessControl] of those that were
/// refused or are administrative. Owned by its event loop.
final class AccessNotes {

    private static final byte[] NO_KEY = {};
    private static final String RESP_PATH = "/resp";
    private static final String RESP_KEY = "id";

    // Constant.
    private final AccessQueue queue;
    private final AnswerWriter writer;
    private final String client;

    // Owned by the event loop.
    private long writtenBytes;

    private AccessNotes(AccessQueue queue, AnswerWriter writer, String client) {
        this.queue = queue;
        this.writer = writer;
        this.client = client;
    }

    /// @return null where there is no access log
    static @Nullable AccessNotes of(@Nullable AccessQueue queue, Channel channel, AnswerWriter writer) {
        return queue == null ? null : new AccessNotes(queue, writer, clientOf(channel));
    }

    private static String clientOf(Channel channel) {
        return channel.remoteAddress() instanceof InetSocketAddress remote && remote.getAddress() != null
                ? remote.getAddress().getHostAddress()
                : "local";
    }

    /// Begins the note of a request.
    AccessNote begin(RequestHead head, long readNanos) {
        byte[] key = head.key();
        return new AccessNote(new AccessNote.Asked(
                client,
                head.tokenName(),
                head.method().name(),
                head.path(),
                key == null ? "" : head.keyParameter(),
                key == null ? NO_KEY : key,
                head.isHttp10() ? "HTTP/1.0" : "HTTP/1.1",
                readNanos));
    }

    /// Begins the note of a RESP command. The words of an unknown command are the client's own, and may be a key or a
    /// secret: none of them is logged.
    ///
    /// @param token name of its token, or `-`
    AccessNote begin(String token, List<byte[]> words, boolean resp3, long readNanos) {
        String command = Commands.nameOf(words);
        byte[] key = Commands.onlyKeyOf(words);
        return new AccessNote(new AccessNote.Asked(
                client,
                token,
                command == null ? Method.OTHER.name() : command,
                command == null ? "" : RESP_PATH,
                key == null ? "" : RESP_KEY,
                key == null ? NO_KEY : key,
                resp3 ? "RESP3" : "RESP2",
                readNanos));
    }

    /// Records an answer that has been written, and not yet sent.
    void answered(AccessNote note, Answer answer) {
        long bytes = writer.writtenBytes();
        note.answered(writer.status(answer), bytes - writtenBytes);
        writtenBytes = bytes;
    }

    /// Handles a sent answer, as far as the kernel has taken it.
    ///
    /// @param staged whether the stages of the call are those of the request
    void sent(AccessNote note, Call call, boolean staged, long nowNanos) {
        if (staged) {
            note.stages(new AccessNote.Stages(
                    call.queuedNanos() - call.readNanos(),
                    call.startedNanos() - call.queuedNanos(),
                    call.doneNanos() - call.startedNanos(),
                    call.settledNanos() - call.doneNanos(),
                    nowNanos - call.settledNanos()));
        }
        ended(note, call, nowNanos);
    }

    /// Completes the note: the answer has been sent, or the connection has ended before that.
    void ended(AccessNote note, Call call, long nowNanos) {
        note.ended(call.trace(), nowNanos);
        queue.add(note);
    }

    // --- The audit log ---

    /// The client of a connection.
    static Peer peer(Channel channel) {
        return Peer.of(channel.remoteAddress(), TlsFront.subject(channel));
    }

    /// Reports a refused or administrative request to [AccessControl].
    static void audit(AccessControl access, RequestHead head, Channel channel) {
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
