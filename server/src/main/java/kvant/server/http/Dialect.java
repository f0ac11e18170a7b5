package kvant.server.http;

import io.netty.channel.Channel;
import kvant.server.admit.MemoryReservation;
import kvant.server.http.answer.AnswerWriter;
import kvant.server.http.parse.InputReader;

/// The protocol of a listener's clients: it turns their bytes into requests, and answers into bytes. Everything else
/// of a connection is the same for all protocols.
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

    /// Creates the reader for the bytes of one connection.
    ///
    /// @param pipeline receives its requests
    /// @param unread reservation for input that is held unread
    /// @param body reservation for the request being received
    InputReader reader(
            Channel channel, LoopContext loop, Pipeline pipeline, MemoryReservation unread, MemoryReservation body);
}
