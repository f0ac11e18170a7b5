package kvant.client;

import static kvant.client.TestNode.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvant.client.FaultyProxy.Fault;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The client against a busy or slow node, and on a network that loses requests or answers.
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class FaultsTest {

    private static final Key KEY = Key.of("k");
    private static final Fault LOST = new Fault.Cut(0);
    private static final Fault HELD = new Fault.Stall(0);
    private static final PutOptions ONCE = PutOptions.defaults().when(Condition.absent());
    private static final Pattern TOLD = Pattern.compile("\r\nKvant-Deadline-Millis: (\\d+)\r\n");

    @TempDir
    static Path folder;

    private static TestNode node;

    private FaultyProxy proxy;

    @BeforeAll
    static void start() {
        node = TestNode.start(folder);
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    @BeforeEach
    void open() {
        proxy = new FaultyProxy(node.port());
        node.client().delete(KEY);
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
    }

    private KvantClient client() {
        return client(o -> {});
    }

    /// Waits little between tries.
    private KvantClient client(Consumer<ClientOptions.Draft> change) {
        return KvantClient.of(ClientOptions.of(proxy.url())
                .with(o -> {
                    o.firstBackoff = Duration.ofMillis(5);
                    o.longestBackoff = Duration.ofMillis(20);
                })
                .with(change));
    }

    private Optional<String> stored() {
        return node.client().get(KEY).map(Value::text);
    }

    @Test
    void aBusyNodeIsAskedAgainWhenItSays() {
        proxy.next(1, FaultyProxy.busy("1"));
        long start = System.nanoTime();

        client().put(KEY, bytes("v"), ONCE); // it was not executed, so that the condition does not matter

        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(TimeUnit.SECONDS.toNanos(1));
        assertThat(proxy.requests()).hasSize(2);
        assertThat(stored()).contains("v");
    }

    @Test
    void whoIsToComeBackAfterTheDeadlineDoesNotWaitForIt() {
        proxy.next(1, FaultyProxy.busy("30"));
        KvantClient hasty = client().within(Duration.ofSeconds(20));
        long start = System.nanoTime();

        assertThatThrownBy(() -> hasty.put(KEY, bytes("v")))
                .isInstanceOfSatisfying(
                        KvantException.Unavailable.class,
                        e -> assertThat(e.problem().orElseThrow().is("overloaded"))
                                .isTrue())
                .hasMessage("PUT " + proxy.url() + "/v0/entity: 503 Overloaded: said the proxy (1 try)");
        assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(15));
    }

    @Test
    void aPutWhoseAnswerIsLostIsSentAgain() {
        proxy.next(2, LOST);

        client().put(KEY, bytes("v"));

        assertThat(proxy.requests()).hasSize(3);
        assertThat(stored()).contains("v");
    }

    @Test
    void aBatchWhoseAnswerIsLostIsSentAgain() {
        proxy.next(1, LOST);

        client().write(new Batch().put(KEY, bytes("v")));

        assertThat(proxy.requests()).hasSize(2);
        assertThat(stored()).contains("v");
    }

    @Test
    void aConditionalWriteWhoseAnswerIsLostIsNotSentAgain() {
        proxy.next(1, LOST);

        assertThatThrownBy(() -> client().put(KEY, bytes("v"), ONCE))
                .isInstanceOf(KvantException.OutcomeUnknown.class)
                .hasMessageContaining("it may have been applied");

        assertThat(proxy.requests()).hasSize(1);
        assertThat(stored()).contains("v"); // and it has been
    }

    @Test
    void aPutWhoseAnswerIsLostAndThatIsThenRefusedMayHaveBeenApplied() {
        proxy.next(1, LOST).next(9, FaultyProxy.problem(507, "storage-full", "Storage full", ""));

        assertThatThrownBy(() -> client().put(KEY, bytes("v")))
                .isInstanceOfSatisfying(
                        KvantException.OutcomeUnknown.class,
                        e -> assertThat(e.problem().orElseThrow().status()).isEqualTo(507));
        assertThat(proxy.requests()).hasSize(2);
    }

    @Test
    void aProxyThatSaysUnavailableIsNotBelievedToHaveExecutedNothing() {
        proxy.next(1, FaultyProxy.answer(503, "", "<html>no backend</html>"));

        assertThatThrownBy(() -> client().put(KEY, bytes("v"), ONCE)).isInstanceOf(KvantException.OutcomeUnknown.class);
        assertThat(proxy.requests()).hasSize(1);
    }

    @Test
    void aWriteThatFailedInTheNodeMayHaveBeenApplied() {
        proxy.next(2, FaultyProxy.problem(500, "io", "Storage failed", ""));

        assertThatThrownBy(() -> client().put(KEY, bytes("v"))).isInstanceOf(KvantException.OutcomeUnknown.class);
        assertThatThrownBy(() -> client().get(KEY)).isInstanceOf(KvantException.Failed.class);
        assertThat(proxy.requests()).hasSize(2);
    }

    @Test
    void aSlowNodeIsWaitedForUntilTheDeadlineAndIsToldIt() {
        proxy.next(1, HELD);
        KvantClient hasty = client().within(Duration.ofMillis(300));
        long start = System.nanoTime();

        assertThatThrownBy(() -> hasty.get(KEY))
                .isInstanceOf(KvantException.DeadlinePassed.class)
                .hasMessageContaining("no answer within 300 ms");

        long took = System.nanoTime() - start;
        assertThat(took).isBetween(TimeUnit.MILLISECONDS.toNanos(290), TimeUnit.SECONDS.toNanos(5));
        await().until(() -> proxy.leftByClient() == 1);
        Matcher told = TOLD.matcher(proxy.requests().getFirst());
        assertThat(told.find()).isTrue();
        assertThat(Integer.parseInt(told.group(1))).isBetween(1, 300);
    }

    @Test
    void theDeadlineHoldsOverAllTries() {
        proxy.next(9, FaultyProxy.busy("1"));
        KvantClient hasty = client(o -> o.tries = 9).within(Duration.ofMillis(2500));

        assertThatThrownBy(() -> hasty.get(KEY)).isInstanceOf(KvantException.Unavailable.class);

        assertThat(proxy.requests()).hasSize(3); // at 0, 1 and 2 s
        Matcher told = TOLD.matcher(proxy.requests().getLast());
        assertThat(told.find()).isTrue();
        assertThat(Integer.parseInt(told.group(1))).isBetween(1, 500);
    }

    @Test
    void aWriteWithoutAnAnswerInTimeMayHaveBeenApplied() {
        proxy.next(1, HELD);
        KvantClient hasty = client().within(Duration.ofMillis(300));

        assertThatThrownBy(() -> hasty.put(KEY, bytes("v"))).isInstanceOf(KvantException.OutcomeUnknown.class);
    }

    @Test
    void triesAgainShareABudget() {
        proxy.next(99, FaultyProxy.busy("0"));
        KvantClient client = client(o -> {
            o.retryShare = 0;
            o.retryBurst = 5;
        });

        for (int i = 0; i < 10; i++) {
            assertThatThrownBy(() -> client.get(KEY)).isInstanceOf(KvantException.Unavailable.class);
        }

        assertThat(proxy.requests()).hasSize(10 + 5);
    }

    @Test
    void aCallIsTriedSoOftenAndNoMore() {
        proxy.next(99, new Fault.Cut(10)); // of an answer of which nothing came the JDK asks once more by itself

        assertThatThrownBy(() -> client(o -> o.tries = 3).get(KEY))
                .isInstanceOf(KvantException.Unavailable.class)
                .hasMessageContaining("(3 tries)");
        assertThat(proxy.requests()).hasSize(3);
    }

    @Test
    void aNodeThatIsNotThereHasExecutedNothing() throws IOException {
        int free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
        }
        KvantClient lonely = client(o -> {
            o.node = URI.create("http://127.0.0.1:" + free);
            o.tries = 2;
        });

        assertThatThrownBy(() -> lonely.put(KEY, bytes("v"), ONCE))
                .isInstanceOf(KvantException.Unavailable.class)
                .hasMessageContaining("(2 tries)");
    }

    @Test
    void anAnswerThatIsTooLongIsGivenUp() {
        node.client().put(KEY, new byte[100_000]);
        KvantClient small = client(o -> o.maxAnswerBytes = 99_999);

        assertThatThrownBy(() -> small.get(KEY))
                .isInstanceOf(KvantException.Failed.class)
                .hasMessageContaining("maxAnswerBytes");
        assertThat(proxy.requests()).hasSize(1);
        assertThat(client(o -> o.maxAnswerBytes = 100_000).get(KEY)).isPresent();
    }

    @Test
    void anAnswerThatIsNoNodesIsNotTakenForAValue() {
        proxy.next(1, FaultyProxy.answer(404, "", "not here"))
                .next(1, FaultyProxy.answer(200, "", "a page without a version"))
                .next(1, FaultyProxy.answer(302, "Location: /elsewhere\r\n", ""));

        assertThatThrownBy(() -> client().get(KEY)).isInstanceOf(KvantException.Refused.class);
        assertThatThrownBy(() -> client().get(KEY)).isInstanceOf(KvantException.Failed.class);
        assertThatThrownBy(() -> client().get(KEY)).isInstanceOf(KvantException.Failed.class);
        assertThat(proxy.requests()).hasSize(3);
    }

    @Test
    void whatAnErrorRepeatsOfAnAnswerIsOneLine() {
        proxy.next(1, FaultyProxy.problem(507, "storage-full", "a\\nb\\u001b[2J", ""));

        assertThatThrownBy(() -> client().put(KEY, bytes("v")))
                .hasMessage("PUT " + proxy.url() + "/v0/entity: 507 a b [2J: said the proxy (1 try)");
    }

    @Test
    void whoIsInterruptedStopsWaiting() throws InterruptedException {
        proxy.next(1, HELD);
        KvantClient client = client(o -> o.deadline = Duration.ofMinutes(1));
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread waiting = Thread.ofPlatform().start(() -> {
            try {
                client.get(KEY);
                thrown.complete(new AssertionError("it answered"));
            } catch (KvantException e) {
                thrown.complete(Thread.currentThread().isInterrupted() ? e : new AssertionError("not interrupted"));
            }
        });
        await().until(() -> proxy.requests().size() == 1);
        waiting.interrupt();

        assertThat(thrown.join()).isInstanceOf(KvantException.Interrupted.class);
        await().until(() -> proxy.leftByClient() == 1);
        waiting.join();
    }

    @Test
    void aCallThatIsCancelledLetsTheNodeGo() {
        proxy.next(1, HELD);
        KvantClient patient = client(o -> o.deadline = Duration.ofMinutes(1));
        CompletableFuture<Void> delete = patient.async().delete(KEY, Condition.none());
        await().until(() -> proxy.requests().size() == 1);

        delete.cancel(true);

        await().until(() -> proxy.leftByClient() == 1);
        assertThat(proxy.requests()).hasSize(1);
    }
}
