package kvant.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import kvant.engine.LocalEngine;
import kvant.server.http.Transport;
import org.junit.jupiter.api.Test;

/// The number of calls between the bytes of a socket and the engine, so that a person can follow the way of a request.
class RequestFramesTest {

    /// The engine's own two to its queue of commits make it 14.
    private static final int MOST = 12;

    /// A command is read word by word.
    private static final int MOST_OF_RESP = 15;
    private static final String SCAN = "GET /v0/entities?start=a&limit=3 HTTP/1.1\r\nHost: h\r\n\r\n";

    private final MemoryEngine engine = new MemoryEngine();
    private final Map<String, List<String>> ways = new ConcurrentHashMap<>();

    /// The same engine, which keeps the way on which each of its methods was reached.
    private LocalEngine watched() {
        return (LocalEngine) Proxy.newProxyInstance(
                LocalEngine.class.getClassLoader(), new Class<?>[] {LocalEngine.class}, (_, method, arguments) -> {
                    ways.putIfAbsent(method.getName(), way());
                    try {
                        return method.invoke(engine, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /// From the handler of a connection, or from the loop of a worker, to the engine, without the engine's frames.
    private static List<String> way() {
        List<StackTraceElement> frames = List.of(new Throwable().getStackTrace());
        return frames.stream()
                .filter(frame -> frame.getClassName().startsWith("kvant.server.")
                        && !frame.getClassName().contains("FramesTest")
                        && !frame.getClassName().startsWith(Transport.class.getName()))
                .map(frame -> frame.getClassName().replaceAll(".*\\.", "") + "#" + frame.getMethodName())
                .toList()
                .reversed();
    }

    private List<String> wayTo(String method) {
        List<String> way = ways.get(method);
        ways.clear();
        System.out.println("calls to " + method + ": " + way.size());
        return way;
    }

    @Test
    void aRequestReachesTheEngineOnAShortWay() throws IOException {
        try (Node node = node();
                RawClient client = new RawClient(node.port());
                RespClient resp = new RespClient(node.respPort())) {
            ways.clear();
            assertThat(client.exchange(NodeHarness.put("k", "v")).status()).isEqualTo(201);
            List<String> put = wayTo("submit");
            assertThat(client.exchange(NodeHarness.get("k")).status()).isEqualTo(200);
            List<String> get = wayTo("tryGet");
            assertThat(client.exchange(SCAN).status()).isEqualTo(200);
            List<String> scan = wayTo("tryScan");
            assertThat(client.exchange(NodeHarness.batch("put 1 1\nab\n")).status())
                    .isEqualTo(201);
            List<String> batch = wayTo("submit");
            assertThat(resp.ask("SET k v")).isEqualTo("+OK");
            List<String> set = wayTo("submit");
            assertThat(put).hasSizeLessThanOrEqualTo(MOST);
            assertThat(get).hasSizeLessThanOrEqualTo(MOST);
            assertThat(scan).hasSizeLessThanOrEqualTo(MOST);
            assertThat(batch).hasSizeLessThanOrEqualTo(MOST);
            assertThat(set).hasSizeLessThanOrEqualTo(MOST_OF_RESP);
        }
    }

    private Node node() {
        try {
            return Node.start(
                    NodeOptions.defaults().with(o -> {
                        o.port = 0;
                        o.respPort = 0;
                        o.eventLoops = 1;
                        o.allowedHosts = NodeHarness.HOSTS;
                    }),
                    watched());
        } catch (StartException e) {
            throw new AssertionError(e);
        }
    }
}
