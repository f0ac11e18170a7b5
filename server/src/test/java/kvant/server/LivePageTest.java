package kvant.server;

import static kvant.server.NodeHarness.bytes;
import static kvant.server.NodeHarness.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import kvant.server.NodeOptions.LivePageKind;
import kvant.server.access.Scope;
import kvant.server.access.TokenFile;
import kvant.server.access.TokenSecret;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Where the live page is, for whom, and what a browser may do with it. LivePageBrowserTest has what it shows.
class LivePageTest {

    private static final String PAGE = request("/ui");
    private static final String SLOW = request("/ui/slow");
    private static final String HISTORY = request("/ui/history");
    private static final String BROWSER = "Accept: text/html,application/xhtml+xml;q=0.9\r\n";

    /// Parts of the page that belong to its key browser.
    private static final List<String> KEY_BROWSER = List.of("id=\"keys\"", "function startKeys(");

    @TempDir
    Path folder;

    private static String request(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: h\r\n\r\n";
    }

    private static NodeHarness node(LivePageKind kind) {
        return new NodeHarness(options -> options.with(o -> o.livePage = kind));
    }

    private static NodeHarness apart(LivePageKind kind) {
        return new NodeHarness(options -> options.with(o -> {
            o.livePage = kind;
            o.access = o.access.with(a -> a.adminPort = 0);
        }));
    }

    private static RawClient admin(NodeHarness harness) throws IOException {
        return new RawClient(URI.create(harness.node.adminUrls().getFirst()).getPort());
    }

    @Test
    void aBrowserMayRunItsScriptAndAskThisNodeAndNothingElse() throws Exception {
        try (NodeHarness harness = NodeHarness.sync()) {
            RawClient.Answer page = harness.client().exchange(PAGE);
            assertThat(page.status()).isEqualTo(200);
            assertThat(page.header("Content-Type")).isEqualTo("text/html; charset=utf-8");
            assertThat(page.header("Content-Security-Policy"))
                    .isEqualTo("default-src 'none'; script-src " + digest(page, "script") + "; style-src "
                            + digest(page, "style") + "; img-src data:; connect-src 'self'; base-uri 'none';"
                            + " form-action 'none'; frame-ancestors 'none'");
            assertThat(page.header("Referrer-Policy")).isEqualTo("no-referrer");
            assertThat(page.text())
                    .doesNotContain(
                            "http://", "https://", "eval(", "innerHTML", "insertAdjacentHTML", "{{style", "{{keys")
                    .doesNotContain("document.write", "localStorage", "document.cookie", " style=", " onclick=");
            assertThat(harness.client().exchange(get("none")).head()).doesNotContain("Content-Security-Policy");
        }
    }

    private static String digest(RawClient.Answer page, String tag) throws Exception {
        byte[] body = page.text().getBytes(StandardCharsets.ISO_8859_1);
        String html = new String(body, StandardCharsets.UTF_8);
        String text =
                html.substring(html.indexOf("<" + tag + ">") + tag.length() + 2, html.lastIndexOf("</" + tag + ">"));
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
    }

    @Test
    void theKeyBrowserAndThePageCanBeSwitchedOff() throws Exception {
        try (NodeHarness harness = node(LivePageKind.KEYS)) {
            assertThat(harness.client().exchange(PAGE).text()).contains(KEY_BROWSER);
        }
        try (NodeHarness harness = node(LivePageKind.FIGURES)) {
            RawClient.Answer page = harness.client().exchange(PAGE);
            assertThat(page.status()).isEqualTo(200);
            assertThat(page.text()).doesNotContain(KEY_BROWSER);
            assertThat(harness.client().exchange(SLOW).status()).isEqualTo(200);
            assertThat(harness.client().exchange(HISTORY).text()).startsWith("{\"series\":[");
        }
        try (NodeHarness harness = node(LivePageKind.OFF)) {
            assertThat(harness.client().exchange(PAGE).status()).isEqualTo(404);
            assertThat(harness.client().exchange(SLOW).status()).isEqualTo(404);
        }
    }

    @Test
    void onAnAdministrativePortItHasKeysOnlyWhereTheyAreAskedFor() throws Exception {
        try (NodeHarness harness = apart(LivePageKind.AUTO);
                RawClient admin = admin(harness)) {
            assertThat(harness.client().exchange(PAGE).status()).isEqualTo(404);
            assertThat(admin.exchange(PAGE).text()).doesNotContain(KEY_BROWSER);
            assertThat(admin.exchange(SLOW).status()).isEqualTo(200);
            assertThat(admin.exchange(get("k")).status()).isEqualTo(404);
        }
        try (NodeHarness harness = apart(LivePageKind.KEYS);
                RawClient admin = admin(harness)) {
            harness.engine.load(bytes("k"), bytes("value"));
            assertThat(harness.client().exchange(PAGE).status()).isEqualTo(404);
            assertThat(admin.exchange(PAGE).text()).contains(KEY_BROWSER);
            assertThat(admin.exchange(get("k")).text()).isEqualTo("value");
        }
    }

    @Test
    void slowRequestsOnThePageHaveKeysOnlyWhereTheDebugPageIs() throws Exception {
        for (boolean slowPage : List.of(true, false)) {
            try (NodeHarness harness = new NodeHarness(options -> options.with(o -> o.slowPage = slowPage))) {
                assertThat(harness.client().exchange(get("secret")).status()).isEqualTo(404);
                String requests = await().until( // it is listed once its answer has been sent
                                () -> harness.client().exchange(SLOW).text(),
                                text -> text.contains("\"operation\": \"get\""));
                assertThat(requests.contains("secret")).isEqualTo(slowPage);
            }
        }
    }

    @Test
    void theShellIsForEverybodyAndWhatItShowsForAdministrators() throws Exception {
        Path file = folder.resolve("tokens");
        String admin = TokenSecret.generate(new SecureRandom());
        String reader = TokenSecret.generate(new SecureRandom());
        Files.write(
                file,
                List.of(
                        TokenFile.line("admin", EnumSet.of(Scope.ADMIN), admin, 0),
                        TokenFile.line("reader", EnumSet.of(Scope.READ), reader, 0)));
        try (NodeHarness harness =
                new NodeHarness(options -> options.with(o -> o.access = o.access.with(a -> a.tokens = file)))) {
            RawClient client = harness.client();
            assertThat(client.exchange(PAGE).status()).isEqualTo(200);
            assertThat(client.exchange(SLOW).status()).isEqualTo(401);
            assertThat(client.exchange(with(reader)).status()).isEqualTo(403);
            assertThat(client.exchange(with(admin)).status()).isEqualTo(200);
            assertThat(client.exchange(HISTORY).status()).isEqualTo(401);
        }
    }

    @Test
    void aBrowserIsLedToThePageAndNoOtherClient() throws Exception {
        String root = request("/");
        try (NodeHarness harness = NodeHarness.sync()) {
            RawClient client = harness.client();
            RawClient.Answer moved = client.exchange(root.replace("Host", BROWSER + "Host"));
            assertThat(moved.status()).isEqualTo(302);
            assertThat(moved.header("Location")).isEqualTo("/ui");
            assertThat(moved.header("Cache-Control")).isEqualTo("no-store");
            for (String other : List.of("", "Accept: */*\r\n", "Accept: text/html;q=0\r\n")) {
                assertThat(client.exchange(root.replace("Host", other + "Host")).status())
                        .as(other)
                        .isEqualTo(404);
            }
            assertThat(client.exchange(request("/ui").replace("Host", BROWSER + "Host"))
                            .status())
                    .isEqualTo(200);
        }
        try (NodeHarness harness = node(LivePageKind.OFF)) {
            assertThat(harness.client()
                            .exchange(root.replace("Host", BROWSER + "Host"))
                            .status())
                    .isEqualTo(404);
        }
    }

    private static String with(String secret) {
        return SLOW.replace("Host: h\r\n", "Host: h\r\nAuthorization: Bearer " + secret + "\r\n");
    }
}
