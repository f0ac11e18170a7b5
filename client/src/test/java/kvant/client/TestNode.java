package kvant.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.server.Node;
import kvant.server.NodeOptions;
import kvant.server.StartException;

/// A real node on a free port, over a store in a folder.
final class TestNode implements AutoCloseable {

    private final LsmEngine engine;
    private final Node node;
    private final String scheme;

    private TestNode(LsmEngine engine, Node node, String scheme) {
        this.engine = engine;
        this.node = node;
        this.scheme = scheme;
    }

    static TestNode start(Path folder) {
        return start(folder, options -> options);
    }

    static TestNode start(Path folder, UnaryOperator<NodeOptions> options) {
        LsmEngine engine = LsmEngine.open(folder.resolve("data"), LsmOptions.defaults());
        NodeOptions chosen =
                options.apply(NodeOptions.defaults().with(o -> o.port = 0).with(o -> o.eventLoops = 1));
        try {
            Node node = Node.start(chosen, engine);
            return new TestNode(engine, node, chosen.access().tls() == null ? "http" : "https");
        } catch (StartException e) {
            engine.close();
            throw new AssertionError(e);
        }
    }

    int port() {
        return node.port();
    }

    URI url() {
        return URI.create(scheme + "://127.0.0.1:" + port());
    }

    KvantClient client() {
        return KvantClient.of(url());
    }

    static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    @Override
    public void close() {
        node.close();
        engine.close();
    }
}
