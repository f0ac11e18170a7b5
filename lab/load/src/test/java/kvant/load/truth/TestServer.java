package kvant.load.truth;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLException;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/// A server that does to each request what a test says: wait, answer, answer badly, close, reset, or nothing.
///
/// One virtual thread per connection, so that a request that waits keeps no other from its answer. It records how long
/// each request was in its hands, from the last byte read to the first byte written: what a client measures can be
/// held against that instead of against a clock that the machine bends.
public final class TestServer implements AutoCloseable {

    /// The treatment of a request.
    public interface Behaviour {
        void serve(Exchange exchange) throws IOException, InterruptedException;
    }

    /// A layer over an accepted socket, such as TLS.
    public interface Layer {
        Socket over(Socket accepted) throws IOException;
    }

    private final Socket keeper;
    private volatile ServerSocket listener;
    private final Layer layer;
    private final Behaviour behaviour;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile byte[] greeting = new byte[0];
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong connections = new AtomicLong();
    private final Histogram held = new ConcurrentHistogram(3);

    private TestServer(Socket keeper, ServerSocket listener, Layer layer, Behaviour behaviour) {
        this.keeper = keeper;
        this.listener = listener;
        this.layer = layer;
        this.behaviour = behaviour;
    }

    public static TestServer start(Behaviour behaviour) throws IOException {
        return start(accepted -> accepted, behaviour);
    }

    public static TestServer start(Layer layer, Behaviour behaviour) throws IOException {
        Socket keeper = new Socket();
        keeper.setReuseAddress(true);
        keeper.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        ServerSocket listener = listener(keeper);
        TestServer server = new TestServer(keeper, listener, layer, behaviour);
        Thread.ofVirtual().start(() -> server.accept(listener));
        return server;
    }

    private static ServerSocket listener(Socket keeper) throws IOException {
        ServerSocket listener = new ServerSocket();
        listener.setReuseAddress(true);
        listener.bind(keeper.getLocalSocketAddress(), 4096);
        return listener;
    }

    /// Listens again on its port after [#die()] or [#refuse()].
    public void comeBack() throws IOException {
        ServerSocket again = listener(keeper);
        listener = again;
        Thread.ofVirtual().start(() -> accept(again));
    }

    public int port() {
        return keeper.getLocalPort();
    }

    public String url() {
        return "http://127.0.0.1:" + port();
    }

    /// Says this on each later connection before anything was asked.
    public void greet(String text) {
        greeting = text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /// Requests that were read whole.
    public long requests() {
        return requests.get();
    }

    public long connections() {
        return connections.get();
    }

    /// The time that requests were in the hands of the server, in nanoseconds.
    public Histogram held() {
        return held;
    }

    private void accept(ServerSocket mine) {
        try {
            while (true) {
                Socket socket = mine.accept();
                connections.incrementAndGet();
                sockets.add(socket);
                if (mine.isClosed()) {
                    socket.close(); // who closes the others may not have seen it
                }
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException _) {
            // closed: the end of the test
        }
    }

    private void serve(Socket accepted) {
        try (Socket socket = layer.over(accepted)) {
            socket.setTcpNoDelay(true);
            socket.getOutputStream().write(greeting);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            for (long number = 0; !socket.isClosed(); number++) {
                String head = readHead(in);
                byte[] body = in.readNBytes(contentLength(head));
                behaviour.serve(new Exchange(
                        this, socket, accepted, requests.getAndIncrement(), number, head, body, System.nanoTime()));
            }
        } catch (EOFException | SocketException | SSLException _) {
            // the client has closed, or the test has
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            sockets.remove(accepted);
        }
    }

    private static String readHead(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.length() < 4 || !head.substring(head.length() - 4).equals("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException();
            }
            head.append((char) next);
        }
        return head.toString();
    }

    private static int contentLength(String head) {
        return head.lines()
                .filter(line -> line.startsWith("Content-Length: "))
                .mapToInt(line -> Integer.parseInt(line.substring("Content-Length: ".length())))
                .findFirst()
                .orElse(0);
    }

    /// Gives its port back as well.
    @Override
    public void close() throws IOException {
        die();
        keeper.close();
    }

    /// Ends like a process that is killed: no more connections, and none that stand. It keeps its port until it is
    /// closed, so that connecting to it is refused: a free one may go to another server, or to the client itself.
    /// The port's keeper was bound before the server listened, as a later bind may lose the port to another.
    public void die() throws IOException {
        refuse();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    /// Takes no more connections; those that stand continue.
    public void refuse() throws IOException {
        listener.close();
    }

    /// A request in the hands of the server.
    ///
    /// @param accepted the socket below the layer
    /// @param number of the request, over all connections
    /// @param onConnection number of the request on its connection
    public record Exchange(
            TestServer server,
            Socket socket,
            Socket accepted,
            long number,
            long onConnection,
            String head,
            byte[] body,
            long arrivedNanos) {

        public String requestLine() {
            return head.lines().findFirst().orElseThrow();
        }

        public void raw(byte[] bytes) throws IOException {
            server.held.recordValue(System.nanoTime() - arrivedNanos);
            OutputStream out = socket.getOutputStream();
            out.write(bytes);
            out.flush();
        }

        public void raw(String text) throws IOException {
            raw(text.getBytes(StandardCharsets.ISO_8859_1));
        }

        public void answer(int status, byte[] content) throws IOException {
            byte[] start = ("HTTP/1.1 " + status + " X\r\nContent-Length: " + content.length + "\r\n\r\n")
                    .getBytes(StandardCharsets.ISO_8859_1);
            byte[] whole = new byte[start.length + content.length];
            System.arraycopy(start, 0, whole, 0, start.length);
            System.arraycopy(content, 0, whole, start.length, content.length);
            raw(whole);
        }

        public void ok() throws IOException {
            answer(200, new byte[] {'o', 'k'});
        }

        public void close() throws IOException {
            socket.close();
        }

        /// Ends the connection below what is laid over it, and in good order there.
        public void cutOff() throws IOException {
            accepted.shutdownOutput();
            accepted.close();
        }

        public void reset() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }
    }
}
