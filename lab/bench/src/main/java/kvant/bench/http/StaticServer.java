package kvant.bench.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/// The least that answers HTTP: one selector loop that sends the same bytes for every empty line that it reads. A
/// baseline where nginx is not installed; not a real server.
final class StaticServer {

    private static final int REQUEST_BYTES = 64 << 10;
    private static final int EMPTY_LINE = 0x0d0a0d0a;

    private StaticServer() {}

    /// @param args port, bytes of the body
    public static void main(String[] args) throws IOException {
        int bodyBytes = Integer.parseInt(args[1]);
        byte[] answer = ("HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: " + bodyBytes
                        + "\r\n\r\n" + "v".repeat(bodyBytes))
                .getBytes(StandardCharsets.US_ASCII);
        try (Selector selector = Selector.open();
                ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0])));
            listener.configureBlocking(false);
            listener.register(selector, SelectionKey.OP_ACCEPT);
            ByteBuffer in = ByteBuffer.allocateDirect(REQUEST_BYTES);
            ByteBuffer out = ByteBuffer.allocateDirect(answer.length).put(answer);
            while (true) {
                selector.select(key -> serve(key, selector, in, out));
            }
        }
    }

    private static void serve(SelectionKey key, Selector selector, ByteBuffer in, ByteBuffer out) {
        try {
            if (key.channel() instanceof ServerSocketChannel listener) {
                SocketChannel client = listener.accept();
                client.configureBlocking(false);
                client.setOption(StandardSocketOptions.TCP_NODELAY, true);
                client.register(selector, SelectionKey.OP_READ);
            } else if (key.channel() instanceof SocketChannel client) {
                answer(client, in.clear(), out);
            }
        } catch (IOException _) {
            key.cancel();
        }
    }

    private static void answer(SocketChannel client, ByteBuffer in, ByteBuffer out) throws IOException {
        if (client.read(in) < 0) {
            client.close();
            return;
        }
        int last = 0;
        for (int i = 0; i < in.position(); i++) {
            last = last << 8 | in.get(i);
            if (last == EMPTY_LINE) {
                client.write(out.flip());
            }
        }
    }
}
