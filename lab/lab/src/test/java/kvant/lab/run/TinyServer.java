package kvant.lab.run;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;

/// A server of another kind, and one that takes the options of a node: it answers everything with 200 and leaves a file
/// in its folder for data. Options make it misbehave, end after `--answers N`, or start with `--once FILE` only where
/// that file does not exist.
///
///     TinyServer [serve] --port P --data DIR [--behave fail | silent | mute | deaf | collect | busy] [...]
public final class TinyServer {

    private TinyServer() {}

    /// Enough for a share of the processors when other processes want them too.
    private static final int BUSY_THREADS = 4;

    private static int answered;

    public static void main(String[] arguments) throws IOException {
        List<String> words = new ArrayList<>(List.of(arguments));
        String behaviour = option(words, "--behave", System.getProperty("tiny.behave", ""));
        String once = option(words, "--once", "");
        int answers = Integer.parseInt(option(words, "--answers", "0"));
        if (behaviour.equals("fail")
                || !once.isEmpty() && !Path.of(once).toFile().createNewFile()) {
            System.err.println("something before\nit cannot be started like this");
            System.exit(1);
        }
        Path data = Files.createDirectories(Path.of(option(words, "--data", "data")));
        Files.writeString(data.resolve("a file"), "x");
        System.setProperty("sun.net.httpserver.nodelay", "true");
        int port = Integer.parseInt(option(words, "--port", "0"));
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            if (behaviour.equals("mute") && exchange.getRequestMethod().equals("PUT")) {
                exchange.close(); // and no answer
                return;
            }
            if (behaviour.equals("deaf") && exchange.getRequestMethod().equals("PUT")) {
                return; // the connection stays, and nothing comes
            }
            if (behaviour.equals("silent")) {
                exchange.sendResponseHeaders(503, -1);
            } else {
                exchange.sendResponseHeaders(200, 2);
                exchange.getResponseBody().write(new byte[] {'o', 'k'});
            }
            exchange.close();
            count(answers);
        });
        server.start();
        System.out.println(
                "listening on http://127.0.0.1:" + server.getAddress().getPort());
        switch (behaviour) {
            case "collect" -> Thread.ofPlatform().start(TinyServer::collect);
            case "busy" -> {
                for (int i = 0; i < BUSY_THREADS; i++) {
                    Thread.ofPlatform().start(TinyServer::compute);
                }
            }
            default -> {}
        }
    }

    private static synchronized void count(int most) {
        if (++answered == most) {
            Runtime.getRuntime().halt(7);
        }
    }

    /// Never at rest.
    private static void compute() {
        while (true) {
            Thread.onSpinWait();
        }
    }

    /// Pauses that a recording can show.
    private static void collect() {
        while (true) {
            System.gc();
            try {
                Thread.sleep(50);
            } catch (InterruptedException _) {
                return;
            }
        }
    }

    private static String option(List<String> words, String name, String fallback) {
        int at = words.indexOf(name);
        return at < 0 ? fallback : words.get(at + 1);
    }
}
