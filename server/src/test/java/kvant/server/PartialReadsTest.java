package kvant.server;

import static kvant.server.NodeHarness.put;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A get may be for a range of the bytes of a value (RFC 9110, section 14).
@NullUnmarked
class PartialReadsTest {

    private static final String VALUE = "0123456789";

    private NodeHarness harness;
    private RawClient client;
    private String tag;

    @BeforeEach
    void start() throws IOException {
        harness = NodeHarness.async();
        client = harness.client();
        tag = client.exchange(put("k", VALUE)).header("ETag");
    }

    @AfterEach
    void stop() throws IOException {
        harness.close();
    }

    private RawClient.Answer get(String key, String headers) throws IOException {
        return client.exchange("GET /v0/entity?id=" + key + " HTTP/1.1\r\nHost: h\r\n"
                + headers.replace(";;", "\r\n").replace("TAG", tag) + "\r\n\r\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            Range: bytes=0-0                          | 206 | 0          | bytes 0-0/10
            range: Bytes=2-4                          | 206 | 234        | bytes 2-4/10
            Range: bytes=7-                           | 206 | 789        | bytes 7-9/10
            Range: bytes=7-9                          | 206 | 789        | bytes 7-9/10
            Range: bytes=7-999999999999               | 206 | 789        | bytes 7-9/10
            Range: bytes=-3                           | 206 | 789        | bytes 7-9/10
            Range: bytes=-99                          | 206 | 0123456789 | bytes 0-9/10
            Range: bytes=0-                           | 206 | 0123456789 | bytes 0-9/10
            Range: bytes=2-4;;If-Range: TAG           | 206 | 234        | bytes 2-4/10
            Range: bytes=2-4;;If-Match: TAG           | 206 | 234        | bytes 2-4/10
            Range: bytes=10-                          | 416 |            | bytes */10
            Range: bytes=-0                           | 416 |            | bytes */10
            Range: bytes=99-100                       | 416 |            | bytes */10
            Range: bytes=5-2                          | 200 | 0123456789 |
            Range: bytes=0-1,3-4                      | 200 | 0123456789 |
            Range: items=0-1                          | 200 | 0123456789 |
            Range: bytes=                             | 200 | 0123456789 |
            Range: bytes=-                            | 200 | 0123456789 |
            Range: bytes=a-b                          | 200 | 0123456789 |
            Range: bytes=0-99999999999999999999       | 206 | 0123456789 | bytes 0-9/10
            Range: bytes=-99999999999999999999        | 206 | 0123456789 | bytes 0-9/10
            Range: bytes=99999999999999999999-        | 416 |            | bytes */10
            Range: bytes=0-99999999999999999999x      | 200 | 0123456789 |
            Range: bytes=0-1;;Range: bytes=0-1        | 200 | 0123456789 |
            Range: bytes=2-4;;If-Range: "999"         | 200 | 0123456789 |
            Range: bytes=2-4;;If-Range: W/TAG         | 200 | 0123456789 |
            Range: bytes=2-4;;If-Range: Sun, 22 Nov 2026 09:00:00 GMT | 200 | 0123456789 |
            If-Range: TAG                             | 200 | 0123456789 |
            Range: bytes=99-;;If-Range: "999"         | 200 | 0123456789 |
            Range: bytes=2-4;;If-None-Match: TAG      | 304 |            |
            Range: bytes=2-4;;If-Match: "999"         | 412 |            |
            """)
    void aRangeIsAnsweredAsTheRfcSays(String headers, int status, String body, String range) throws Exception {
        client.send("GET /v0/entity?id=k HTTP/1.1\r\nHost: h\r\n"
                + headers.replace(";;", "\r\n").replace("TAG", tag) + "\r\n\r\n");
        RawClient.Answer answer = client.read(status == 304);

        assertThat(answer.status()).isEqualTo(status);
        if (status == 200 || status == 206) {
            assertThat(answer.text()).isEqualTo(body);
            assertThat(answer.header("ETag")).isEqualTo(tag);
        }
        assertThat(answer.headers("Content-Range")).isEqualTo(range == null ? List.of() : List.of(range));
    }

    @ParameterizedTest
    @CsvSource({
        "bytes=-1, 200",
        "bytes=-99999999999999999999, 200",
        "bytes=-0, 416",
        "bytes=0-, 416",
        "bytes=0-0, 416",
        "bytes=1-, 416",
        "bytes=, 200"
    })
    void theLastBytesOfAnEmptyValueAreAllOfIt(String range, int status) throws Exception {
        String empty = client.exchange(put("empty", "")).header("ETag");
        RawClient.Answer answer = get("empty", "Range: " + range);

        assertThat(answer.status()).isEqualTo(status);
        if (status == 200) {
            assertThat(answer.header("Content-Length")).isEqualTo("0");
            assertThat(answer.header("ETag")).isEqualTo(empty);
            assertThat(answer.headers("Content-Range")).isEmpty();
        } else {
            assertThat(answer.header("Content-Range")).isEqualTo("bytes */0");
        }
    }

    @Test
    void onlyAGetOfAKeyHasRanges() throws Exception {
        client.send("HEAD /v0/entity?id=k HTTP/1.1\r\nHost: h\r\nRange: bytes=0-1\r\n\r\n");
        RawClient.Answer head = client.read(true);
        assertThat(head.status()).isEqualTo(200);
        assertThat(head.header("Content-Length")).isEqualTo("10");
        assertThat(client.exchange("GET /v0/entities?start=k HTTP/1.1\r\nHost: h\r\nRange: bytes=0-1\r\n\r\n")
                        .text())
                .isEqualTo("k\n" + VALUE);
        assertThat(client.exchange("PUT /v0/entity?id=p HTTP/1.1\r\nHost: h\r\nRange: bytes=0-1\r\n"
                                + "Content-Length: 3\r\n\r\nabc")
                        .status())
                .isEqualTo(201);
        assertThat(get("p", "X: y").text()).isEqualTo("abc");
        assertThat(get("none", "Range: bytes=-1").status()).isEqualTo(404);
    }

    @Test
    void aLargeRangeIsExactAndTheNextAnswerIsWhole() throws Exception {
        byte[] value = new byte[3 << 20];
        new Random(7).nextBytes(value);
        harness.engine.load(NodeHarness.bytes("large"), value);
        int from = 70_001;
        int to = 2_500_000;

        RawClient.Answer part = get("large", "Range: bytes=" + from + "-" + (to - 1));

        assertThat(part.status()).isEqualTo(206);
        assertThat(part.header("Content-Range")).isEqualTo("bytes " + from + "-" + (to - 1) + "/" + value.length);
        assertThat(part.body()).isEqualTo(Arrays.copyOfRange(value, from, to));
        assertThat(get("large", "X: y").body()).isEqualTo(value);
        assertThat(get("k", "X: y").text()).isEqualTo(VALUE);
    }
}
