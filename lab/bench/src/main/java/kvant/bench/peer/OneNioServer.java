package kvant.bench.peer;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import one.nio.http.HttpServer;
import one.nio.http.HttpServerConfig;
import one.nio.http.HttpSession;
import one.nio.http.Request;
import one.nio.http.Response;
import one.nio.net.Socket;
import one.nio.server.AcceptorConfig;

/// Values in a map, with Kvant's API for one key: `GET` 200 or 404, `PUT` 201, `DELETE` 202. Everything runs on the
/// selector threads.
///
/// This is the minimum work of a JVM server for a request; the remaining time of Kvant is spent on its own features.
final class OneNioServer extends HttpServer {

    private static final String PATH = "/v0/entity";
    private static final String READY = "/readyz";

    private static final int LONGEST_VALUE = 64 << 20;

    private final Map<String, byte[]> values = new ConcurrentHashMap<>();

    private OneNioServer(HttpServerConfig config) throws IOException {
        super(config);
    }

    static OneNioServer start(int port, int selectors) throws IOException {
        AcceptorConfig acceptor = new AcceptorConfig();
        acceptor.address = "127.0.0.1";
        acceptor.port = port;
        acceptor.backlog = 4096;
        HttpServerConfig config = new HttpServerConfig();
        config.acceptors = new AcceptorConfig[] {acceptor};
        config.selectors = selectors;
        OneNioServer server = new OneNioServer(config);
        server.start();
        return server;
    }

    /// Accepts bodies as long as a Kvant node does; the default maximum is 64 KiB.
    @Override
    public HttpSession createSession(Socket socket) {
        return new HttpSession(socket, this) {
            @Override
            protected int getMaxRequestBodyLength() {
                return LONGEST_VALUE;
            }
        };
    }

    @Override
    public void handleRequest(Request request, HttpSession session) throws IOException {
        session.sendResponse(answer(request));
    }

    private Response answer(Request request) {
        String path = request.getPath();
        if (path.equals(READY)) {
            return Response.ok(Response.EMPTY);
        }
        String key = path.equals(PATH) ? request.getParameter("id=") : null;
        if (key == null || key.isEmpty()) {
            return new Response(path.equals(PATH) ? Response.BAD_REQUEST : Response.NOT_FOUND, Response.EMPTY);
        }
        return switch (request.getMethod()) {
            case Request.METHOD_GET -> {
                byte[] value = values.get(key);
                yield value == null ? new Response(Response.NOT_FOUND, Response.EMPTY) : Response.ok(value);
            }
            case Request.METHOD_PUT -> {
                values.put(key, request.getBody());
                yield new Response(Response.CREATED, Response.EMPTY);
            }
            case Request.METHOD_DELETE -> {
                values.remove(key);
                yield new Response(Response.ACCEPTED, Response.EMPTY);
            }
            default -> new Response(Response.METHOD_NOT_ALLOWED, Response.EMPTY);
        };
    }
}
