package kvant.prove.history;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Stands before a node, and does wrong with some of the requests.
final class FaultyNode implements AutoCloseable {

    enum Fault {
        /// A get has the answer of an earlier one.
        STALE_READ,
        /// A delete is acknowledged and not done.
        LOST_DELETE
    }

    private static final int EVERY = 8;
    private static final Pattern LENGTH = Pattern.compile("(?im)^Content-Length: *(\\d+)\\r");
    private static final String CHUNKED = "transfer-encoding: chunked";
    private static final byte[] ACCEPTED =
            "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final Fault fault;
    private final InetSocketAddress node;
    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Map<String, byte[]> earlier = new ConcurrentHashMap<>();
    private final AtomicInteger eligible = new AtomicInteger();

    FaultyNode(Fault fault, InetSocketAddress node) throws IOException {
        this.fault = fault;
        this.node = node;
        Thread.ofVirtual().start(() -> {
            try {
                while (true) {
                    Socket client = server.accept();
                    Thread.ofVirtual().start(() -> serve(client));
                }
            } catch (IOException _) {
                // closed
            }
        });
    }

    InetSocketAddress address() {
        return new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
    }

    private void serve(Socket client) {
        try (client;
                Socket behind = new Socket(node.getAddress(), node.getPort())) {
            InputStream requests = new BufferedInputStream(client.getInputStream());
            InputStream answers = new BufferedInputStream(behind.getInputStream());
            OutputStream out = client.getOutputStream();
            while (true) {
                byte[] request = message(requests);
                String line = new String(request, StandardCharsets.ISO_8859_1)
                        .lines()
                        .findFirst()
                        .orElseThrow();
                boolean isDelete = line.startsWith("DELETE");
                boolean isGet = line.startsWith("GET /v0/entity?");
                boolean isWrong =
                        (fault == Fault.STALE_READ ? isGet : isDelete) && eligible.incrementAndGet() % EVERY == 0;
                byte[] wrong = isGet ? earlier.getOrDefault(line, new byte[0]) : ACCEPTED;
                if (isWrong && wrong.length > 0) {
                    out.write(wrong);
                    continue;
                }
                behind.getOutputStream().write(request);
                byte[] answer = message(answers);
                if (isGet && new String(answer, StandardCharsets.ISO_8859_1).startsWith("HTTP/1.1 200")) {
                    earlier.putIfAbsent(line, answer);
                }
                out.write(answer);
            }
        } catch (IOException _) {
            // one of the two has closed
        }
    }

    private static byte[] message(InputStream in) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        until("\r\n\r\n", in, bytes);
        String head = bytes.toString(StandardCharsets.ISO_8859_1);
        Matcher length = LENGTH.matcher(head);
        if (head.toLowerCase(Locale.ROOT).contains(CHUNKED)) {
            until("\r\n0\r\n\r\n", in, bytes);
        } else if (length.find() && !head.startsWith("HTTP/1.1 304")) {
            bytes.write(in.readNBytes(Integer.parseInt(length.group(1))));
        }
        return bytes.toByteArray();
    }

    private static void until(String end, InputStream in, ByteArrayOutputStream bytes) throws IOException {
        StringBuilder tail = new StringBuilder(end.startsWith("\r\n0") ? "\r\n" : "");
        while (!tail.toString().endsWith(end)) {
            int one = in.read();
            if (one < 0) {
                throw new EOFException();
            }
            bytes.write(one);
            tail.append((char) one);
            tail.delete(0, Math.max(0, tail.length() - end.length()));
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
