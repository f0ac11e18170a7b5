package kvant.bench.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Starts servers, each with one event loop (or what comes next to it) and a value of the same size.
final class Subjects {

    private static final String KEY = "/v0/entity?id=k000000000";
    private static final int READY_TRIES = 600;
    private static final int READY_PAUSE_MILLIS = 100;

    private final Path root;
    private final Path scratch;
    private final int valueBytes;

    /// @param root source tree, for its launcher
    /// @param scratch a directory of our own
    Subjects(Path root, Path scratch, int valueBytes) {
        this.root = root;
        this.scratch = scratch;
        this.valueBytes = valueBytes;
    }

    /// A node that holds one key.
    Subject node(String executor, List<String> options) throws IOException, InterruptedException {
        Path out = scratch.resolve(executor + ".out");
        List<String> command = new ArrayList<>(List.of(
                root.resolve("kvant").toString(),
                "serve",
                "--port",
                "0",
                "--data",
                scratch.resolve(executor).toString(),
                "--executor",
                executor,
                "--event-loops",
                "1"));
        command.addAll(options);
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(scratch.resolve(executor + ".err").toFile())
                .start();
        for (int i = 0; i < READY_TRIES && process.isAlive(); i++) {
            String text = Files.readString(out);
            if (text.contains("\n")) {
                String url = text.substring("listening on ".length()).strip();
                put(url);
                return new Subject(executor, process, process.pid(), url + KEY);
            }
            Thread.sleep(READY_PAUSE_MILLIS);
        }
        process.destroyForcibly();
        throw new IOException("the node did not start: " + Files.readString(scratch.resolve(executor + ".err")));
    }

    /// nginx with one worker and a static answer.
    Subject nginx(Path program) throws IOException, InterruptedException {
        int port = Tools.freePort();
        Path folder = Files.createDirectory(scratch.resolve("nginx"));
        Path configuration = folder.resolve("nginx.conf");
        Files.writeString(configuration, """
                worker_processes 1; daemon off; pid %1$s/pid; error_log %1$s/error.log;
                events { worker_connections 4096; }
                http {
                    access_log off; keepalive_requests 1000000000; default_type application/octet-stream;
                    client_body_temp_path %1$s/body; proxy_temp_path %1$s/proxy; fastcgi_temp_path %1$s/fastcgi;
                    uwsgi_temp_path %1$s/uwsgi; scgi_temp_path %1$s/scgi;
                    server { listen 127.0.0.1:%2$d; location / { return 200 "%3$s"; } }
                }
                """.formatted(folder, port, "v".repeat(valueBytes)));
        Process process = new ProcessBuilder(
                        program.toString(), "-p", folder.toString(), "-c", configuration.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("out").toFile())
                .start();
        awaitPort(process, port);
        long worker = process.children().findFirst().orElse(process.toHandle()).pid();
        return new Subject("nginx", process, worker, "http://127.0.0.1:" + port + "/");
    }

    /// What stands in for nginx where it is not installed: a selector loop that answers fixed bytes.
    Subject fallback() throws IOException, InterruptedException {
        int port = Tools.freePort();
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        StaticServer.class.getName(),
                        Integer.toString(port),
                        Integer.toString(valueBytes))
                .redirectErrorStream(true)
                .redirectOutput(scratch.resolve("fallback.out").toFile())
                .start();
        awaitPort(process, port);
        return new Subject("static selector loop", process, process.pid(), "http://127.0.0.1:" + port + "/");
    }

    /// Redis with one value, for `redis-benchmark`.
    Subject redis(Path program) throws IOException, InterruptedException {
        int port = Tools.freePort();
        Process process = new ProcessBuilder(
                        program.toString(), "--port", Integer.toString(port), "--bind", "127.0.0.1", "--save", "")
                .redirectErrorStream(true)
                .redirectOutput(scratch.resolve("redis.out").toFile())
                .start();
        awaitPort(process, port);
        return new Subject("redis", process, process.pid(), "redis://127.0.0.1:" + port);
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

    private static void awaitPort(Process process, int port) throws IOException, InterruptedException {
        for (int i = 0; i < READY_TRIES && process.isAlive(); i++) {
            try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return;
            } catch (IOException _) {
                Thread.sleep(READY_PAUSE_MILLIS);
            }
        }
        process.destroyForcibly();
        throw new IOException("nothing listens on port " + port);
    }
}
