package kvant.bench.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NewcomerTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Map<String, byte[]> values = new ConcurrentHashMap<>();
    private final CountDownLatch puts = new CountDownLatch(5);
    private volatile int status = 201;
    private HttpServer server;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String key = exchange.getRequestURI().getQuery();
        if (exchange.getRequestMethod().equals("PUT")) {
            values.put(key, exchange.getRequestBody().readAllBytes());
            exchange.sendResponseHeaders(status, -1);
            puts.countDown();
        } else {
            byte[] value = values.get(key);
            exchange.sendResponseHeaders(value == null ? 404 : 200, value == null ? -1 : value.length);
            if (value != null) {
                exchange.getResponseBody().write(value);
            }
        }
        exchange.close();
    }

    private Newcomer visited() throws InterruptedException {
        Newcomer newcomer = Newcomer.start(server.getAddress(), PATIENCE);
        puts.await();
        newcomer.end();
        return newcomer;
    }

    private long lost(Newcomer newcomer) throws IOException {
        return newcomer.lost(server.getAddress());
    }

    @Test
    void nothingIsLostWhereEachKeyHasItsNumber() throws Exception {
        Newcomer newcomer = visited();

        assertThat(newcomer.acknowledgedKeys()).isGreaterThanOrEqualTo(5);
        assertThat(lost(newcomer)).isZero();
    }

    @Test
    void aMissingKeyAndAnOlderNumberAreLost() throws Exception {
        Newcomer newcomer = visited();

        values.remove("id=newcomer-1");
        values.put("id=newcomer-3", Requests.ascii("2"));

        assertThat(lost(newcomer)).isEqualTo(2);
    }

    @Test
    void whatWasNotAcknowledgedNeedNotBeThere() throws Exception {
        status = 503;
        Newcomer newcomer = visited();
        values.clear();

        assertThat(newcomer.acknowledgedKeys()).isZero();
        assertThat(lost(newcomer)).isZero();
        assertThat(newcomer.visits(Long.MIN_VALUE, Long.MAX_VALUE)).isNotEmpty().noneMatch(Newcomer.Visit::isServed);
    }

    @Test
    void aNodeThatDoesNotAnswerHasLostNothingYet() throws Exception {
        Newcomer newcomer = visited();
        server.stop(0);

        assertThatThrownBy(() -> lost(newcomer)).isInstanceOf(IOException.class);
    }
}
