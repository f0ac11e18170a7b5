package kvant.client;

import static kvant.client.TestNode.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import kvant.server.AccessOptions;
import kvant.server.TestCertificates;
import kvant.server.access.Scope;
import kvant.server.access.TokenFile;
import kvant.server.access.TokenSecret;
import kvant.server.http.tls.TlsContext.TlsFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A node that asks for a token, and one that speaks TLS.
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SecurityTest {

    private static final Key KEY = Key.of("k");

    @TempDir
    Path folder;

    private final String app = TokenSecret.generate(new SecureRandom());
    private final String slow = TokenSecret.generate(new SecureRandom());
    private final String reader = TokenSecret.generate(new SecureRandom());

    private TestNode guarded() throws IOException {
        Path tokens = folder.resolve("tokens");
        Files.write(
                tokens,
                List.of(
                        TokenFile.line("app", EnumSet.of(Scope.READ, Scope.WRITE), app, 0),
                        TokenFile.line("slow", EnumSet.of(Scope.READ), slow, 1),
                        TokenFile.line("reader", EnumSet.of(Scope.READ), reader, 0)));
        return TestNode.start(
                folder,
                options -> options.with(o -> o.access = AccessOptions.none().with(a -> a.tokens = tokens)));
    }

    private static KvantClient with(TestNode node, String token) {
        return KvantClient.of(ClientOptions.of(node.url()).with(o -> o.token = () -> token));
    }

    @Test
    void aTokenIsShownAndAWrongOneIsRefused() throws IOException {
        try (TestNode node = guarded()) {
            with(node, app).put(KEY, bytes("v"));

            assertThat(with(node, reader).get(KEY)).isPresent();
            assertThatThrownBy(() -> with(node, reader).delete(KEY))
                    .isInstanceOf(KvantException.Refused.class)
                    .hasMessageContaining("403 Not allowed");
            String wrong = TokenSecret.generate(new SecureRandom());
            assertThatThrownBy(() -> with(node, wrong).get(KEY))
                    .isInstanceOf(KvantException.Refused.class)
                    .hasMessageContaining("401 Wrong token")
                    .hasMessageContaining("(1 try)")
                    .message()
                    .doesNotContain(wrong);
            assertThatThrownBy(() -> node.client().get(KEY)).hasMessageContaining("401 Token required");
            assertThatThrownBy(() -> with(node, "two words").get(KEY)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aTokenIsReadFromAFileAgainWhenThatChanges() throws IOException {
        Path file = folder.resolve("app.token");
        Files.writeString(file, reader + "\n");
        try (TestNode node = guarded()) {
            KvantClient client =
                    KvantClient.of(ClientOptions.of(node.url()).with(o -> o.token = BearerToken.file(file)));
            assertThatThrownBy(() -> client.put(KEY, bytes("v"))).hasMessageContaining("403 Not allowed");

            Files.writeString(file, app + "\n");
            Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(5)));
            client.put(KEY, bytes("v"));

            Files.delete(file);
            assertThatThrownBy(() -> client.get(KEY)).hasMessageContaining("cannot read the token in " + file);
        }
    }

    /// A token supplier that does not answer delays no call beyond its deadline.
    @Test
    void aTokenThatComesTooLateIsNotWaitedFor() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        try (FaultyProxy proxy = new FaultyProxy(1)) {
            KvantClient client = triedAgain(proxy, () -> waitFor(over));

            assertThatThrownBy(() -> client.within(Duration.ofSeconds(3)).get(KEY))
                    .isInstanceOf(KvantException.Unavailable.class)
                    .hasMessageContaining("503 Overloaded: said the proxy (1 try)");

            over.countDown();
        }
    }

    /// Nothing is sent that would be answered too late, so that a write was surely not applied.
    @Test
    void aCallWhoseFirstTokenComesTooLateIsNotSent() throws Exception {
        try (FaultyProxy proxy = new FaultyProxy(1)) {
            long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(100);
            KvantClient client = KvantClient.of(ClientOptions.of(proxy.url())
                    .with(o -> o.token = () -> {
                        while (System.nanoTime() - until < 0) {
                            Thread.onSpinWait();
                        }
                        return app;
                    }));

            assertThatThrownBy(() -> client.within(Duration.ofMillis(20)).put(KEY, bytes("v")))
                    .isInstanceOf(KvantException.Unavailable.class)
                    .hasMessageContaining("no answer within 20 ms (0 tries)");
            assertThat(proxy.requests()).isEmpty();
        }
    }

    /// A call that was cancelled must not be applied later.
    @Test
    void aCallThatEndedWhileItsTokenWasAwaitedIsNotSent() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        CountDownLatch awaited = new CountDownLatch(1);
        try (FaultyProxy proxy = new FaultyProxy(1)) {
            KvantClient client = triedAgain(proxy, () -> {
                awaited.countDown();
                waitFor(over);
            });
            CompletableFuture<Void> delete = client.async().delete(KEY, Condition.none());
            awaited.await();
            delete.cancel(true);
            over.countDown();
            proxy.next(9, FaultyProxy.answer(404, "", "not here"));
            for (int i = 0; i < 5; i++) {
                assertThatThrownBy(() -> client.get(KEY)).isInstanceOf(KvantException.Refused.class);
            }
            assertThat(proxy.requests())
                    .filteredOn(head -> head.startsWith("DELETE "))
                    .hasSize(1);
        }
    }

    /// An error that is no exception, such as the one of a class that is missing.
    @Test
    void whateverTheSupplierOfATokenThrowsEndsTheCall() throws IOException {
        try (FaultyProxy proxy = new FaultyProxy(1)) {
            KvantClient client = triedAgain(proxy, () -> {
                throw new NoClassDefFoundError("of the supplier");
            });

            assertThatThrownBy(() -> client.get(KEY)).hasStackTraceContaining("of the supplier");
        }
    }

    /// @param second what its supplier does when it is asked the second time
    private KvantClient triedAgain(FaultyProxy proxy, Runnable second) {
        AtomicInteger asked = new AtomicInteger();
        proxy.next(1, FaultyProxy.busy("0"));
        return KvantClient.of(ClientOptions.of(proxy.url()).with(o -> {
            o.firstBackoff = Duration.ofMillis(1);
            o.token = () -> {
                if (asked.incrementAndGet() == 2) {
                    second.run();
                }
                return app;
            };
        }));
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aRateIsWaitedFor() throws IOException {
        try (TestNode node = guarded()) {
            KvantClient client = with(node, slow);
            assertThat(client.get(KEY)).isEmpty();
            long start = System.nanoTime();

            assertThat(client.get(KEY)).isEmpty(); // 429 first: one request a second

            assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(900));
        }
    }

    @Test
    void aNodeIsTrustedByItsCertificateAlone() throws IOException {
        Path certificate = folder.resolve("node.pem");
        Path other = folder.resolve("other.pem");
        Path key = folder.resolve("node.key");
        Files.writeString(certificate, TestCertificates.NODE.certificatePem());
        Files.writeString(other, TestCertificates.RENEWED.certificatePem());
        Files.writeString(key, TestCertificates.NODE.keyPem());
        try (TestNode node = TestNode.start(
                folder,
                options -> options.with(o -> o.access =
                        AccessOptions.none().with(a -> a.tls = new TlsFiles(certificate, key, null, false))))) {
            KvantClient client = trusting(node, certificate);
            client.put(KEY, bytes("over TLS"));
            assertThat(client.get(KEY).orElseThrow().text()).isEqualTo("over TLS");

            assertThatThrownBy(() -> trusting(node, other).put(KEY, bytes("no")))
                    .isInstanceOf(KvantException.Refused.class)
                    .hasMessageContaining("(1 try)");
            assertThatThrownBy(() -> node.client().get(KEY)).isInstanceOf(KvantException.Refused.class);
            assertThat(client.get(KEY).orElseThrow().text()).isEqualTo("over TLS");
        }
        Files.writeString(other, "nothing");
        assertThatThrownBy(() -> Trust.only(other)).hasMessageContaining("holds no certificates");
    }

    @Test
    void certificatesThatAreNotThereAreSaidInOneLine() {
        Path missing = folder.resolve("ca.pem");

        assertThatThrownBy(() -> Trust.only(missing))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessage("cannot read the certificates in " + missing);
    }

    private static KvantClient trusting(TestNode node, Path certificate) {
        SSLContext context = Trust.only(certificate);
        return KvantClient.of(ClientOptions.of(node.url()).with(o -> o.tls = context));
    }
}
