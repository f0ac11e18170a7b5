package kvant.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Stands between a client and a node and does to requests what a network or a busy node does, one fault for each
/// request in their order; without a fault it passes on what comes. Each connection has one request.
final class FaultyProxy implements AutoCloseable {

    private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: (\\d+)\r\n");

    /// A fault that is applied to a request.
    sealed interface Fault {

        /// This is the answer; the node sees nothing.
        record Answer(String text) implements Fault {}

        /// The connection is reset after so many bytes of the node's answer.
        record Cut(int bytes) implements Fault {}

        /// The same, but the rest does not come, and the connection stays.
        record Stall(int bytes) implements Fault {}
    }

    /// Heads of a request and of the answer of the node.
    record Exchange(String request, String answer) {}

    private final ServerSocket server;
    private final int node;
    private final Queue<Fault> faults = new ConcurrentLinkedQueue<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<Exchange> exchanges = new CopyOnWriteArrayList<>();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicInteger leftByClient = new AtomicInteger();
    private final AtomicLong passed = new AtomicLong();

    FaultyProxy(int node) {
        try {
            this.node = node;
            server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + server.getLocalPort());
    }

    FaultyProxy next(int times, Fault fault) {
        for (int i = 0; i < times; i++) {
            faults.add(fault);
        }
        return this;
    }

    /// An answer of a node that has as much work as it may hold.
    static Fault.Answer busy(String retryAfter) {
        return problem(503, "overloaded", "Overloaded", "Retry-After: " + retryAfter + "\r\n");
    }

    static Fault.Answer problem(int status, String type, String title, String header) {
        return answer(
                status,
                header,
                "{\"type\":\"urn:kvant:problem:" + type + "\",\"title\":\"" + title + "\",\"status\":" + status
                        + ",\"detail\":\"said the proxy\"}");
    }

    static Fault.Answer answer(int status, String header, String body) {
        return new Fault.Answer("HTTP/1.1 " + status + " Reason\r\nConnection: close\r\n" + header + "Content-Length: "
                + body.length() + "\r\n\r\n" + body);
    }

    /// Heads of all requests so far.
    List<String> requests() {
        return requests;
    }

    /// Those that the node has answered, so far.
    List<Exchange> exchanges() {
        return exchanges;
    }

    /// Requests that stalled, and whose client went away.
    int leftByClient() {
        return leftByClient.get();
    }

    /// Bytes of answers that were passed on.
    long passed() {
        return passed.get();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                sockets.add(client);
                Thread.ofVirtual().start(() -> serve(client));
            } catch (IOException _) {
                return; // closed
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            InputStream in = client.getInputStream();
            String head = readHead(in);
            if (head.isEmpty()) {
                return;
            }
            Matcher length = LENGTH.matcher(head);
            byte[] body = in.readNBytes(length.find() ? Integer.parseInt(length.group(1)) : 0);
            Fault fault = faults.poll();
            requests.add(head);
            if (fault instanceof Fault.Answer(String text)) {
                client.getOutputStream().write(text.getBytes(ISO_8859_1));
                client.shutdownOutput();
                in.read();
                return;
            }
            pass(head, body, client, fault);
        } catch (IOException _) {
            // the client has gone
        } finally {
            sockets.remove(client);
        }
    }

    private void pass(String head, byte[] body, Socket client, Fault fault) throws IOException {
        long most = switch (fault) {
            case Fault.Cut cut -> cut.bytes();
            case Fault.Stall stall -> stall.bytes();
            case null, default -> Long.MAX_VALUE;
        };
        try (Socket upstream = new Socket(InetAddress.getLoopbackAddress(), node)) {
            OutputStream to = upstream.getOutputStream();
            to.write(head.replaceFirst("\r\n", "\r\nConnection: close\r\n").getBytes(ISO_8859_1));
            to.write(body);
            String answer = readHead(upstream.getInputStream());
            exchanges.add(new Exchange(head, answer));
            InputStream from = new SequenceInputStream(
                    new ByteArrayInputStream(answer.getBytes(ISO_8859_1)), upstream.getInputStream());
            byte[] buffer = new byte[16 << 10];
            long left = most;
            for (int n = from.read(buffer); n >= 0; n = from.read(buffer)) { // to its end: the node has answered
                int passing = (int) Math.min(n, left);
                left -= passing;
                client.getOutputStream().write(buffer, 0, passing);
                passed.addAndGet(passing);
                if (left == 0) {
                    break;
                }
            }
        }
        if (fault instanceof Fault.Stall) {
            if (client.getInputStream().read() < 0) {
                leftByClient.incrementAndGet();
            }
        } else if (fault instanceof Fault.Cut) {
            client.setSoLinger(true, 0);
        } else {
            client.shutdownOutput();
            client.getInputStream().read(); // until the client has all of it
        }
    }

    private static String readHead(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(ISO_8859_1).endsWith("\r\n\r\n")) {
            int b = in.read();
            if (b < 0) {
                return "";
            }
            head.write(b);
        }
        return head.toString(ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
