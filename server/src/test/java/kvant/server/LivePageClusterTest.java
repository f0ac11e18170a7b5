package kvant.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvant.engine.MetricSink;
import kvant.server.observe.StatusPage;
import kvant.text.browser.Browser;
import kvant.text.tool.Tool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/// The live page of a node that serves a cluster, whose figures an engine without a cluster shows here.
@Timeout(300)
class LivePageClusterTest {

    private static final Path PANELS = Path.of("src/main/resources/kvant/server/ui/panels.js");
    private static final Path ADAPTER = Path.of("..", "engine-cassandra", "src", "main", "java");
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String CARD = "document.getElementById('cluster-card')";
    private static final String TEXT = CARD + ".textContent.replace(/\\s+/g, ' ')";
    private static final String LABEL = CARD + ".querySelector('[role=img]').getAttribute('aria-label')";
    private static final String COLOUR = CARD + ".querySelector('.track i').style.background";

    @TempDir(cleanup = CleanupMode.ALWAYS)
    private Path profile;

    private final AtomicInteger up = new AtomicInteger(3);
    private final AtomicLong failures = new AtomicLong();

    private void figures(MetricSink sink) {
        sink.gauge("kvant_cassandra_nodes", "Nodes.", 3);
        sink.gauge("kvant_cassandra_nodes_up", "Nodes that can be used.", up.get());
        sink.gauge("kvant_cassandra_in_flight", "Requests.", 7);
        sink.gauge("kvant_cassandra_pending_bytes", "Bytes.", 2048);
        sink.counter("kvant_cassandra_failures_total", "Failures.", failures.get(), "reason", "timed-out");
        sink.counter("kvant_cassandra_failures_total", "Failures.", failures.get(), "reason", "unavailable");
        sink.counter("kvant_cassandra_retries_total", "Attempts.", 0);
        sink.counter("kvant_cassandra_speculative_total", "Second questions.", 0);
    }

    private static void awaitText(Browser page, String expression, String wanted) {
        await(wanted)
                .atMost(PATIENCE)
                .until(() -> page.evaluate("String(" + expression + ")").text(), text -> text.contains(wanted));
    }

    @Test
    void nodesOfTheClusterAreShownAndOneThatGoes() throws Exception {
        LaterEngine engine = new LaterEngine();
        engine.figures = this::figures;
        try (Node node = Node.start(
                        NodeOptions.defaults().with(o -> {
                            o.port = 0;
                            o.identity = new StatusPage.Identity("test", "", "cassandra", "always");
                        }),
                        engine);
                Browser page = new Browser(Tool.CHROMIUM.need(), profile)) {
            page.open(URI.create(node.url() + "/ui"), 390, 844, true, false);
            awaitText(page, TEXT, "nodes up3 of 3");
            assertThat(page.evaluate("String(" + CARD + ".hidden)").text()).isEqualTo("false");
            assertThat(page.evaluate(LABEL).text()).isEqualTo("3 of 3 nodes are up");
            assertThat(page.evaluate(COLOUR).text()).isEqualTo("var(--good)");
            assertThat(page.evaluate(TEXT).text())
                    .contains("requests in flight7", "bytes of writes in flight2.00 KiB", "failures0 /s");

            up.set(2);
            awaitText(page, TEXT, "nodes up2 of 3");
            assertThat(page.evaluate(LABEL).text()).isEqualTo("2 of 3 nodes are up");
            assertThat(page.evaluate(COLOUR).text()).isEqualTo("var(--bad)");
            await("failures of all reasons").atMost(PATIENCE).until(() -> {
                failures.addAndGet(1000);
                return !page.evaluate(TEXT).text().contains("failures0 /s");
            });
            assertThat(page.errors()).isEmpty();
        }
    }

    @Test
    void aNodeOfItsOwnHasNoSuchPanel() throws Exception {
        try (NodeHarness harness = NodeHarness.async();
                Browser page = new Browser(Tool.CHROMIUM.need(), profile)) {
            page.open(URI.create(harness.node.url() + "/ui"), 390, 844, true, false);
            awaitText(page, "!document.getElementById('figures').hidden", "true");
            assertThat(page.evaluate("String(" + CARD + ".hidden)").text()).isEqualTo("true");
        }
    }

    /// The engine of this test has the figures that the page asks for, and so has the cluster engine.
    @Test
    void thePageAsksForFiguresThatTheClusterEngineHas() throws IOException {
        Set<String> asked = names(Files.readString(PANELS));
        try (Stream<Path> files = Files.walk(ADAPTER)) {
            List<Path> sources = files.filter(Files::isRegularFile).toList();
            StringBuilder all = new StringBuilder();
            for (Path source : sources) {
                all.append(Files.readString(source));
            }
            assertThat(names(all.toString())).containsAll(asked);
        }
        assertThat(asked).hasSize(7);
    }

    private static Set<String> names(String text) {
        return Pattern.compile("[\"'](kvant_cassandra_[a-z_]+)[\"']")
                .matcher(text)
                .results()
                .map((MatchResult found) -> found.group(1))
                .collect(Collectors.toSet());
    }
}
