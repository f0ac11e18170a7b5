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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import kvant.bench.process.KvantProgram;
import kvant.bench.process.Programs;
import kvant.bench.process.Workbench;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// Starts servers, each with a value of the same size, and one event loop unless the run says otherwise. They end
/// with the workbench. With a certificate all of them speak TLS.
public final class Subjects {

    private static final String KEY = "/v0/entity?id=k000000000";
    private static final int READY_TRIES = 600;
    private static final int READY_PAUSE_MILLIS = 100;
    private static final int STOP_SECONDS = 20;
    private static final int TOKEN_SECONDS = 30;
    private static final int CREATED = 201;

    /// What a node prefers.
    private static final String CIPHER = "TLS_AES_128_GCM_SHA256";

    private final Workbench bench;
    private final int valueBytes;
    private final @Nullable Certificate certificate;
    private final List<String> prefix;

    public Subjects(Workbench bench, int valueBytes) {
        this(bench, valueBytes, null, List.of());
    }

    /// @param prefix words before those that start a server; they must become the server (`exec`)
    Subjects(Workbench bench, int valueBytes, @Nullable Certificate certificate, List<String> prefix) {
        this.bench = bench;
        this.valueBytes = valueBytes;
        this.certificate = certificate;
        this.prefix = prefix;
    }

    /// A node that holds one key.
    Subject node(String executor, int loops) throws IOException, InterruptedException {
        return node(name(executor, loops), executor, loops, List.of(), List.of());
    }

    private static String name(String executor, int loops) {
        return loops == 1 ? executor : executor + ", " + loops + " loops";
    }

    /// A node that asks for a token, and holds one key.
    Subject nodeWithTokens(String executor, int loops) throws IOException, InterruptedException {
        String name = name(executor, loops) + ", token";
        Path file = bench.folder().resolve(name);
        return node(name, executor, loops, List.of("--tokens", file.toString()), List.of(newToken(file)));
    }

    /// A node that writes a line for each request.
    ///
    /// @param tokens whether it asks for a token, too
    Subject nodeWithAccessLog(String executor, int loops, boolean tokens) throws IOException, InterruptedException {
        String name = name(executor, loops) + (tokens ? ", token" : "") + ", access log";
        List<String> options = new ArrayList<>(
                List.of("--access-log", bench.folder().resolve(name + ".log").toString()));
        List<String> headers = new ArrayList<>();
        if (tokens) {
            Path file = bench.folder().resolve(name);
            headers.add(newToken(file));
            options.addAll(List.of("--tokens", file.toString()));
        }
        return node(name, executor, loops, options, headers);
    }

    /// @param file where it is put, with nothing before it
    /// @return the header of those that present it
    private static String newToken(Path file) throws IOException, InterruptedException {
        List<String> made = List.of("token", "new", "bench", "--scope", "read,write", "--tokens", file.toString());
        return "Authorization: Bearer " + KvantProgram.run(made, TOKEN_SECONDS).strip();
    }

    private Subject node(String name, String executor, int loops, List<String> options, List<String> headers)
            throws IOException, InterruptedException {
        int port = Programs.freePort();
        List<String> arguments = new ArrayList<>(List.of("serve", "--port", Integer.toString(port), "--data"));
        arguments.add(bench.folder().resolve(name + ".data").toString());
        arguments.addAll(List.of("--executor", executor, "--event-loops", Integer.toString(loops)));
        arguments.addAll(certificate == null ? List.of() : certificate.options());
        arguments.addAll(options);
        Process process = start(port, KvantProgram.command(List.of(), arguments));
        Subject node = new Subject(name, process.toHandle(), url(port, KEY), headers);
        put(node);
        return node;
    }

    private String url(int port, String path) {
        return (certificate == null ? "http" : "https") + "://127.0.0.1:" + port + path;
    }

    /// One node by its two ports, and once more for batches.
    record TwoPorts(Subject resp, Subject http, Subject batches) {}

    /// A node that syncs every write before it answers, and speaks RESP too.
    TwoPorts respNode(int loops) throws IOException, InterruptedException {
        int port = Programs.freePort();
        int respPort = Programs.freePort();
        List<String> arguments = List.of(
                "serve",
                "--port",
                Integer.toString(port),
                "--resp-port",
                Integer.toString(respPort),
                "--data",
                bench.folder().resolve("resp.data").toString(),
                "--durability",
                "always",
                "--event-loops",
                Integer.toString(loops));
        Process process = start(respPort, KvantProgram.command(List.of(), arguments));
        return new TwoPorts(
                new Subject("kvant", process.toHandle(), "redis://127.0.0.1:" + respPort, List.of()),
                new Subject("kvant by HTTP", process.toHandle(), url(port, ""), List.of()),
                new Subject(
                        "kvant in batches",
                        process.toHandle(),
                        url(port, "/v0/batch"),
                        List.of("Content-Type: application/vnd.kvant.batch")));
    }

    /// nginx with one worker and a static answer, or what stands in for it where it is not installed.
    public Subject fixedAnswer() throws IOException, InterruptedException {
        @Nullable Path nginx = Programs.find("nginx");
        if (nginx == null && certificate != null) {
            throw new UserException("--tls compares with nginx: install it (apt-get install nginx)");
        }
        return nginx == null ? selectorLoop() : nginx(nginx);
    }

    private Subject nginx(Path program) throws IOException, InterruptedException {
        int port = Programs.freePort();
        Path folder = Files.createDirectory(bench.folder().resolve("nginx"));
        Path configuration = folder.resolve("nginx.conf");
        Files.writeString(
                configuration, String.format(Locale.ROOT, """
                worker_processes 1; daemon off; pid %1$s/pid; error_log %1$s/error.log;
                events { worker_connections 4096; }
                http {
                    access_log off; keepalive_requests 1000000000; default_type application/octet-stream;
                    keepalive_timeout 3600s;
                    client_body_temp_path %1$s/body; proxy_temp_path %1$s/proxy; fastcgi_temp_path %1$s/fastcgi;
                    uwsgi_temp_path %1$s/uwsgi; scgi_temp_path %1$s/scgi;
                    server { listen 127.0.0.1:%2$d%3$s location / { return 200 "%4$s"; } }
                }
                """, folder, port, listening(), "v".repeat(valueBytes)));
        Process process =
                start(port, List.of(program.toString(), "-p", folder.toString(), "-c", configuration.toString()));
        ProcessHandle worker = process.children().findFirst().orElse(process.toHandle());
        return new Subject("nginx", worker, url(port, "/"), List.of());
    }

    /// What follows the port in its configuration.
    private String listening() {
        return certificate == null
                ? ";"
                : " ssl; ssl_protocols TLSv1.3; ssl_conf_command Ciphersuites " + CIPHER + "; ssl_certificate "
                        + certificate.certificate() + "; ssl_certificate_key " + certificate.key() + ";";
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
        return new Subject("static selector loop", process.toHandle(), url(port, "/"), List.of());
    }

    /// Redis in memory, for `redis-benchmark`.
    Subject redis(Path program) throws IOException, InterruptedException {
        return redis(program, List.of());
    }

    /// Redis that appends every write to a file and syncs it before it answers.
    Subject durableRedis(Path program) throws IOException, InterruptedException {
        return redis(program, List.of("--appendonly", "yes", "--appendfsync", "always"));
    }

    private Subject redis(Path program, List<String> options) throws IOException, InterruptedException {
        int port = Programs.freePort();
        List<String> command = new ArrayList<>(List.of(
                program.toString(),
                "--port",
                Integer.toString(port),
                "--bind",
                "127.0.0.1",
                "--dir",
                bench.folder().toString(),
                "--save",
                ""));
        command.addAll(options);
        Process process = start(port, command);
        return new Subject("redis", process.toHandle(), "redis://127.0.0.1:" + port, List.of());
    }

    /// Stores the value, as soon as the node is ready.
    private void put(Subject node) throws IOException, InterruptedException {
        HttpClient.Builder builder = HttpClient.newBuilder();
        if (certificate != null) {
            builder.sslContext(certificate.trusted());
        }
        HttpRequest.Builder put = HttpRequest.newBuilder(URI.create(node.url()))
                .PUT(HttpRequest.BodyPublishers.ofString("v".repeat(valueBytes)));
        for (String header : node.headers()) {
            int colon = header.indexOf(':');
            put.header(header.substring(0, colon), header.substring(colon + 1).strip());
        }
        try (HttpClient client = builder.build()) {
            int status = 0;
            for (int i = 0; i < READY_TRIES && status != CREATED; i++) {
                Thread.sleep(i == 0 ? 0 : READY_PAUSE_MILLIS);
                status = client.send(put.build(), HttpResponse.BodyHandlers.discarding())
                        .statusCode();
            }
            if (status != CREATED) {
                throw new IOException(node.name() + ": the node answered " + status + " to a put");
            }
        }
    }

    /// Starts a program and waits until it listens.
    private Process start(int port, List<String> command) throws IOException, InterruptedException {
        Path log = Files.createTempFile(bench.folder(), "server", ".log");
        List<String> words = new ArrayList<>(prefix);
        words.addAll(command);
        Process process = new ProcessBuilder(words)
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
