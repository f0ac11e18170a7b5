package kvant.bench.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import kvant.bench.process.Node;
import kvant.bench.process.Programs;
import kvant.bench.process.Workbench;
import org.jspecify.annotations.Nullable;

/// Starts servers, each with one event loop (or what comes next to it) and a value of the same size. They end with the
/// workbench.
public final class Subjects {

    private static final String KEY = "/v0/entity?id=k000000000";
    private static final int READY_TRIES = 600;
    private static final int READY_PAUSE_MILLIS = 100;
    private static final int STOP_SECONDS = 20;

    private final Workbench bench;
    private final int valueBytes;

    public Subjects(Workbench bench, int valueBytes) {
        this.bench = bench;
        this.valueBytes = valueBytes;
    }

    /// A node that holds one key.
    Subject node(String executor) throws IOException, InterruptedException {
        Node node = Node.start(bench, executor, Node.Start.of("--executor", executor, "--event-loops", "1"));
        put(node.url());
        return new Subject(executor, ProcessHandle.of(node.pid()).orElseThrow(), node.url() + KEY);
    }

    /// nginx with one worker and a static answer, or what stands in for it where it is not installed.
    public Subject fixedAnswer() throws IOException, InterruptedException {
        @Nullable Path nginx = Programs.find("nginx");
        return nginx == null ? selectorLoop() : nginx(nginx);
    }

    private Subject nginx(Path program) throws IOException, InterruptedException {
        int port = Programs.freePort();
        Path folder = Files.createDirectory(bench.folder().resolve("nginx"));
        Path configuration = folder.resolve("nginx.conf");
        Files.writeString(configuration, """
                worker_processes 1; daemon off; pid %1$s/pid; error_log %1$s/error.log;
                events { worker_connections 4096; }
                http {
                    access_log off; keepalive_requests 1000000000; default_type application/octet-stream;
                    keepalive_timeout 3600s;
                    client_body_temp_path %1$s/body; proxy_temp_path %1$s/proxy; fastcgi_temp_path %1$s/fastcgi;
                    uwsgi_temp_path %1$s/uwsgi; scgi_temp_path %1$s/scgi;
                    server { listen 127.0.0.1:%2$d; location / { return 200 "%3$s"; } }
                }
                """.formatted(folder, port, "v".repeat(valueBytes)));
        Process process =
                start(port, List.of(program.toString(), "-p", folder.toString(), "-c", configuration.toString()));
        ProcessHandle worker = process.children().findFirst().orElse(process.toHandle());
        return new Subject("nginx", worker, "http://127.0.0.1:" + port + "/");
    }

    private Subject selectorLoop() throws IOException, InterruptedException {
        int port = Programs.freePort();
        Process process = start(
                port,
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        StaticServer.class.getName(),
                        Integer.toString(port),
                        Integer.toString(valueBytes)));
        return new Subject("static selector loop", process.toHandle(), "http://127.0.0.1:" + port + "/");
    }

    /// Redis with one value, for `redis-benchmark`.
    Subject redis(Path program) throws IOException, InterruptedException {
        int port = Programs.freePort();
        Process process = start(
                port,
                List.of(
                        program.toString(),
                        "--port",
                        Integer.toString(port),
                        "--bind",
                        "127.0.0.1",
                        "--dir",
                        bench.folder().toString(),
                        "--save",
                        ""));
        return new Subject("redis", process.toHandle(), "redis://127.0.0.1:" + port);
    }

    private void put(String url) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest put = HttpRequest.newBuilder(URI.create(url + KEY))
                    .PUT(HttpRequest.BodyPublishers.ofString("v".repeat(valueBytes)))
                    .build();
            int status =
                    client.send(put, HttpResponse.BodyHandlers.discarding()).statusCode();
            if (status != 201) {
                throw new IOException("the node answered " + status + " to a put");
            }
        }
    }

    /// Starts a program and waits until it listens.
    private Process start(int port, List<String> command) throws IOException, InterruptedException {
        Path log = Files.createTempFile(bench.folder(), "server", ".log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        bench.keep(() -> stop(process));
        for (int i = 0; i < READY_TRIES && process.isAlive(); i++) {
            try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return process;
            } catch (IOException _) {
                Thread.sleep(READY_PAUSE_MILLIS);
            }
        }
        throw new IOException(command.getFirst() + " does not listen: "
                + new String(Files.readAllBytes(log), StandardCharsets.UTF_8).strip());
    }

    private static void stop(Process process) throws InterruptedException {
        process.toHandle().destroy();
        if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
