package kvant.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Random;
import kvant.lab.process.Programs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The peer keeps the part of Kvant's contract that the generator uses.
class OneNioServerTest {

    private final HttpClient client = HttpClient.newHttpClient();
    private OneNioServer server;
    private int port;

    @BeforeEach
    void start() throws IOException {
        port = Programs.freePort();
        server = OneNioServer.start(port, 1);
    }

    @AfterEach
    void stop() {
        client.close();
        server.stop();
    }

    private HttpResponse<byte[]> ask(String method, String path, byte[] body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .method(method, body.length > 0 ? BodyPublishers.ofByteArray(body) : BodyPublishers.noBody())
                .build();
        return client.send(request, BodyHandlers.ofByteArray());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 100 << 10})
    void aValueIsKeptUntilItIsDeleted(int bytes) throws Exception {
        byte[] value = new byte[bytes];
        new Random(bytes).nextBytes(value);
        String path = "/v0/entity?id=a";

        assertThat(ask("GET", path, new byte[0]).statusCode()).isEqualTo(404);
        assertThat(ask("PUT", path, value).statusCode()).isEqualTo(201);
        assertThat(ask("GET", path, new byte[0]).body()).isEqualTo(value);
        assertThat(ask("GET", "/v0/entity?id=b", new byte[0]).statusCode()).isEqualTo(404);
        assertThat(ask("DELETE", path, new byte[0]).statusCode()).isEqualTo(202);
        assertThat(ask("GET", path, new byte[0]).statusCode()).isEqualTo(404);
    }

    @Test
    void whatIsNoRequestOfAKeyIsRefused() throws Exception {
        assertThat(ask("GET", "/v0/entity?id=", new byte[0]).statusCode()).isEqualTo(400);
        assertThat(ask("GET", "/v0/entity", new byte[0]).statusCode()).isEqualTo(400);
        assertThat(ask("GET", "/elsewhere", new byte[0]).statusCode()).isEqualTo(404);
        assertThat(ask("POST", "/v0/entity?id=a", new byte[] {1}).statusCode()).isEqualTo(405);
        assertThat(ask("GET", "/readyz", new byte[0]).statusCode()).isEqualTo(200);
    }
}
