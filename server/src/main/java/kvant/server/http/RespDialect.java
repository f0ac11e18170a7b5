package kvant.server.http;

import io.netty.channel.Channel;
import kvant.server.admit.MemoryReservation;
import kvant.server.http.answer.AnswerWriter;
import kvant.server.http.parse.InputReader;
import kvant.server.resp.Commands;
import kvant.server.resp.ReadModifyWrite;
import kvant.server.resp.RespWriter;
import kvant.server.resp.Session;
import kvant.server.resp.parse.RespReader;

/// RESP, the protocol of Redis, as the connections of one event loop speak it. Owned by that loop.
final class RespDialect implements Dialect {

    // Constant.
    private final Commands commands;
    private final ReadModifyWrite updates;

    /// @param commands of all loops
    RespDialect(LoopContext loop, Commands commands) {
        this.commands = commands;
        this.updates = new ReadModifyWrite(commands, loop.handler(), loop.mailbox(), loop.figures());
    }

    @Override
    public AnswerWriter writer(Channel channel, LoopContext loop) {
        return new RespWriter(channel, loop.answers().waiting(), commands.figures());
    }

    @Override
    public InputReader reader(
            Channel channel, LoopContext loop, Pipeline pipeline, MemoryReservation unread, MemoryReservation body) {
        Session session = commands.session(loop.access(), () -> Auditor.peer(channel));
        RespRequests requests = new RespRequests(session, commands, updates, loop, pipeline);
        channel.closeFuture().addListener(_ -> {
            commands.figures().closed();
            requests.closed();
        });
        return new RespReader(requests, loop.limits(), unread, body);
    }
}
