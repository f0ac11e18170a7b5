package kvant.server.warm;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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

    /// The number of requests answered so far, including errors.
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

    /// Finds the end of an answer among bytes that come in pieces. It knows the answers of this node alone: a length,
    /// or chunks without trailers.
    static final class AnswerEnd {

        private static final String END_OF_HEAD = "\r\n\r\n";
        private static final String LAST_CHUNK = "0\r\n\r\n";
        private static final String NOT_MODIFIED = "http/1.1 304 ";
        private static final String LENGTH = "content-length:";

        /// Of an answer that is not whole.
        private final StringBuilder seen = new StringBuilder();

        void begin() {
            seen.setLength(0);
        }

        /// Whether the answer ends with these bytes.
        ///
        /// @param count number of valid bytes
        boolean isWhole(byte[] bytes, int count) {
            seen.append(new String(bytes, 0, count, StandardCharsets.ISO_8859_1));
            int head = seen.indexOf(END_OF_HEAD);
            if (head < 0) {
                return false;
            }
            int body = head + END_OF_HEAD.length();
            int length = length(head);
            return length >= 0
                    ? seen.length() - body >= length
                    : seen.length() - body >= LAST_CHUNK.length()
                            && seen.indexOf(LAST_CHUNK, seen.length() - LAST_CHUNK.length()) >= 0;
        }

        /// @return -1 for a chunked body; 0 where there is none, as in a 304, even if that states a length
        private int length(int head) {
            String lines = seen.substring(0, head).toLowerCase(Locale.ROOT);
            if (lines.startsWith(NOT_MODIFIED)) {
                return 0;
            }
            int at = lines.indexOf(LENGTH);
            if (at < 0) {
                return lines.contains("transfer-encoding:") ? -1 : 0;
            }
            int end = lines.indexOf('\r', at);
            return Integer.parseInt(lines.substring(at + LENGTH.length(), end < 0 ? lines.length() : end)
                    .strip());
        }
    }

    /// The requests of a warm-up: of every operation, most of them gets and puts, in an order that repeats itself.
    static final class WarmUpRequests {

        private static final int KEYS = 512;
        private static final String VALUE = "a value of the warm-up, 30 B...";
        private static final String BATCH = "put 2 1\nw1a\ndelete 2\nw1\n";

        private final String token;
        private final List<byte[]> all = new ArrayList<>();
        private int next;

        /// @param token sent where the node asks for one, and where it does not
        WarmUpRequests(String token) {
            this.token = token;
            for (int key = 0; key < KEYS; key++) {
                String entity = "/v0/entity?id=warm-up-" + key;
                add("PUT", entity, "", VALUE);
                add("GET", entity, "", "");
                add("PUT", entity, "", VALUE);
                add("GET", entity, "", "");
                add("GET", "/v0/entity?id=absent-" + key, "", "");
                switch (key % 8) {
                    case 0 -> add("DELETE", entity, "", "");
                    case 1 -> add("PUT", entity, "If-None-Match: *\r\n", VALUE);
                    case 2 -> add("GET", "/v0/entities?start=w&end=x&limit=100", "", "");
                    case 3 -> add("POST", "/v0/batch", "Content-Type: application/vnd.kvant.batch\r\n", BATCH);
                    case 4 -> add("GET", entity, "If-None-Match: *\r\n", "");
                    case 5 -> add("PUT", entity, "", VALUE.repeat(40));
                    default -> add("GET", entity, "", "");
                }
            }
        }

        byte[] next() {
            byte[] request = all.get(next);
            next = (next + 1) % all.size();
            return request;
        }

        private void add(String method, String target, String more, String body) {
            all.add((method + " " + target + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token
                            + "\r\nContent-Length: " + body.length() + "\r\n" + more + "\r\n" + body)
                    .getBytes(StandardCharsets.US_ASCII));
        }
    }
}
