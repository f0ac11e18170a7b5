package kvant.bench.attack;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/// A client that sends puts over one connection, one after the other. Belongs to one thread.
final class KeptConnection implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 30_000;
    private static final String CREATED = "HTTP/1.1 201 ";
    private static final String END = "\r\n\r\n";

    private final Socket socket;

    private KeptConnection(Socket socket) {
        this.socket = socket;
    }

    static KeptConnection open(InetSocketAddress node) throws IOException {
        Socket socket = new Socket();
        socket.connect(node, PATIENCE_MILLIS);
        socket.setSoTimeout(PATIENCE_MILLIS);
        return new KeptConnection(socket);
    }

    /// @throws IOException with the answer, when the put is not acknowledged
    void put(String key, byte[] value) throws IOException {
        byte[] head = Requests.head("PUT /v0/entity?id=" + key, "Content-Length: " + value.length);
        socket.getOutputStream().write(Requests.joined(head, value));
        InputStream in = socket.getInputStream();
        StringBuilder answer = new StringBuilder();
        while (answer.indexOf(END) < 0) {
            byte[] piece = new byte[1024];
            int length = in.read(piece);
            if (length < 0) {
                throw new IOException("the node has closed the connection");
            }
            answer.append(new String(piece, 0, length, StandardCharsets.ISO_8859_1));
        }
        if (answer.indexOf(CREATED) != 0) {
            throw new IOException(
                    "answered " + answer.toString().lines().findFirst().orElse(""));
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
