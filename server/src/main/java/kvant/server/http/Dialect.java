package kvant.server.http;

import io.netty.channel.Channel;
import kvant.server.admit.MemoryReservation;
import kvant.server.http.answer.AnswerWriter;
import kvant.server.http.parse.InputReader;

/// What the clients of a listener speak: how their bytes become requests, and answers their bytes. Everything else of a
/// connection is the same.
interface Dialect {

    /// HTTP/1.1.
    Dialect HTTP = new Dialect() {
        @Override
        public AnswerWriter writer(Channel channel, LoopContext loop) {
            return loop.writer(channel);
        }

        @Override
        public InputReader reader(
                Channel channel,
                LoopContext loop,
                Pipeline pipeline,
                MemoryReservation unread,
                MemoryReservation body) {
            return loop.reader(pipeline, unread, body);
        }
    };

    /// For the answers of one connection.
    AnswerWriter writer(Channel channel, LoopContext loop);

    /// For the bytes of one connection.
    ///
    /// @param pipeline where its requests go
    /// @param unread for what is held unread
    /// @param body for the request that is being received
    InputReader reader(
            Channel channel, LoopContext loop, Pipeline pipeline, MemoryReservation unread, MemoryReservation body);
}
