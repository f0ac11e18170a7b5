package kvant.server.warm;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/// Asks a node in the same process, through the sockets that other clients use: a request on each of a few
/// connections, then their answers. Belongs to one thread.
final class LoopbackClient implements AutoCloseable {

    private static final int CONNECTIONS = 16;

    // Constant.
    private final List<SocketChannel> channels = new ArrayList<>();
    private final WarmUpRequests requests;
    private final AnswerEnd answer = new AnswerEnd();
    private final ByteBuffer in = ByteBuffer.allocateDirect(64 << 10);
    private final ByteBuffer out = ByteBuffer.allocateDirect(64 << 10);

    LoopbackClient(int port, String token) throws IOException {
        requests = new WarmUpRequests(token);
        boolean connected = false;
        try {
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            for (int i = 0; i < CONNECTIONS; i++) {
                channels.add(SocketChannel.open(address));
            }
            connected = true;
        } finally {
            if (!connected) {
                close();
            }
        }
    }

    /// @return how many requests were answered, whatever with
    int round() throws IOException {
        for (SocketChannel channel : channels) {
            out.clear().put(requests.next()).flip();
            while (out.hasRemaining()) {
                channel.write(out);
            }
        }
        for (SocketChannel channel : channels) {
            answer.begin();
            do {
                if (channel.read(in.clear()) < 0) {
                    throw new EOFException("a connection of the warm-up was closed");
                }
            } while (!answer.isWhole(in.flip()));
        }
        return channels.size();
    }

    @Override
    public void close() throws IOException {
        for (SocketChannel channel : channels) {
            channel.close();
        }
    }
}
