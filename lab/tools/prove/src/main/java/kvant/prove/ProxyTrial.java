package kvant.prove;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import kvant.lab.process.ProgramPath;
import kvant.lab.process.Programs;
import kvant.lab.run.ServedNode;
import kvant.prove.stage.Figures;
import kvant.prove.stage.Stage;
import kvant.prove.stage.Violation;

/// Mutated requests through nginx, which keeps its connections to the node: one that both understand differently leaves
/// bytes there, which the node takes for a request that the proxy has not seen.
final class ProxyTrial {

    private static final int REQUESTS = 500;
    private static final int PATIENCE_MILLIS = 10_000;
    private static final long AGREE_SECONDS = 20;

    /// One process, as the user that started it: a worker of another one could not reach the folder.
    private static final String CONFIGURATION = """
            daemon off; master_process off; pid nginx.pid; error_log error.log;
            events {}
            http {
                log_format seen '"$request_uri" $upstream_status ';
                access_log seen.log seen;
                client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fast; uwsgi_temp_path u;
                scgi_temp_path s;
                upstream node { server %1$s; keepalive 4; }
                server {
                    listen 127.0.0.1:%2$d;
                    proxy_ignore_client_abort on;
                    location / {
                        proxy_pass http://node; proxy_http_version 1.1; proxy_set_header Connection "";
                        proxy_next_upstream off; proxy_set_header Host %1$s;
                    }
                }
            }
            """;

    /// A line about an answered request, in the log of nginx or of the node. 502: the node sent no answer; 499: the
    /// client left.
    private static final Pattern ANSWERED = Pattern.compile("^(?!.*/readyz)[^\"]*\"[^\"]*\" (?!502|499)\\d{3} ");

    private static final String HIDDEN = "DELETE /v0/entity?id=k HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final List<String> REQUESTS_OF_CLIENTS = List.of(
            "GET /v0/entity?id=k HTTP/1.1\r\nHost: a\r\n\r\n",
            "PUT /v0/entity?id=k HTTP/1.1\r\nHost: a\r\nContent-Length: " + HIDDEN.length() + "\r\n\r\n" + HIDDEN,
            "PUT /v0/entity?id=k HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nvalue\r\n0\r\n\r\n"
                    + HIDDEN,
            "GET /v0/entities?prefix=k HTTP/1.1\r\nHost: a\r\n\r\n" + HIDDEN);
    /// What requests are mutated with, separated by bars.
    private static final String[] FRAGMENTS = ("Content-Length: 0\r\n|Content-Length: 5\r\n|Upgrade: h2c\r\n"
                    + "|Transfer-Encoding: chunked\r\n|Transfer-Encoding: x\r\n|Transfer-Encoding:\u000bchunked\r\n"
                    + "|Expect: 100-continue\r\n|Connection: close, Host\r\n|\r\n|\n|\r|\0| |\t|:|;|+|0x|0\r\n\r\n"
                    + "|%00|%0d%0a|/../|//|HTTP/1.0")
            .split("\\|");

    private ProxyTrial() {}

    static String obstacle() {
        return ProgramPath.has("nginx") ? "" : "no program nginx";
    }

    static Figures run(Stage stage) throws Exception {
        Path folder = Files.createDirectories(stage.folder().resolve("proxy"));
        Path served = folder.resolve("served.log");
        ServedNode node = ServedNode.start(stage, "data", Stage.node("--access-log", served.toString()));
        int port = Programs.freePort();
        Path file = folder.resolve("nginx.conf");
        Files.writeString(
                file, String.format(Locale.ROOT, CONFIGURATION, node.target().authority(), port));
        String nginx = String.valueOf(ProgramPath.find("nginx"));
        List<String> command = List.of(nginx, "-p", folder.toString(), "-c", file.toString(), "-e", "error.log");
        ServedNode _ = ServedNode.program(stage, "nginx", command, "http://127.0.0.1:" + port + "/readyz");
        Figures figures = new Figures();
        while (stage.next()) {
            Random random = stage.random(0);
            long before = answered(served);
            for (int i = 0; i < REQUESTS; i++) {
                send(port, mutated(random), figures);
            }
            agree(folder.resolve("seen.log"), served, AGREE_SECONDS);
            if (answered(served) == before) {
                throw new IOException("no request reached the node through the proxy: see " + folder);
            }
            stage.say(figures.add("sent", REQUESTS).toString());
        }
        node.close(); // its log is complete now
        agree(folder.resolve("seen.log"), served, AGREE_SECONDS);
        return figures.add("agreed", answered(served)).add("smuggled", 0);
    }

    /// Waits until the logs of nginx and of the node have as many answered requests.
    static void agree(Path seen, Path served, long seconds) throws IOException, Violation {
        if (!Stage.comes(() -> answered(seen) == answered(served), seconds)) {
            throw new Violation("the proxy had answers for " + answered(seen) + " requests, the node gave "
                    + answered(served) + " (" + seen + ", " + served + ")");
        }
    }

    private static long answered(Path log) throws IOException {
        try (Stream<String> lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
            return lines.filter(line -> ANSWERED.matcher(line).find()).count();
        }
    }

    private static byte[] mutated(Random random) {
        String text = REQUESTS_OF_CLIENTS.get(random.nextInt(REQUESTS_OF_CLIENTS.size()));
        for (int i = random.nextInt(3); i >= 0; i--) {
            int at = random.nextInt(text.length());
            int end = Math.min(text.length(), at + random.nextInt(6));
            String piece = switch (random.nextInt(4)) {
                case 0 -> Character.toString(text.charAt(at) ^ 1 << random.nextInt(8));
                case 1 -> text.substring(0, random.nextInt(at + 1));
                default -> FRAGMENTS[random.nextInt(FRAGMENTS.length)];
            };
            text = text.substring(0, at) + piece + text.substring(random.nextBoolean() ? at : end);
        }
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /// One connection, until the proxy has closed it.
    private static void send(int port, byte[] request, Figures figures) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", port), PATIENCE_MILLIS);
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream().write(request);
            socket.shutdownOutput();
            figures.add("answered", socket.getInputStream().readAllBytes().length > 0 ? 1 : 0);
        } catch (IOException _) {
            // reset, refused or too late: not counted as answered
        }
    }
}
