package kvant.server.http;

import io.netty.channel.Channel;
import java.time.InstantSource;
import kvant.server.admit.Claim;
import kvant.server.http.answer.AnswerWriter;
import kvant.server.http.contract.HiddenPaths;
import kvant.server.http.parse.InputReader;
import kvant.server.resp.Commands;
import kvant.server.resp.Cursors;
import kvant.server.resp.Facts;
import kvant.server.resp.Hidden;
import kvant.server.resp.RespFigures;
import kvant.server.resp.RespWriter;
import kvant.server.resp.Session;
import kvant.server.resp.Updates;
import kvant.server.resp.parse.RespReader;

/// RESP, the protocol of Redis, as the connections of one event loop speak it. Owned by that loop.
final class RespDialect implements Dialect {

    // Constant.
    private final Commands commands;
    private final Updates updates;
    private final Facts facts;
    private final RespFigures figures;

    /// @param clock wall clock, for the life time of values
    /// @param paths left out of what an engine says
    /// @param cursors of all loops
    /// @param facts of all loops
    /// @param figures of all loops
    RespDialect(
            LoopContext loop,
            InstantSource clock,
            HiddenPaths paths,
            Cursors cursors,
            Facts facts,
            RespFigures figures) {
        Hidden hidden = new Hidden(paths);
        this.commands =
                new Commands(clock, hidden, cursors, facts, loop.limits().maxKeyBytes());
        this.updates = new Updates(loop.handler(), loop.mailbox(), loop.figures(), clock, hidden);
        this.facts = facts;
        this.figures = figures;
    }

    @Override
    public AnswerWriter writer(Channel channel, LoopContext loop) {
        return new RespWriter(channel, figures);
    }

    @Override
    public InputReader reader(Channel channel, LoopContext loop, Pipeline pipeline, Claim unread, Claim body) {
        figures.opened();
        channel.closeFuture().addListener(_ -> figures.closed());
        Session session = new Session(
                loop.access(), () -> Auditor.peer(channel), facts.ids().incrementAndGet());
        return new RespReader(
                new RespRequests(session, commands, updates, loop, pipeline), loop.limits(), unread, body);
    }
}
