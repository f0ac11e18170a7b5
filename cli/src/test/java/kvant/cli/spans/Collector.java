package kvant.cli.spans;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/// Receives OTLP over HTTP, and can be made to leave requests unanswered.
final class Collector implements AutoCloseable {

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<ResourceSpans> received = new CopyOnWriteArrayList<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final StringBuffer everything = new StringBuffer();
    private volatile CountDownLatch gate = new CountDownLatch(0);

    Collector() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/v1/traces", this::take);
        server.start();
    }

    private void take(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        waiting.incrementAndGet();
        try {
            gate.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        waiting.decrementAndGet();
        everything.append(new String(body, StandardCharsets.ISO_8859_1));
        received.addAll(ExportTraceServiceRequest.parseFrom(body).getResourceSpansList());
        exchange.sendResponseHeaders(200, -1);
        exchange.close();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    void hang() {
        gate = new CountDownLatch(1);
    }

    void goOn() {
        gate.countDown();
    }

    int waiting() {
        return waiting.get();
    }

    String everything() {
        return everything.toString();
    }

    List<ResourceSpans> resources() {
        return received;
    }

    List<Span> spans() {
        return received.stream()
                .flatMap(each -> each.getScopeSpansList().stream())
                .map(ScopeSpans::getSpansList)
                .flatMap(List::stream)
                .toList();
    }

    List<Span> named(String name) {
        return spans().stream().filter(each -> each.getName().equals(name)).toList();
    }

    List<Span> below(Span parent) {
        return spans().stream()
                .filter(each -> each.getParentSpanId().equals(parent.getSpanId()))
                .toList();
    }

    @Override
    public void close() {
        goOn();
        server.stop(0);
        threads.shutdownNow();
    }
}
