package kvant.server.warm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import kvant.engine.Engine;
import kvant.server.AccessOptions;
import kvant.server.LoggedLines;
import kvant.server.MemoryEngine;
import kvant.server.Node;
import kvant.server.NodeOptions;
import kvant.server.RawClient;
import kvant.server.access.Scope;
import kvant.server.access.TokenFile;
import kvant.server.warm.LoopbackClient.WarmUpRequests;
import kvant.server.warm.WarmUp.Scratch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WarmUpTest {

    private static final String READYZ = "GET /readyz?verbose HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final Duration FOR_EVER = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private final AtomicInteger closed = new AtomicInteger();
    private final CountDownLatch ready = new CountDownLatch(1);

    @Test
    void aNodeIsReadyWhenItIsWarm() throws Exception {
        try (MemoryEngine engine = new MemoryEngine();
                Node node = Node.start(options(Duration.ofMillis(300)), engine);
                RawClient client = new RawClient(node.port())) {
            engine.forgetCalls();
            RawClient.Answer before = client.exchange(READYZ);
            assertThat(before.status()).isEqualTo(503);
            assertThat(before.text()).contains("warm-up: failed: code is being compiled");

            try (WarmUp _ = start(node, options(Duration.ofMillis(300)))) {
                assertThat(ready.await(30, TimeUnit.SECONDS)).isTrue();
            }

            RawClient.Answer after = client.exchange(READYZ);
            assertThat(after.status()).isEqualTo(200);
            assertThat(after.text()).containsPattern("warm-up: ok: [1-9][0-9]* requests in [0-9.]+ s");
            assertThat(closed).as("scratch stores that are gone").hasValue(1);
            assertThat(engine.commits()).as("writes to the node's own store").isZero();
        }
    }

    @Test
    void clientsComeFirst() throws Exception {
        try (MemoryEngine engine = new MemoryEngine();
                Node node = Node.start(never(), engine);
                RawClient client = new RawClient(node.port())) {
            client.exchange("GET /v0/entity?id=a HTTP/1.1\r\nHost: localhost\r\n\r\n");
            try (WarmUp _ = start(node, never())) {
                assertThat(ready.await(30, TimeUnit.SECONDS)).isTrue();
                assertThat(client.exchange(READYZ).text()).contains("warm-up: ok: 0 requests in ");
            }
        }
    }

    @Test
    void aNodeThatEndsDoesNotWaitForIt() throws Exception {
        try (MemoryEngine engine = new MemoryEngine();
                Node node = Node.start(options(FOR_EVER), engine)) {
            WarmUp warmUp = start(node, never());
            warmUp.close();
            assertThat(closed).hasValueLessThanOrEqualTo(1);
            assertThat(ready.getCount())
                    .as("nobody is told that the node is ready")
                    .isOne();
        }
    }

    @Test
    void aNodeThatCannotBeWarmedUpIsReady() throws Exception {
        try (MemoryEngine engine = new MemoryEngine();
                Node node = Node.start(options(FOR_EVER), engine);
                RawClient client = new RawClient(node.port());
                WarmUp _ = WarmUp.start(
                        node,
                        options(FOR_EVER),
                        () -> {
                            throw new IOException("no room");
                        },
                        ready::countDown)) {
            assertThat(ready.await(30, TimeUnit.SECONDS)).isTrue();
            RawClient.Answer answer = client.exchange(READYZ);
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.text()).contains("warm-up: ok: failed: the first seconds are slower");
        }
    }

    @Test
    void aNodeThatAnswersItselfTooLateIsReadyAndThatIsNoWarning() throws Exception {
        MemoryEngine scratch = new MemoryEngine();
        scratch.blockCommits(new MemoryEngine.Gate());
        try (LoggedLines log = new LoggedLines("kvant");
                MemoryEngine engine = new MemoryEngine();
                Node node = Node.start(never(), engine);
                RawClient client = new RawClient(node.port());
                WarmUp _ = WarmUp.start(node, never(), () -> new InMemory(scratch), () -> {})) {
            await().until(() -> client.exchange(READYZ).status() == 200);
            assertThat(client.exchange(READYZ).text())
                    .containsPattern("warm-up: ok: [0-9]+ requests in [0-9.]+ s, then an answer came late");
            assertThat(log.lines()).isEmpty();
        }
    }

    /// The node's own requests are ones that a client may send.
    @Test
    void everyRequestOfAWarmUpIsTaken() throws Exception {
        Path tokens = folder.resolve("tokens");
        Files.writeString(tokens, TokenFile.line("t", EnumSet.of(Scope.READ, Scope.WRITE), "secret", 0) + "\n");
        NodeOptions options =
                options(Duration.ZERO).with(o -> o.access = AccessOptions.none().with(a -> a.tokens = tokens));
        try (MemoryEngine engine = new MemoryEngine();
                Node node = Node.start(options, engine);
                RawClient client = new RawClient(node.port())) {
            WarmUpRequests requests = new WarmUpRequests("secret");
            Set<Integer> statuses = new TreeSet<>();
            for (int i = 0; i < 200; i++) {
                statuses.add(client.exchange(new String(requests.next(), StandardCharsets.US_ASCII))
                        .status());
            }
            assertThat(statuses).containsExactly(200, 201, 202, 304, 404, 412);
        }
    }

    @Test
    void whereTheNodeAsksForTokensItsWarmUpDoesToo() throws Exception {
        Path tokens = folder.resolve("tokens");
        Files.writeString(tokens, TokenFile.line("t", EnumSet.of(Scope.READ), "secret", 0) + "\n");
        NodeOptions options = never().with(o -> o.access = AccessOptions.none().with(a -> a.tokens = tokens));
        MemoryEngine scratch = new MemoryEngine();
        try (MemoryEngine engine = new MemoryEngine();
                Node node = Node.start(options, engine);
                WarmUp _ = WarmUp.start(node, options, () -> new InMemory(scratch), ready::countDown)) {
            await().until(() -> scratch.commits() > 0); // writes of a token that the node itself does not know
            assertThat(folder.resolve("scratch/tokens"))
                    .content()
                    .doesNotContain("secret")
                    .contains("warm-up read,write");
        }
    }

    private WarmUp start(Node node, NodeOptions options) {
        return WarmUp.start(node, options, () -> new InMemory(new MemoryEngine()), ready::countDown);
    }

    private static NodeOptions options(Duration warmUp) {
        return NodeOptions.defaults().with(o -> {
            o.port = 0;
            o.eventLoops = 1;
            o.warmUp = warmUp;
        });
    }

    private static NodeOptions never() {
        return options(FOR_EVER);
    }

    private final class InMemory implements Scratch {

        private final MemoryEngine engine;
        private final Path place = folder.resolve("scratch");

        private InMemory(MemoryEngine engine) throws IOException {
            this.engine = engine;
            Files.createDirectories(place);
        }

        @Override
        public Engine engine() {
            return engine;
        }

        @Override
        public Path folder() {
            return place;
        }

        @Override
        public void close() {
            engine.openGates();
            engine.close();
            closed.incrementAndGet();
        }
    }
}
