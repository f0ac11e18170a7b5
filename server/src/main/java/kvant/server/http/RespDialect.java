package kvant.server.http;

import io.netty.channel.Channel;
import java.util.List;
import kvant.server.admit.MemoryReservation;
import kvant.server.http.answer.AnswerWriter;
import kvant.server.http.contract.Problem;
import kvant.server.http.parse.InputReader;
import kvant.server.resp.Action;
import kvant.server.resp.AllKeys;
import kvant.server.resp.Command;
import kvant.server.resp.Commands;
import kvant.server.resp.Errors;
import kvant.server.resp.ReadModifyWrite;
import kvant.server.resp.Reply;
import kvant.server.resp.RespWriter;
import kvant.server.resp.Session;
import kvant.server.resp.parse.CommandSink;
import kvant.server.resp.parse.RespReader;

/// RESP, the protocol of Redis, as the connections of one event loop speak it. Owned by that loop.
final class RespDialect {

    // Constant.
    private final Commands commands;
    private final ReadModifyWrite updates;

    /// @param commands of all loops
    RespDialect(LoopContext loop, Commands commands) {
        this.commands = commands;
        this.updates = new ReadModifyWrite(commands, loop.handler, loop.mailbox, loop.figures);
    }

    /// A writer for the replies of one connection.
    AnswerWriter writer(Channel channel, LoopContext loop) {
        return new RespWriter(channel, loop.memory.answers().waiting(), commands.figures());
    }

    /// A reader for the bytes of one connection.
    ///
    /// @param pipeline receives its commands
    InputReader reader(
            Channel channel, LoopContext loop, Pipeline pipeline, MemoryReservation unread, MemoryReservation body) {
        Session session = commands.session(loop.access, () -> AccessNotes.peer(channel));
        RespRequests requests = new RespRequests(session, commands, updates, loop, pipeline);
        channel.closeFuture().addListener(_ -> {
            commands.figures().closed();
            requests.closed();
        });
        return new RespReader(requests, loop.limits, unread, body);
    }

    /// The commands of one connection on their way into its [Pipeline]. Owned by the event loop.
    private static final class RespRequests implements CommandSink {

        // Constant.
        private final Session session;
        private final Commands commands;
        private final ReadModifyWrite updates;
        private final LoopContext loop;
        private final Pipeline pipeline;
        private final MemoryReservation queued;

        RespRequests(Session session, Commands commands, ReadModifyWrite updates, LoopContext loop, Pipeline pipeline) {
            this.session = session;
            this.commands = commands;
            this.updates = updates;
            this.loop = loop;
            this.pipeline = pipeline;
            this.queued = new MemoryReservation(loop.memory.bodies(), () -> {}); // of a slow client, the reader knows
        }

        @Override
        public boolean hasRoom() {
            return pipeline.hasRoom();
        }

        @Override
        public boolean isTrusted() {
            return session.isTrusted();
        }

        @Override
        public boolean command(List<byte[]> words, long claimedBytes) {
            Action action = commands.action(session, words);
            long claimed = claimedBytes;
            if (session.queued().bytes() != queued.bytes()) {
                if (action instanceof Action.Transaction && session.queued().bytes() < queued.bytes()) {
                    claimed += queued.handOver(); // its words
                }
                action = claimQueued(action);
            }
            RespExchange exchange = new RespExchange(loop, pipeline, updates, action, session.isResp3());
            pipeline.begin(exchange, session.user(), words, session.isResp3());
            switch (action) {
                case Reply _ -> {
                    loop.memory.bodies().release(claimed);
                    exchange.boundReply();
                }
                case Action.Change _, AllKeys _ -> pipeline.complete(exchange, RespExchange.NO_REQUEST, claimed);
                case Command command ->
                    pipeline.complete(
                            exchange, command.requests() == 1 ? command.request(0) : RespExchange.NO_REQUEST, claimed);
            }
            return Commands.isLast(words, action);
        }

        /// Claims the memory of the commands that a transaction has queued so far.
        private Action claimQueued(Action action) {
            int most = loop.limits.maxBodyBytes();
            boolean isTooLong = session.queued().bytes() > most;
            if (!isTooLong && queued.resize(session.queued().bytes())) {
                return action;
            }
            session.queued().refuse();
            queued.release();
            return isTooLong
                    ? Errors.tooLong("transaction of more than " + most + " bytes")
                    : Errors.of(Problem.OVERLOADED);
        }

        /// Releases the queued commands at the end of the connection.
        void closed() {
            queued.release();
        }

        @Override
        public void refuse(String tooLong) {
            session.queued().lost();
            queued.resize(session.queued().bytes());
            add(tooLong.isEmpty() ? Errors.of(Problem.OVERLOADED) : Errors.tooLong(tooLong));
        }

        @Override
        public void fail(Problem problem) {
            add(Errors.of(problem)).close();
        }

        @Override
        public void failProtocol(String what) {
            add(Errors.protocol(what)).close();
        }

        private RespExchange add(Reply reply) {
            RespExchange exchange = new RespExchange(loop, pipeline, updates, reply, session.isResp3());
            pipeline.begin(exchange, session.user(), List.of(), session.isResp3());
            return exchange;
        }
    }
}
