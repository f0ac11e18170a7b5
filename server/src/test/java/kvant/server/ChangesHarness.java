package kvant.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.UnaryOperator;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;

/// A node around a store that tells its changes, and clients that follow them.
final class ChangesHarness implements AutoCloseable {

    final LsmEngine engine;
    final Node node;
    private final List<RawClient> clients = new ArrayList<>();

    ChangesHarness(Path directory, LsmOptions store, UnaryOperator<NodeOptions> change) {
        engine = LsmEngine.open(directory, store);
        try {
            node = Node.start(
                    change.apply(NodeOptions.defaults()).with(o -> {
                        o.port = 0;
                        o.allowedHosts = List.of("h");
                    }),
                    engine);
        } catch (StartException e) {
            throw new AssertionError(e);
        }
    }

    RawClient client(int receiveBuffer) throws IOException {
        RawClient client = new RawClient(node.port(), receiveBuffer);
        clients.add(client);
        return client;
    }

    RawClient client() throws IOException {
        return client(0);
    }

    RawClient.Answer exchange(String request) throws IOException {
        try (RawClient client = new RawClient(node.port())) {
            return client.exchange(request);
        }
    }

    static String changes(String query, String... headers) {
        StringBuilder request = new StringBuilder("GET /v0/changes?" + query + " HTTP/1.1\r\nHost: h\r\n");
        for (String header : headers) {
            request.append(header).append("\r\n");
        }
        return request.append("\r\n").toString();
    }

    RawClient.Answer read(String query, String... headers) throws IOException {
        return exchange(changes(query, headers));
    }

    /// A client that has got the head of its answer.
    RawClient follow(String query) throws IOException {
        RawClient client = client().send(changes(query));
        String head = client.readHead();
        if (!head.startsWith("HTTP/1.1 200")) {
            throw new AssertionError(head);
        }
        return client;
    }

    /// The next line of an answer, or an empty one at its end.
    static String line(RawClient client) throws IOException {
        int bytes = Integer.parseInt(rawLine(client), 16);
        String text = new String(client.readFully(bytes), StandardCharsets.ISO_8859_1);
        rawLine(client);
        return text;
    }

    private static String rawLine(RawClient client) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = client.readByte(); b != '\r'; b = client.readByte()) {
            if (b < 0) {
                throw new IOException("cut off behind " + line);
            }
            line.append((char) b);
        }
        client.readByte();
        return line.toString();
    }

    static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Override
    public void close() throws IOException {
        for (RawClient client : clients) {
            client.close();
        }
        node.close();
        engine.close();
    }
}
