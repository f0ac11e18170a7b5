package kvant.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import kvant.engine.Durability;
import kvant.engine.Lookup;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.server.NodeOptions.LivePageKind;
import kvant.server.access.Scope;
import kvant.server.access.TokenFile;
import kvant.server.access.TokenSecret;
import kvant.server.observe.StatusPage;
import kvant.text.Json;
import kvant.text.browser.Browser;
import kvant.text.tool.Tool;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/// The live page in a real browser, where there is one, over the LSM engine. Pictures are left in `target/screenshots`;
/// `-Dkvant.picture.seconds=10` has them show ten seconds of load.
@Timeout(600)
class LivePageBrowserTest {

    private static final String VERSION = "0.3.0"; // shown in the pictures of docs/img
    private static final Path PICTURES = Path.of("target/screenshots");
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int PICTURE_SECONDS = Integer.getInteger("kvant.picture.seconds", 0);
    private static final int PICTURE_HEIGHT = 1470;
    private static final int LOADERS = 3;
    private static final int USERS = 20_000;
    private static final String XSS_KEY = "<img src=x onerror=window.attacked=1>&\"'%";
    private static final String REQUESTS = "document.querySelector('.tile .number').textContent";

    /// The number of colours of the heat map, without the lines of its scale: three are those of percentiles.
    private static final String COLOURS = """
            (() => {
              const canvas = document.getElementById('heat');
              const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
              const seen = new Map();
              for (let i = 0; i < data.length; i += 4) {
                if (data[i + 3] < 255) continue;
                const colour = data[i] + ',' + data[i + 1] + ',' + data[i + 2];
                seen.set(colour, (seen.get(colour) || 0) + 1);
              }
              return [...seen.values()].filter(points => points > 100).length;
            })()
            """;

    private static final String OUTSIDE = """
            [...document.querySelectorAll('.card *')].filter(one => !one.closest('.scroll')
                && one.getBoundingClientRect().right > one.closest('.card').getBoundingClientRect().right + 1)
                .map(one => one.tagName + ' ' + one.textContent).join(', ')
            """;

    @TempDir
    private static Path folder;

    @TempDir(cleanup = CleanupMode.ALWAYS)
    private static Path profile;

    private static Optional<Browser> browser = Optional.empty();

    private final HttpClient http = HttpClient.newHttpClient();

    @BeforeAll
    static void start() throws IOException {
        Path executable = Tool.CHROMIUM.need();
        browser = Optional.of(new Browser(executable, profile));
    }

    @AfterAll
    static void stop() {
        browser.ifPresent(Browser::close);
    }

    /// A node over a store of its own, with small memtables, so that levels fill soon.
    private record Served(LsmEngine engine, Node node) implements AutoCloseable {

        static Served with(UnaryOperator<NodeOptions> change) throws Exception {
            LsmEngine engine = LsmEngine.open(
                    Files.createTempDirectory(folder, "store"),
                    LsmOptions.defaults()
                            .withDurability(Durability.parse("none"))
                            .with(o -> o.memtableBytes = 1 << 20));
            return new Served(
                    engine, Node.start(change.apply(NodeOptions.defaults().with(o -> o.port = 0)), engine));
        }

        boolean has(byte[] key) {
            return engine.get(key) instanceof Lookup.Found;
        }

        URI uri(String path) {
            return URI.create(node.url() + path);
        }

        @Override
        public void close() {
            node.close();
            engine.close();
        }
    }

    private static Browser page() {
        return browser.orElseThrow();
    }

    private static String text(String expression) {
        return page().evaluate(expression).text();
    }

    private static void awaitTrue(String what, String expression) {
        await(what)
                .atMost(PATIENCE)
                .until(() ->
                        page().evaluate("String(!!(" + expression + "))").text().equals("true"));
    }

    private static String quoted(String text) {
        String json = Json.line().open().put("text", text).close().toString();
        return json.substring(json.indexOf(':') + 1, json.lastIndexOf('}'));
    }

    private static void type(String id, String value) {
        page().evaluate("document.getElementById('" + id + "').value = " + quoted(value));
    }

    private static void click(String id) {
        page().evaluate("document.getElementById('" + id + "').click()");
    }

    private int ask(HttpRequest.Builder request) throws Exception {
        return http.send(request.build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    /// Puts and gets until `ends` is set, or one fails.
    private List<Thread> load(Served served, AtomicBoolean ends, Queue<Exception> failures) {
        List<Thread> threads = new ArrayList<>();
        for (int thread = 0; thread < LOADERS; thread++) {
            Random random = new Random(thread);
            threads.add(Thread.ofVirtual().start(() -> {
                try {
                    while (!ends.get()) {
                        putAndGet(served, random);
                    }
                } catch (Exception e) {
                    failures.add(e);
                }
            }));
        }
        return threads;
    }

    private void putAndGet(Served served, Random random) throws Exception {
        int user = random.nextInt(USERS);
        String value = "{\"user\":" + user + ",\"visits\":" + random.nextInt(1000) + ",\"history\":\""
                + "x".repeat(1000) + "\"}";
        URI key = served.uri("/v0/entity?id=user:" + user);
        ask(HttpRequest.newBuilder(key).PUT(HttpRequest.BodyPublishers.ofString(value)));
        ask(HttpRequest.newBuilder(served.uri("/v0/entity?id=user:" + random.nextInt(USERS))));
    }

    private static void noErrors(Served served) {
        assertThat(page().errors())
                .as("errors of scripts, and what the policy forbids")
                .isEmpty();
        assertThat(page().requests())
                .isNotEmpty()
                .allMatch(url -> url.startsWith(served.node().url() + "/"));
    }

    @Test
    void valuesChangeUnderLoadOnEveryScreen() throws Exception {
        AtomicBoolean ends = new AtomicBoolean();
        Queue<Exception> failures = new ConcurrentLinkedQueue<>();
        try (Served served = Served.with(options -> options.with(o -> {
            o.slowPage = true;
            o.identity = new StatusPage.Identity(VERSION, "", "lsm", "always");
        }))) {
            List<Thread> load = load(served, ends, failures);
            page().open(served.uri("/ui"), 1280, 900, false, false);
            awaitTrue("a rate", "!document.getElementById('figures').hidden && !/^0/.test(" + REQUESTS + ")");
            String before = text(REQUESTS);
            awaitTrue("another rate", REQUESTS + " !== " + quoted(before));
            awaitTrue("colours of several buckets", COLOURS + " >= 5");
            awaitTrue("a level", "document.querySelector('#lsm tbody td')?.textContent.startsWith('L')");
            awaitTrue("a slow request and its key", "/user:/.test(document.getElementById('slow').textContent)");
            long begun = System.nanoTime();
            await().atMost(Duration.ofSeconds(PICTURE_SECONDS + 60))
                    .until(() -> System.nanoTime() - begun
                            >= Duration.ofSeconds(PICTURE_SECONDS).toNanos());
            assertThat(text("document.getElementById('state').textContent")).isEqualTo("ready");
            assertThat(text("document.getElementById('stages').textContent")).contains("commit", "engine", "write");
            assertThat(text("document.getElementById('work').textContent")).contains("kvant-worker", "commit group");
            assertThat(text("document.getElementById('lsm').textContent")).contains("compaction debt");
            assertThat(text("document.getElementById('about').textContent"))
                    .startsWith("lsm · " + VERSION + " · up for ");
            type("prefix", "user:1");
            page().evaluate("document.getElementById('scan-form').requestSubmit()");
            awaitTrue("records", "document.querySelectorAll('#records tbody tr').length === 50");
            page().evaluate("document.querySelector('#records button').click()");
            awaitTrue("got", "/^1\\.0. KiB, version/.test(document.getElementById('key-note').textContent)");
            pictures();
            noErrors(served);
            click("pause");
            assertThat(text("document.getElementById('state').textContent")).isEqualTo("paused");
            ends.set(true);
            for (Thread each : load) {
                each.join();
            }
            assertThat(failures).as("requests that failed").isEmpty();
        } finally {
            ends.set(true);
        }
    }

    private static void pictures() throws IOException {
        Files.createDirectories(PICTURES);
        String background = "getComputedStyle(document.body).backgroundColor";
        for (int width : new int[] {1280, 390}) {
            String[] colours = new String[2];
            for (int dark = 0; dark < 2; dark++) {
                boolean phone = width == 390;
                page().screen(width, phone ? 844 : 900, phone, dark == 1);
                page().awaitFrame();
                assertThat(page().evaluate("innerWidth").whole()).isEqualTo(width);
                assertThat(page().evaluate("document.documentElement.scrollWidth")
                                .whole())
                        .as("nothing scrolls sideways but the tables in their boxes")
                        .isLessThanOrEqualTo(width);
                assertThat(text(OUTSIDE)).as("what reaches beyond its card").isEmpty();
                colours[dark] = text(background);
                String name = "ui-" + (phone ? "phone" : "wide") + (dark == 1 ? "-dark" : "-light") + ".png";
                Files.write(PICTURES.resolve(name), page().picture(PICTURE_HEIGHT));
            }
            assertThat(colours[0]).as("light").isNotEqualTo(colours[1]);
        }
    }

    @Test
    void theKeyBrowserReadsAndWritesBytesAndMakesNoMarkupOfThem() throws Exception {
        try (Served served = Served.with(options -> options)) {
            page().open(served.uri("/ui"), 390, 844, true, false);
            awaitTrue("the page is there", "!document.getElementById('figures').hidden");
            type("form", "text");
            type("key", XSS_KEY);
            type("value", "<script>window.attacked=2</script>");
            click("put");
            awaitTrue("put", "/^Put 34 B, version \\d/.test(document.getElementById('key-note').textContent)");
            assertThat(served.has(XSS_KEY.getBytes(StandardCharsets.UTF_8))).isTrue();
            type("form", "hex");
            type("key", "00ff3c");
            type("value", "");
            click("put");
            awaitTrue("put", "/^Put 0 B/.test(document.getElementById('key-note').textContent)");
            assertThat(served.has(HexFormat.of().parseHex("00ff3c"))).isTrue();

            type("form", "percent");
            type("prefix", "<img");
            page().evaluate("document.getElementById('scan-form').requestSubmit()");
            awaitTrue("the record", "document.querySelectorAll('#records tbody tr').length === 1");
            assertThat(text("document.querySelector('#records button').textContent"))
                    .isEqualTo(XSS_KEY.replace("%", "%25"));
            assertThat(text("document.querySelector('#records .value').textContent"))
                    .isEqualTo("<script>window.attacked=2</script>");
            page().evaluate("document.querySelector('#records button').click()");
            awaitTrue("got", "/^34 B, version \\d/.test(document.getElementById('key-note').textContent)");
            type("prefix", "");
            page().evaluate("document.getElementById('scan-form').requestSubmit()");
            awaitTrue("both", "document.querySelectorAll('#records tbody tr').length === 2");
            assertThat(text("document.querySelector('#records button').textContent"))
                    .isEqualTo("%00%FF<");
            assertThat(text("String(window.attacked) + document.querySelectorAll('img, .records script').length"))
                    .isEqualTo("undefined0");

            click("delete");
            assertThat(text("document.getElementById('delete').textContent")).isEqualTo("Really delete?");
            assertThat(served.has(XSS_KEY.getBytes(StandardCharsets.UTF_8))).isTrue();
            click("delete");
            awaitTrue("deleted", "document.getElementById('key-note').textContent === 'Deleted.'");
            assertThat(served.has(XSS_KEY.getBytes(StandardCharsets.UTF_8))).isFalse();
            assertThat(page().evaluate("document.documentElement.scrollWidth").whole())
                    .isLessThanOrEqualTo(390);
            noErrors(served);
        }
    }

    @Test
    void aScriptThatGotIntoThePageWouldNotRun() throws Exception {
        try (Served served = Served.with(options -> options.with(o -> o.livePage = LivePageKind.FIGURES))) {
            page().open(served.uri("/ui"), 1280, 900, false, false);
            awaitTrue("the page is there", "!document.getElementById('figures').hidden");
            assertThat(text("String(document.getElementById('keys'))")).isEqualTo("null");
            noErrors(served);
            page().evaluate("""
                    (() => {
                      const script = document.createElement('script');
                      script.textContent = 'window.attacked = 3';
                      document.body.append(script);
                    })()
                    """);
            assertThat(text("String(window.attacked)")).isEqualTo("undefined");
            assertThat(text("fetch('http://127.0.0.1:9/').then(() => 'sent', error => error.name)"))
                    .isEqualTo("TypeError");
            await().atMost(PATIENCE)
                    .until(() -> page().errors().stream().anyMatch(error -> error.contains("connect-src")));
        }
    }

    @Test
    void aNodeWithTokensIsShownToWhoTypesInTheRightOne() throws Exception {
        Path file = folder.resolve("tokens");
        String admin = TokenSecret.generate(new SecureRandom());
        Files.write(file, List.of(TokenFile.line("admin", EnumSet.of(Scope.ADMIN), admin, 0)));
        try (Served served =
                Served.with(options -> options.with(o -> o.access = o.access.with(a -> a.tokens = file)))) {
            page().open(served.uri("/ui"), 390, 844, true, true);
            awaitTrue("the form", "!document.getElementById('signin').hidden");
            assertThat(text("String(document.getElementById('figures').hidden)"))
                    .isEqualTo("true");
            type("token", "wrong");
            page().evaluate("document.getElementById('token-form').requestSubmit()");
            awaitTrue("a refusal", "/not one of this node/.test(document.getElementById('trouble').textContent)");
            type("token", admin);
            page().evaluate("document.getElementById('token-form').requestSubmit()");
            awaitTrue("the figures", "!document.getElementById('figures').hidden");
            assertThat(text("String(sessionStorage.length + localStorage.length) + document.cookie"))
                    .as("where the token could stay")
                    .isEqualTo("0");
            assertThat(text("document.documentElement.outerHTML")).doesNotContain(admin);
        }
    }
}
