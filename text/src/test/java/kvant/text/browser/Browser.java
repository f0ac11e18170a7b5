package kvant.text.browser;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import kvant.text.Json;
import kvant.text.JsonValue;
import org.awaitility.Awaitility;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/// A real browser without a window, spoken to in the DevTools protocol.
public final class Browser implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int LARGEST_ANSWER = 64 << 20;
    private static final int LARGEST_PICTURE = 16_000;

    private final Process process;
    private final HttpClient http = HttpClient.newHttpClient();
    private final WebSocket socket;
    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Long, CompletableFuture<JsonValue>> answers = new ConcurrentHashMap<>();
    private final List<JsonValue> events = new CopyOnWriteArrayList<>();

    /// @param folder for its profile; everything that it writes
    public Browser(Path executable, Path folder) throws IOException {
        process = new ProcessBuilder(
                        executable.toString(),
                        "--headless=new",
                        "--no-sandbox", // in a container there is no user namespace
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--disable-extensions",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--no-first-run",
                        "--no-default-browser-check",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + folder,
                        "about:blank")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("browser.log").toFile())
                .start();
        try {
            socket = connect(folder.resolve("DevToolsActivePort"));
        } catch (RuntimeException e) {
            kill();
            throw e;
        }
        for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
            call(domain + ".enable", "{}");
        }
    }

    private WebSocket connect(Path portFile) {
        String port = Awaitility.await("the browser listens")
                .atMost(PATIENCE)
                .until(() -> Files.exists(portFile) ? Files.readString(portFile) : "", text -> text.contains("\n"))
                .lines()
                .findFirst()
                .orElseThrow();
        String targets = Awaitility.await("the browser has a page")
                .atMost(PATIENCE)
                .ignoreExceptions()
                .until(
                        () -> http.send(
                                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/list"))
                                                .build(),
                                        HttpResponse.BodyHandlers.ofString())
                                .body(),
                        body -> body.contains("\"page\""));
        String url = new JsonValue(parse(targets))
                .list().stream()
                        .filter(target -> target.at("type").text().equals("page"))
                        .map(target -> target.at("webSocketDebuggerUrl").text())
                        .findFirst()
                        .orElseThrow();
        return http.newWebSocketBuilder()
                .connectTimeout(PATIENCE)
                .buildAsync(URI.create(url), new Listener())
                .join();
    }

    private static Object parse(String json) {
        return new Load(LoadSettings.builder().setCodePointLimit(LARGEST_ANSWER).build()).loadFromString(json);
    }

    /// Puts the pieces of messages together.
    private final class Listener implements WebSocket.Listener {

        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                receive(text.toString());
                text.setLength(0);
            }
            from.request(1);
            return CompletableFuture.completedStage(null);
        }
    }

    private void receive(String message) {
        JsonValue json = new JsonValue(parse(message));
        CompletableFuture<JsonValue> waiting = answers.remove(json.at("id").whole());
        if (waiting != null) {
            waiting.complete(json);
        } else {
            events.add(json);
        }
    }

    public JsonValue call(String method, String parameters) {
        int id = ids.incrementAndGet();
        CompletableFuture<JsonValue> answer = new CompletableFuture<>();
        answers.put((long) id, answer);
        socket.sendText("{\"id\": " + id + ", \"method\": \"" + method + "\", \"params\": " + parameters + "}", true)
                .join();
        JsonValue received =
                answer.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
        if (!received.at("error").isMissing()) {
            throw new IllegalStateException(method + ": " + received.at("error").value());
        }
        return received.at("result");
    }

    /// The value of an expression of the page.
    public JsonValue evaluate(String expression) {
        JsonValue result = call(
                "Runtime.evaluate",
                new Json()
                        .open()
                        .put("expression", expression)
                        .put("returnByValue", true)
                        .put("awaitPromise", true)
                        .close()
                        .toString());
        if (!result.at("exceptionDetails").isMissing()) {
            throw new IllegalStateException(
                    String.valueOf(result.at("exceptionDetails").value()));
        }
        return result.at("result").at("value");
    }

    /// Opens a page as a screen of this width sees it, and waits until its script has run.
    public void open(URI page, int width, int height, boolean phone, boolean dark) {
        events.clear();
        screen(width, height, phone, dark);
        call("Page.navigate", "{\"url\": \"" + page + "\"}");
        Awaitility.await("the page is loaded")
                .atMost(PATIENCE)
                .until(() -> events.stream()
                        .anyMatch(event -> event.at("method").text().equals("Page.loadEventFired")));
        awaitFrame();
    }

    /// Shows the same page on another screen.
    public void screen(int width, int height, boolean phone, boolean dark) {
        call(
                "Emulation.setDeviceMetricsOverride",
                "{\"width\": " + width + ", \"height\": " + height + ", \"deviceScaleFactor\": 1, \"mobile\": " + phone
                        + "}");
        call(
                "Emulation.setEmulatedMedia",
                "{\"features\": [{\"name\": \"prefers-color-scheme\", \"value\": \"" + (dark ? "dark" : "light")
                        + "\"}]}");
    }

    /// Waits until the page has been drawn.
    public void awaitFrame() {
        evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))");
    }

    /// The errors of the page, as the browser saw them.
    public List<String> errors() {
        return events.stream()
                .filter(event -> {
                    String method = event.at("method").text();
                    JsonValue parameters = event.at("params");
                    return method.equals("Runtime.exceptionThrown")
                            || method.equals("Runtime.consoleAPICalled")
                                    && parameters.at("type").text().equals("error")
                            || method.equals("Log.entryAdded")
                                    && parameters.at("entry").at("level").text().equals("error");
                })
                .map(event -> String.valueOf(event.value()))
                .toList();
    }

    /// Addresses that the page asked for, except for local files.
    public List<String> requests() {
        return events.stream()
                .filter(event -> event.at("method").text().equals("Network.requestWillBeSent"))
                .map(event -> event.at("params").at("request").at("url").text())
                .filter(url -> !url.startsWith("file:") && !url.startsWith("data:"))
                .toList();
    }

    /// A picture of the whole page.
    public byte[] picture() {
        return picture(LARGEST_PICTURE);
    }

    /// A picture of the page as far down as this.
    public byte[] picture(int mostHeight) {
        JsonValue size = call("Page.getLayoutMetrics", "{}").at("cssContentSize");
        String clip = "{\"x\": 0, \"y\": 0, \"scale\": 1, \"width\": "
                + size.at("width").number() + ", \"height\": "
                + Math.min(size.at("height").number(), mostHeight) + "}";
        return Base64.getDecoder()
                .decode(call(
                                "Page.captureScreenshot",
                                "{\"format\": \"png\", \"captureBeyondViewport\": true, \"clip\": " + clip + "}")
                        .at("data")
                        .text());
    }

    public void key(String key) {
        for (String type : List.of("keyDown", "keyUp")) {
            call(
                    "Input.dispatchKeyEvent",
                    "{\"type\": \"" + type + "\", \"key\": \"" + key + "\", \"code\": \"" + key + "\"}");
        }
    }

    @Override
    public void close() {
        socket.abort();
        http.close();
        kill();
    }

    private void kill() {
        List<ProcessHandle> children = process.descendants().toList();
        process.destroy();
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        children.forEach(ProcessHandle::destroyForcibly);
        children.forEach(child ->
                child.onExit().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join());
    }
}
