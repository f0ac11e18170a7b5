package kvant.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.ResourceLeakDetector;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import kvant.server.MemoryEngine;
import kvant.server.WireCases;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Mutated requests: no exception, no hang, no memory kept, and still the same answers however they are
/// split.
///
/// `-Dkvant.fuzz.seed` and `-Dkvant.fuzz.rounds` choose another or a longer run.
class FuzzTest {

    private static final long SEED = Long.getLong("kvant.fuzz.seed", 20261121);
    private static final int ROUNDS =
            Integer.getInteger("kvant.fuzz.rounds", Boolean.getBoolean("kvant.test.all") ? 20_000 : 5_000);
    private static final int LONGEST = 4096;
    private static final ResourceLeakDetector.Level LEVEL = ResourceLeakDetector.getLevel();
    private static final String[] FRAGMENTS = {
        "\r\n",
        "\n",
        "\r",
        " ",
        "\t",
        "\0",
        ":",
        "0",
        "chunked",
        "Content-Length: 3\r\n",
        "%",
        "%00",
        "&id=x",
        "?",
        "Transfer-Encoding: chunked\r\n",
        "HTTP/1.1",
        "HTTP/1.0",
        "\u00ff",
        "Host: h\r\n",
        "5\r\n",
        "GET /v0/entity?id=k",
    };

    private static final String BATCH_TYPE = "Content-Type: application/vnd.kvant.batch\r\n";
    private static final String[] METHODS = {"GET", "GET", "HEAD", "PUT", "PUT", "DELETE", "POST"};
    private static final String[] TARGETS = {
        "/v0/entity?id=k",
        "/v0/entity?id=empty",
        "/v0/entity/k?x",
        "/v0/entity?x",
        "/v0/entities?start=a",
        "/v0/entities?prefix=k",
        "/v0/entities?x",
        "/v0/batch?x",
        "/v0/changes?from=0",
        "/v0/changes?x",
        "/v0/read-only?x",
        "/readyz?x"
    };
    private static final String[] PARAMETERS = {
        "id", "start", "end", "prefix", "limit", "order", "ttl", "ack", "from", "replicas", "verbose", "wait", "format"
    };
    private static final String[] HEADERS = {
        "Range",
        "If-Range",
        "If-Match",
        "If-None-Match",
        "Accept",
        "Origin",
        "Sec-Fetch-Site",
        "Authorization",
        "Kvant-Deadline-Millis",
        "X-Request-Id",
        "traceparent",
        "Last-Event-ID",
        "Content-Type",
        "Content-Range",
        "Content-Encoding",
        "Access-Control-Request-Method",
        "Connection"
    };
    private static final String[] VALUES = {
        "",
        "0",
        "1",
        "2",
        "-1",
        "9000000000000000",
        "9000000000000001",
        "9223372036854775807",
        "9223372036854775808",
        "k",
        "%00",
        "%ff",
        "%",
        "\"",
        "\"\"",
        "\"1\"",
        "\"9223372036854775807\"",
        "W/\"1\"",
        "*",
        ",",
        "bytes=-1",
        "bytes=1-",
        "bytes=1-9223372036854775807",
        "bytes=9223372036854775807-",
        "now",
        "sse",
        "none",
        "1/1",
        "null",
        "http://h",
        "http://",
        "identity",
        "same-origin",
        "Bearer x",
        "application/x-ndjson",
        "text/event-stream;q=0.",
        "application/vnd.kvant.batch",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    };
    private static final String[] BODIES = {
        "put 1 1\nkv",
        "put 1 0\nk\n",
        "put 1 1 9000000000000000\nkv\n",
        "put 1 1 9000000000000001\nkv\n",
        "put 0 0\n\n",
        "delete 1\nk\n",
        "delete 65536\nk\n",
        "put 1 67108864\nk",
        "\n",
        "\u00ff"
    };

    @BeforeAll
    static void trackLess() {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.SIMPLE);
    }

    @AfterAll
    static void trackAgain() {
        ResourceLeakDetector.setLevel(LEVEL);
    }

    @Test
    void mutatedRequestsAreAnsweredOrRefusedTheSameWayHoweverSplit() {
        Random random = new Random(SEED);
        List<WireCases.Case> cases = WireCases.all().stream()
                .filter(wire -> wire.request().length <= LONGEST)
                .toList();
        for (int round = 0; round < ROUNDS; round++) {
            byte[] request = mutate(cases.get(random.nextInt(cases.size())).request(), random);
            int split = 1 + random.nextInt(request.length);
            String context = "seed " + SEED + ", round " + round + ": " + printable(request);
            String whole = run(request, request.length, context);
            assertThat(run(request, split, context))
                    .as(context + " split at " + split)
                    .isEqualTo(whole);
        }
    }

    /// Whatever parameters, headers and bodies say: numbers at their ends, nothing at all, one thing in the place of
    /// another.
    @Test
    void nothingThatAClientSaysIsAnInternalError() {
        Random random = new Random(SEED);
        int carriedOut = 0;
        for (int round = 0; round < ROUNDS; round++) {
            byte[] request = madeUp(random).getBytes(StandardCharsets.ISO_8859_1);
            String context = "seed " + SEED + ", round " + round + ": " + printable(request);
            String outcome = run(request, request.length, context);
            assertThat(outcome).as(context).startsWith("HTTP/1.1 ").doesNotContain("urn:kvant:problem:internal");
            carriedOut += outcome.startsWith("HTTP/1.1 2") ? 1 : 0;
        }
        assertThat(carriedOut).as("not all of it is refused").isGreaterThan(ROUNDS / 20);
    }

    private static String madeUp(Random random) {
        StringBuilder request = new StringBuilder();
        String target = any(TARGETS, random);
        boolean batch = target.startsWith("/v0/batch");
        request.append(batch ? "POST" : any(METHODS, random)).append(' ').append(target);
        for (int i = random.nextInt(4); i > 0; i--) {
            request.append('&').append(any(PARAMETERS, random)).append('=').append(any(VALUES, random));
        }
        request.append(" HTTP/1.1\r\nHost: h\r\n").append(batch ? BATCH_TYPE : "");
        for (int i = random.nextInt(4); i > 0; i--) {
            request.append(any(HEADERS, random))
                    .append(": ")
                    .append(any(VALUES, random))
                    .append("\r\n");
        }
        StringBuilder body = new StringBuilder();
        for (int i = random.nextInt(3); i > 0; i--) {
            body.append(any(BODIES, random));
        }
        return request.append("Content-Length: ").append(body.length()).append("\r\n\r\n") + body.toString();
    }

    private static String any(String[] of, Random random) {
        return of[random.nextInt(of.length)];
    }

    private static String printable(byte[] request) {
        return new String(request, StandardCharsets.ISO_8859_1)
                .replace("\r", "\\r")
                .replace("\n", "\\n");
    }

    private static String run(byte[] request, int split, String context) {
        MemoryEngine engine = MemoryEngine.inline();
        engine.load("k".getBytes(StandardCharsets.US_ASCII), "value".getBytes(StandardCharsets.US_ASCII));
        engine.load("empty".getBytes(StandardCharsets.US_ASCII), new byte[0]);
        EmbeddedNode node = new EmbeddedNode(engine);
        String outcome;
        try (node) {
            node.send(request, 0, split);
            node.send(request, split, request.length);
            node.channel.checkException();
            // A refusal may leave before its body turns out to be malformed; then it could not announce the
            // close.
            outcome = node.answers().replace("Connection: close\r\n", "") + engine.calls();
        }
        assertThat(node.budget.claimedBytes()).as(context).isZero();
        assertThat(engine.openCursors()).as(context).isZero();
        return outcome;
    }

    private static byte[] mutate(byte[] original, Random random) {
        byte[] bytes = original;
        for (int i = random.nextInt(4); i >= 0; i--) {
            int at = random.nextInt(bytes.length);
            bytes = switch (random.nextInt(5)) {
                case 0 -> flip(bytes, at, random);
                case 1 -> splice(bytes, at, at + 1, new byte[0]);
                case 2 ->
                    splice(
                            bytes,
                            at,
                            at,
                            FRAGMENTS[random.nextInt(FRAGMENTS.length)].getBytes(StandardCharsets.ISO_8859_1));
                case 3 -> splice(bytes, at, at, Arrays.copyOfRange(bytes, random.nextInt(at + 1), at));
                default -> splice(bytes, at, at + random.nextInt(Math.min(8, bytes.length - at)) + 1, new byte[0]);
            };
            if (bytes.length == 0) {
                bytes = original;
            }
        }
        return bytes;
    }

    private static byte[] flip(byte[] bytes, int at, Random random) {
        byte[] flipped = bytes.clone();
        flipped[at] ^= (byte) (1 << random.nextInt(8));
        return flipped;
    }

    private static byte[] splice(byte[] bytes, int from, int to, byte[] with) {
        int end = Math.min(to, bytes.length);
        byte[] spliced = new byte[bytes.length - (end - from) + with.length];
        System.arraycopy(bytes, 0, spliced, 0, from);
        System.arraycopy(with, 0, spliced, from, with.length);
        System.arraycopy(bytes, end, spliced, from + with.length, bytes.length - end);
        return spliced;
    }
}
