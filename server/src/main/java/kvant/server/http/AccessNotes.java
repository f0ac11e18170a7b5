package kvant.server.http;

import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.List;
import kvant.server.accesslog.AccessNote;
import kvant.server.accesslog.AccessQueue;
import kvant.server.http.answer.AnswerWriter;
import kvant.server.http.contract.Method;
import kvant.server.http.parse.RequestHead;
import kvant.server.resp.Commands;
import kvant.server.service.StageClock;
import org.jspecify.annotations.Nullable;

/// Tells the access log what became of the requests of one connection. Owned by its event loop.
final class AccessNotes {

    private static final byte[] NO_KEY = {};
    private static final String RESP_PATH = "/resp";
    private static final String RESP_KEY = "id";

    // Constant.
    private final AccessQueue queue;
    private final AnswerWriter writer;
    private final String client;

    // Owned by the event loop.
    private final ArrayDeque<Exchange> answered = new ArrayDeque<>(4);
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

    /// A request has begun. Whoever reads the log asks for it by its id, so that its answer has one.
    void begin(Exchange exchange, RequestHead head, long readNanos) {
        exchange.name();
        byte[] key = head.key();
        exchange.note(new AccessNote(new AccessNote.Asked(
                client,
                head.tokenName(),
                head.method().name(),
                head.path(),
                key == null ? "" : head.keyParameter(),
                key == null ? NO_KEY : key,
                head.isHttp10() ? "HTTP/1.0" : "HTTP/1.1",
                readNanos)));
    }

    /// A command of RESP has begun. The words of one that is not known are its client's, and may be a key or a secret:
    /// none of them is told.
    ///
    /// @param token name of its token, or `-`
    void begin(RespExchange exchange, String token, List<byte[]> words, long readNanos) {
        exchange.name();
        String command = Commands.nameOf(words);
        byte[] key = Commands.onlyKeyOf(words);
        exchange.note(new AccessNote(new AccessNote.Asked(
                client,
                token,
                command == null ? Method.OTHER.name() : command,
                command == null ? "" : RESP_PATH,
                key == null ? "" : RESP_KEY,
                key == null ? NO_KEY : key,
                exchange.isResp3() ? "RESP3" : "RESP2",
                readNanos)));
    }

    /// All of its answer has been written, and not yet sent.
    void answered(Exchange exchange) {
        long bytes = writer.writtenBytes();
        exchange.note().answered(writer.status(exchange), bytes - writtenBytes);
        writtenBytes = bytes;
        answered.add(exchange);
    }

    /// What was written has been sent, as far as the kernel took it.
    void flushed(long nowNanos) {
        for (Exchange exchange = answered.poll(); exchange != null; exchange = answered.poll()) {
            AccessNote note = exchange.note();
            if (exchange.hasStages() && StageClock.RUNS) {
                note.stages(new AccessNote.Stages(
                        exchange.queuedNanos() - exchange.readNanos(),
                        exchange.startedNanos() - exchange.queuedNanos(),
                        exchange.doneNanos() - exchange.startedNanos(),
                        exchange.settledNanos() - exchange.doneNanos(),
                        nowNanos - exchange.settledNanos()));
            }
            ended(exchange, nowNanos);
        }
    }

    /// The connection has ended before its answer.
    void abandoned(Exchange exchange, long nowNanos) {
        flushed(nowNanos);
        ended(exchange, nowNanos);
    }

    private void ended(Exchange exchange, long nowNanos) {
        exchange.note().ended(exchange.trace(), nowNanos);
        queue.add(exchange.note());
    }
}
