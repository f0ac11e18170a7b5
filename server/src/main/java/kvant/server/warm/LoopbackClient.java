package kvant.server.warm;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Asks a node in the same process, through the sockets that other clients use: a request on each of a few
/// connections, then their answers. Belongs to one thread.
final class LoopbackClient implements AutoCloseable {

    static final int CONNECTIONS = 16;

    /// Answers of a round that take longer are not waited for: the node has to become ready.
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    // Constant.
    private final List<Socket> sockets = new ArrayList<>();
    private final WarmUpRequests requests;
    private final AnswerEnd answer = new AnswerEnd();
    private final byte[] in = new byte[64 << 10];

    private long answered;

    LoopbackClient(int port, String token) throws IOException {
        requests = new WarmUpRequests(token);
        boolean connected = false;
        try {
            for (int i = 0; i < CONNECTIONS; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
                sockets.add(socket);
                socket.setTcpNoDelay(true);
            }
            connected = true;
        } finally {
            if (!connected) {
                close();
            }
        }
    }

    /// How many requests were answered so far, whatever with.
    long answered() {
        return answered;
    }

    /// @throws java.net.SocketTimeoutException when an answer was late
    void round() throws IOException {
        long endNanos = System.nanoTime() + PATIENCE.toNanos();
        for (Socket socket : sockets) {
            socket.getOutputStream().write(requests.next());
        }
        for (Socket socket : sockets) {
            InputStream stream = socket.getInputStream();
            answer.begin();
            int count;
            do {
                socket.setSoTimeout(Math.clamp(
                        TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime()), 1, (int) PATIENCE.toMillis()));
                count = stream.read(in);
                if (count < 0) {
                    throw new EOFException("a connection of the warm-up was closed");
                }
            } while (!answer.isWhole(in, count));
            answered++;
        }
    }

    @Override
    public void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
