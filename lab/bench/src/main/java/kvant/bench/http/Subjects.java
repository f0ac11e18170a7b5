package kvant.bench.http;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import kvant.bench.process.Generator;
import kvant.lab.process.KvantProgram;
import kvant.lab.process.ProgramPath;
import kvant.lab.process.Programs;
import kvant.lab.process.Workbench;
import kvant.lab.run.ServedNode;
import kvant.load.http.Target;
import kvant.load.keys.KeyText;
import kvant.load.net.Trust;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// Starts servers with a value of the same size, and one event loop unless configured otherwise. They end with the
/// workbench. With a certificate all of them use TLS.
public final class Subjects {

    private static final KeyText ONE_KEY = new KeyText("k", 9);
    private static final String KEY = "/v0/entity?id=k000000000";

    /// The cipher preferred by a node.
    private static final String CIPHER = "TLS_AES_128_GCM_SHA256";

    private final Workbench bench;
    private final int valueBytes;
    private final @Nullable Certificate certificate;
    private final List<String> prefix;

    public Subjects(Workbench bench, int valueBytes) {
        this(bench, valueBytes, null, List.of());
    }

    /// @param prefix words before the command of a server; they must replace themselves by the server (`exec`)
    Subjects(Workbench bench, int valueBytes, @Nullable Certificate certificate, List<String> prefix) {
        this.bench = bench;
        this.valueBytes = valueBytes;
        this.certificate = certificate;
        this.prefix = prefix;
    }

    /// A node with one key.
    ///
    /// @param token whether it requires authentication
    /// @param accessLog whether it logs each request
    Subject node(String executor, int loops, boolean token, boolean accessLog) throws IOException {
        String name = executor
                + (loops == 1 ? "" : ", " + loops + " loops")
                + (token ? ", token" : "")
                + (accessLog ? ", access log" : "");
        List<String> options = new ArrayList<>(certificate == null ? List.of() : certificate.options());
        List<String> headers = new ArrayList<>();
        if (token) {
            Path file = bench.folder().resolve(name + ".tokens");
            headers.add(newToken(file));
            options.addAll(List.of("--tokens", file.toString()));
        }
        if (accessLog) {
            options.addAll(List.of(
                    "--access-log", bench.folder().resolve(name + ".log").toString()));
        }
        ServedNode.Start how = ServedNode.Start.of("--executor", executor, "--event-loops", Integer.toString(loops))
                .with(options)
                .prefixed(prefix);
        ServedNode node = ServedNode.start(bench, name, how);
        return holding(new Subject(name, node, node.url() + KEY, headers));
    }

    /// @param file new token file of the server
    /// @return the header for authenticated requests
    private static String newToken(Path file) throws IOException {
        List<String> made = List.of("token", "new", "bench", "--scope", "read,write", "--tokens", file.toString());
        return "Authorization: Bearer " + Programs.run(KvantProgram.command(List.of(), made));
    }

    /// Puts the value under the server's one key.
    private Subject holding(Subject subject) {
        Generator.fill(Generator.plan(Target.parse(subject.server().url()), "get", 1, valueBytes, 1)
                .with(p -> {
                    p.workload = p.workload.with(w -> w.keyText = ONE_KEY);
                    p.headers = subject.headers();
                    p.trust = Trust.blind();
                }));
        return subject;
    }

    /// nginx with one worker and a static answer; if it is not installed, one-nio with one key is used in its place.
    public Subject fixedAnswer() throws IOException {
        @Nullable Path nginx = ProgramPath.find("nginx");
        if (nginx == null && certificate != null) {
            throw new UserException("--tls compares with nginx: install it (apt-get install nginx)");
        }
        return nginx == null ? oneNio() : nginx(nginx);
    }

    private Subject nginx(Path program) throws IOException {
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
        return program(
                "nginx",
                certificate == null ? Target.HTTP : Target.HTTPS,
                port,
                List.of(program.toString(), "-p", folder.toString(), "-c", configuration.toString()));
    }

    /// The text after the port in nginx's configuration.
    private String listening() {
        return certificate == null
                ? ";"
                : " ssl; ssl_protocols TLSv1.3; ssl_conf_command Ciphersuites " + CIPHER + "; ssl_certificate "
                        + certificate.certificate() + "; ssl_certificate_key " + certificate.key() + ";";
    }

    private Subject oneNio() throws IOException {
        int port = Programs.freePort();
        String data = bench.folder().resolve("one-nio").toString();
        List<String> words = List.of("one-nio", "--port", Integer.toString(port), "--data", data);
        ServedNode server = ServedNode.program(
                bench, "one-nio", started(KvantProgram.bench(words)), "http://127.0.0.1:" + port + "/readyz");
        return holding(new Subject("one-nio", server, server.url() + KEY, List.of()));
    }

    /// Redis, for `redis-benchmark`.
    ///
    /// @param durable whether it appends every write to a file and syncs it before it answers
    Subject redis(Path program, boolean durable) throws IOException {
        int port = Programs.freePort();
        List<String> command = new ArrayList<>(List.of(program.toString(), "--port", Integer.toString(port)));
        command.addAll(List.of("--bind", "127.0.0.1", "--dir", bench.folder().toString(), "--save", ""));
        if (durable) {
            command.addAll(List.of("--appendonly", "yes", "--appendfsync", "always"));
        }
        return program("redis", Target.REDIS, port, command);
    }

    /// etcd, accessed through its JSON gateway.
    Subject etcd(Path program) throws IOException {
        int port = Programs.freePort();
        String clients = "http://127.0.0.1:" + port;
        String peers = "http://127.0.0.1:" + Programs.freePort();
        List<String> command = new ArrayList<>(List.of(program.toString(), "--log-level", "error"));
        command.addAll(List.of("--data-dir", bench.folder().resolve("etcd").toString()));
        command.addAll(List.of("--listen-client-urls", clients, "--advertise-client-urls", clients));
        command.addAll(List.of("--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers));
        command.addAll(List.of("--initial-cluster", "default=" + peers));
        return Subject.of("etcd", ServedNode.program(bench, "etcd", started(command), clients + "/health"));
    }

    private Subject program(String name, String scheme, int port, List<String> command) throws IOException {
        return Subject.of(
                name, ServedNode.program(bench, name, started(command), scheme + "://127.0.0.1:" + port + "/"));
    }

    private List<String> started(List<String> command) {
        List<String> words = new ArrayList<>(prefix);
        words.addAll(command);
        return words;
    }
}
