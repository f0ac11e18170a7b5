package kvant.prove.fault;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// NET: stands between clients and a node, and delays, half-closes or resets their connections, or keeps the answers
/// from them. Any thread may call.
public final class NetProxy implements AutoCloseable {

    private static final int BUFFER = 16 << 10;

    private final ServerSocket server = new ServerSocket(0, 128, InetAddress.getLoopbackAddress());

    /// By the connection of a client: the one to the node.
    private final Map<Socket, Socket> connections = new ConcurrentHashMap<>();

    private volatile InetSocketAddress node = new InetSocketAddress(0);
    private volatile long delayMillis;
    private volatile boolean answersLost;

    public NetProxy() throws IOException {
        Thread.ofVirtual().start(this::accept);
    }

    /// From now on new connections go to this node.
    ///
    /// @return what clients ask instead of it
    public URI before(URI address) {
        node = new InetSocketAddress(address.getHost(), address.getPort());
        return URI.create("http://127.0.0.1:" + server.getLocalPort());
    }

    /// Each piece of bytes waits so long from now on, in both directions.
    public void delay(long millis) {
        delayMillis = millis;
    }

    /// Requests reach the node, and answers go nowhere.
    public void loseAnswers(boolean lose) {
        answersLost = lose;
    }

    /// The node sees that its clients send nothing more.
    public void halfClose() {
        connections.values().forEach(socket -> quietly(socket::shutdownOutput));
    }

    /// Each connection ends by RST, on both sides.
    public void reset() {
        connections.forEach((client, upstream) -> reset(upstream, client));
    }

    private static void reset(Socket... both) {
        for (Socket socket : both) {
            quietly(() -> {
                socket.setSoLinger(true, 0);
                socket.close();
            });
        }
    }

    private interface Io {
        void run() throws IOException;
    }

    private static void quietly(Io io) {
        try {
            io.run();
        } catch (IOException _) {
            // closed meanwhile
        }
    }

    private void accept() {
        while (!server.isClosed()) {
            quietly(() -> {
                Socket client = server.accept();
                Thread.ofVirtual().start(() -> serve(client, new Socket()));
            });
        }
    }

    /// The last word of a connection is the node's.
    private void serve(Socket client, Socket upstream) {
        connections.put(client, upstream);
        quietly(() -> {
            upstream.connect(node);
            Thread.ofVirtual().start(() -> {
                try {
                    copy(client, upstream, false);
                    upstream.shutdownOutput();
                } catch (IOException _) {
                    reset(upstream, client);
                }
            });
            copy(upstream, client, true);
        });
        reset(upstream, client);
        connections.remove(client);
    }

    private void copy(Socket from, Socket to, boolean areAnswers) throws IOException {
        byte[] buffer = new byte[BUFFER];
        InputStream in = from.getInputStream();
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(delayMillis));
            if (!(areAnswers && answersLost)) {
                to.getOutputStream().write(buffer, 0, read);
            }
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        reset();
    }
}
