package kvant.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import kvant.server.admit.AdmissionOptions;
import kvant.server.http.contract.HttpLimits;

/// A node on a free port over an engine in memory, and clients for it; all closed together.
public final class NodeHarness implements AutoCloseable {

    /// The name of the node for the clients of tests.
    public static final List<String> HOSTS = List.of("h");

    /// Of a run for one of them; else what a node chooses on this machine.
    private static final TransportKind TRANSPORT =
            TransportKind.valueOf(System.getProperty("kvant.test.transport", TransportKind.AUTO.name()));

    final MemoryEngine engine = new MemoryEngine();
    final Node node;
    private final List<RawClient> clients = new CopyOnWriteArrayList<>(); // tests open clients from several threads

    NodeHarness(UnaryOperator<NodeOptions> options) {
        try {
            node = Node.start(
                    patient(options.apply(NodeOptions.defaults()
                            .with(o -> o.port = 0)
                            .withExecutor(ExecutorKind.ASYNC)
                            .with(o -> {
                                o.eventLoops = 2;
                                o.transport = TRANSPORT;
                                o.allowedHosts = HOSTS;
                                o.drainTimeout = Duration.ofSeconds(5);
                            }))),
                    engine);
            engine.forgetCalls(); // those of the node's own
        } catch (StartException e) {
            throw new AssertionError(e);
        }
    }

    /// Unless the test says otherwise, no request is turned away for having waited: where tests run, any thread may
    /// have to wait for a core.
    private static NodeOptions patient(NodeOptions options) {
        boolean byDefault = options.admission().equals(options.executor().defaultAdmission());
        return byDefault ? options.with(o -> o.admission = AdmissionOptions.none()) : options;
    }

    static NodeHarness async() {
        return new NodeHarness(options -> options.withExecutor(ExecutorKind.ASYNC));
    }

    static NodeHarness sync() {
        return new NodeHarness(options -> options.withExecutor(ExecutorKind.SYNC));
    }

    RawClient client() throws IOException {
        return client(0);
    }

    RawClient client(int receiveBuffer) throws IOException {
        RawClient client = new RawClient(node.port(), receiveBuffer);
        clients.add(client);
        return client;
    }

    /// A figure of the node, such as `kvant_pool_waiting{pool="kvant-worker"}`.
    double figure(String line) {
        try (RawClient scraper = new RawClient(node.port())) {
            String text =
                    scraper.exchange("GET /metrics HTTP/1.1\r\nHost: h\r\n\r\n").text();
            return text.lines()
                    .filter(each -> each.startsWith(line + " "))
                    .mapToDouble(each -> Double.parseDouble(each.substring(line.length())))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(line + " is not in " + text));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /// Requests that wait for a worker.
    double waiting() {
        return figure("kvant_pool_waiting{pool=\"kvant-worker\"}");
    }

    /// Ranges that wait for a worker.
    double rangesWaiting() {
        return figure("kvant_pool_waiting{pool=\"kvant-range\"}");
    }

    static String get(String id) {
        return "GET /v0/entity?id=" + id + " HTTP/1.1\r\nHost: h\r\n\r\n";
    }

    static String delete(String id) {
        return "DELETE /v0/entity?id=" + id + " HTTP/1.1\r\nHost: h\r\n\r\n";
    }

    static String put(String id, String value) {
        return "PUT /v0/entity?id=" + id + " HTTP/1.1\r\nHost: h\r\nContent-Length: " + value.length() + "\r\n\r\n"
                + value;
    }

    static String batch(String body) {
        return "POST /v0/batch HTTP/1.1\r\nHost: h\r\nContent-Type: application/vnd.kvant.batch\r\nContent-Length: "
                + body.length() + "\r\n\r\n" + body;
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /// Limits with short deadlines, for tests of deadlines.
    static HttpLimits hasty(Duration head, Duration stall, Duration idle, Duration linger) {
        return HttpLimits.defaults().with(l -> {
            l.headTimeout = head;
            l.stallTimeout = stall;
            l.idleTimeout = idle;
            l.lingerTimeout = linger;
        });
    }

    @Override
    public void close() throws IOException {
        engine.openGates();
        for (RawClient client : clients) {
            client.close();
        }
        node.close();
        engine.close();
    }
}
