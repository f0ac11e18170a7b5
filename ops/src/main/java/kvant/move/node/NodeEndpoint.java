package kvant.move.node;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import kvant.engine.Cursor;
import kvant.engine.EngineException;
import kvant.engine.Write;
import kvant.move.copy.Endpoint;

/// A store that a node serves. Any thread may write; a cursor belongs to one.
public final class NodeEndpoint implements Endpoint {

    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);

    /// Until an answer begins; more than a node lets any request wait.
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(60);

    /// One batch is one commit of the node.
    private static final int BATCH_RECORDS = 1000;

    // Constant.
    private final String url;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final NodeLogin login;
    private final HttpClient client;

    private NodeEndpoint(String url, NodeLogin login) {
        this.url = url;
        this.login = login;
        this.client = login.on(HttpClient.newBuilder())
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT_LIMIT)
                .executor(threads)
                .build();
    }

    /// @param url such as `http://127.0.0.1:8080`
    /// @throws EngineException.CannotOpen when no node answers there
    public static NodeEndpoint open(String url, NodeLogin login) {
        NodeEndpoint endpoint = new NodeEndpoint(url.replaceFirst("/+$", ""), login);
        boolean opened = false;
        try {
            endpoint.refuseOtherServers();
            opened = true;
            return endpoint;
        } finally {
            if (!opened) {
                endpoint.close();
            }
        }
    }

    private void refuseOtherServers() {
        int status;
        try {
            status = send(request("/v0/status").GET().build(), HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        } catch (EngineException e) {
            throw new EngineException.CannotOpen(String.valueOf(e.getMessage()), e);
        }
        if (status == Answers.MISDIRECTED) {
            throw new EngineException.CannotOpen(
                    "the node at " + url + " does not serve that name: use its IP address or"
                            + " localhost, or start it with --allowed-hosts");
        }
        if (status != Answers.OK) {
            throw new EngineException.CannotOpen(
                    url + " answered " + status + " to /v0/status: is it the URL of a node of Kvant?");
        }
    }

    @Override
    public String name() {
        return "node " + url;
    }

    @Override
    public Cursor scan(byte[] from) {
        return new NodeCursor(this, from);
    }

    @Override
    public int writeRecords() {
        return BATCH_RECORDS;
    }

    @Override
    public boolean isRemote() {
        return true;
    }

    @Override
    public void submit(Write write) {
        WriteRequest wanted = WriteRequest.of(write.batch().mutations(), InstantSource.system());
        if (wanted == null) {
            write.applied(0); // all of it has expired on the way
            deliver(write);
            return;
        }
        HttpRequest.Builder request =
                request(wanted.path()).method(wanted.method(), HttpRequest.BodyPublishers.ofByteArray(wanted.body()));
        if (wanted.isBatch()) {
            request.header("Content-Type", WriteRequest.BATCH_TYPE);
        }
        client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofByteArray())
                .whenComplete((answer, failure) -> {
                    if (failure != null) {
                        write.failed(new EngineException.OutcomeUnknown(unreachable(failure)));
                    } else if (answer.statusCode() == Answers.CREATED || answer.statusCode() == Answers.ACCEPTED) {
                        write.applied(0); // its version there does not matter here
                    } else {
                        write.failed(Answers.failure(answer.statusCode(), answer.body()));
                    }
                    deliver(write);
                });
    }

    private static void deliver(Write write) {
        write.sink().completed(write);
        write.sink().wake();
    }

    HttpRequest.Builder request(String path) {
        return login.on(HttpRequest.newBuilder(URI.create(url + path))).timeout(ANSWER_LIMIT);
    }

    /// @throws EngineException.Unavailable when the node does not answer
    <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> body) {
        try {
            return client.send(request, body);
        } catch (IOException e) {
            throw new EngineException.Unavailable(unreachable(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EngineException.Io("interrupted while " + url + " was asked", e);
        }
    }

    String unreachable(Throwable failure) {
        Throwable cause = failure;
        while (cause.getMessage() == null && cause.getCause() != null) {
            cause = cause.getCause();
        }
        String reason = cause.getMessage() == null ? "nothing listens there" : cause.getMessage();
        return "cannot reach " + url + ": " + reason;
    }

    @Override
    public void close() {
        client.shutdownNow(); // no caller waits any more
        client.close();
        threads.close();
    }
}
